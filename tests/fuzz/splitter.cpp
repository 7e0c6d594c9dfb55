// The splitter's text operations carry an offset map for each byte, whatever the text: maps never leave their file.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "analysis/split/directives.h"
#include "analysis/split/text.h"

namespace {

using namespace kernel_audit::analysis::split;

void check(const Text& text, std::int64_t size) {
  if (text.map.size() != static_cast<std::int64_t>(text.bytes.size())) std::abort();
  for (std::int64_t at = 0; at < text.map.size(); at += 7) {
    const auto span = text.map.resolve(at, at + 1);
    if (span.begin < 0 || span.begin > span.end || span.end > size) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto length = static_cast<std::int64_t>(size);
  const Text text{bytes, OffsetMap::identity("fuzz", length)};
  check(dedent(text), length);
  check(strip(text, Side::kBoth), length);
  check(replace_all(text, "\n", text.slice(0, std::min<std::size_t>(size, 3)), 50), length);
  check(map_case(text, true), length);
  check(join(text.slice(0, std::min<std::size_t>(size, 2)), split_lines(text, false)), length);
  for (const Text& part : split_on(text, ",")) check(part, length);
  Locator locator;
  locator.add("fuzz", bytes);
  for (const auto& directive : directives_of(text, marked_cpp_comments(bytes), "//", locator)) {
    if (directive.line < 1 || directive.span.end > length) std::abort();
  }
  return 0;
}
