// Facts as a journal holds them, made of what a process said that parsed hostile text: reading them never crashes, and
// what is accepted can be analysed.
#include "analysis/facts/facts.h"

#include <cstdint>
#include <string_view>

#include "analysis/engine.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kernel_audit;
  const auto json = parse_json(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz");
  if (!json) return 0;
  const auto facts = analysis::facts::facts_from_json(*json, "fuzz");
  if (facts) (void)analysis::analyze(*facts, Policy{});
  return 0;
}
