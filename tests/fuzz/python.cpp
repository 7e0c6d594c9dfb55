// The Python extractor, embedded sources and all, on a whole candidate; what it says must be Facts that can be read.
#include <cstdint>
#include <cstdlib>

#include "analysis/facts/facts_packed.h"
#include "analysis/split/extract.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kernel_audit;
  static analysis::python::Interpreter interpreter;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const analysis::facts::Facts facts =
      analysis::split::extract_candidate({{"fuzz.py", "fuzz.py", "python", text}}, {&interpreter, 5});
  const Json json = facts;
  if (!analysis::facts::facts_from_json(json, "fuzz")) std::abort();
  if (!analysis::facts::facts_from_packed(analysis::facts::packed(facts), "fuzz")) std::abort();
  return 0;
}
