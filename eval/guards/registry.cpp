#include "eval/guards/guard.h"

namespace kernel_audit::eval::guards {

// Defined in <slug>/guard.cpp.
Guard subclass_output();
Guard stale_output();
Guard clocks_disagree();
Guard work_after_return();
Guard aliased_output();
Guard wrong_output();
Guard tampered_protocol();
Guard baseline_drift();
Guard host_bound();

const std::vector<Guard>& registry() {
  static const std::vector<Guard> guards = {
      subclass_output(),    // KA151
      stale_output(),       // KA251
      clocks_disagree(),    // KA351
      work_after_return(),  // KA352
      aliased_output(),     // KA551
      wrong_output(),       // KA851
      tampered_protocol(),  // KA852
      baseline_drift(),     // KA951
      host_bound(),         // KA952
  };
  return guards;
}

}  // namespace kernel_audit::eval::guards
