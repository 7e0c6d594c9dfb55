// Facts as they come from the process that parsed hostile text: reading the bytes never crashes, and what is accepted
// can be analysed and written again. Seeds: `kernel-audit-extract --packed FILE`.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "analysis/engine.h"
#include "analysis/facts/facts_packed.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kernel_audit;
  const auto facts =
      analysis::facts::facts_from_packed(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz");
  if (!facts) return 0;
  if (!analysis::facts::facts_from_packed(analysis::facts::packed(*facts), "again")) std::abort();
  (void)analysis::analyze(*facts, Policy{});
  return 0;
}
