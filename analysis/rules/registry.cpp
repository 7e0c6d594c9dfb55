#include "analysis/rules/rules.h"

namespace kernel_audit::analysis::rules {

const std::vector<Rule>& registry() {
  static const std::vector<Rule> rules = {
      framework_fallback(),       // KA101
      lazy_tensor_subclass(),     // KA102
      framework_beside_kernel(),  // KA103
      vendor_library(),           // KA104
      result_cache(),             // KA201
      side_stream(),              // KA301
      backend_flag(),             // KA411
      returned_argument(),        // KA501
      harness_patch(),            // KA611
      harness_inspection(),       // KA612
      environment_sniff(),        // KA613
      result_forgery(),           // KA614
      result_file(),              // KA615
      unresolved_result(),        // KA701
      constant_output(),          // KA801
  };
  return rules;
}

}  // namespace kernel_audit::analysis::rules
