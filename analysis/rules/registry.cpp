#include "analysis/rules/rules.h"

namespace kernel_audit::analysis::rules {

const std::vector<Rule>& registry() {
  static const std::vector<Rule> rules = {
      framework_fallback(),       // KA101
      lazy_tensor_subclass(),     // KA102
      framework_beside_kernel(),  // KA103
      vendor_library(),           // KA104
      compiled_by_framework(),    // KA111
      reference_inherited(),      // KA112
      swallowed_failure(),        // KA113
      guarded_fallback(),         // KA114
      decoy_kernel(),             // KA115
      result_cache(),             // KA201
      known_seed_precompute(),    // KA211
      stale_weights(),            // KA212
      superbatch(),               // KA213
      returned_override(),        // KA214
      reused_output(),            // KA231
      side_stream(),              // KA301
      joined_stream(),            // KA302
      background_thread(),        // KA311
      host_work(),                // KA312
      other_device(),             // KA313
      cuda_graph(),               // KA314
      native_thread(),            // KA321
      host_function(),            // KA322
      own_context(),              // KA323
      native_graph(),             // KA324
      pdl_trigger(),              // KA325
      backend_flag(),             // KA411
      shape_gated_precision(),    // KA412
      value_gated_path(),         // KA413
      narrowed_precision(),       // KA421
      fast_math(),                // KA422
      returned_argument(),        // KA501
      persisting_cache(),         // KA521
      eviction_hint(),            // KA522
      unwritten_output(),         // KA531
      input_written(),            // KA532
      uninitialised_shared(),     // KA533
      harness_patch(),            // KA611
      harness_inspection(),       // KA612
      environment_sniff(),        // KA613
      result_forgery(),           // KA614
      result_file(),              // KA615
      warm_up_sleep(),            // KA616
      phase_switch(),             // KA617
      run_time_download(),        // KA618
      python_from_native(),       // KA621
      profiler_tamper(),          // KA622
      native_patching(),          // KA623
      memory_scan(),              // KA624
      clock_change(),             // KA625
      unresolved_result(),        // KA701
      opaque_binary(),            // KA721
      constant_output(),          // KA801
      ignored_argument(),         // KA811
      literal_shapes(),           // KA812
      structure_bounds(),         // KA813
      fixed_cut_off(),            // KA814
      unguarded_exponent(),       // KA815
      nan_result(),               // KA816
      collapsed_weight(),         // KA817
      uncovered_output(),         // KA831
      idle_kernel(),              // KA832
      skipped_input(),            // KA833
      unguarded_store(),          // KA901
      missing_barrier(),          // KA902
      divergent_barrier(),        // KA903
      shared_over_limit(),        // KA904
      short_launch(),             // KA905
      index_overflow(),           // KA906
      unchecked_launch(),         // KA907
      removed_architecture(),     // KA908
  };
  return rules;
}

}  // namespace kernel_audit::analysis::rules
