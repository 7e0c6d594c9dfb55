#include "filters/tolerance.h"

namespace kernel_audit::filters {

Result<Tolerance> benchmark_tolerance(const std::string& compat, const std::string& dtype) {
  if (compat == "kernelbench-v0") return Tolerance{1e-2, 1e-2};
  if (compat == "kernelbench") {
    const bool half = dtype == "float16" || dtype == "bfloat16";
    return half ? Tolerance{1e-2, 1e-2} : Tolerance{1e-4, 1e-4};
  }
  if (compat == "robust-kbench") return Tolerance{1e-5, 1e-5};
  return Error{ErrorKind::kUsage, "no benchmark of the name '" + compat + "' is known", "", "compat",
               "use kernelbench, kernelbench-v0 or robust-kbench"};
}

}  // namespace kernel_audit::filters
