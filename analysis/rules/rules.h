// Declarations of every rule, one function per folder, sorted by code. registry.cpp lists them.
#pragma once

#include "analysis/rules/rule.h"

namespace kernel_audit::analysis::rules {

const Rule& framework_fallback();       // KA101
const Rule& lazy_tensor_subclass();     // KA102
const Rule& framework_beside_kernel();  // KA103
const Rule& vendor_library();           // KA104
const Rule& compiled_by_framework();    // KA111
const Rule& reference_inherited();      // KA112
const Rule& swallowed_failure();        // KA113
const Rule& guarded_fallback();         // KA114
const Rule& decoy_kernel();             // KA115
const Rule& result_cache();             // KA201
const Rule& known_seed_precompute();    // KA211
const Rule& stale_weights();            // KA212
const Rule& superbatch();               // KA213
const Rule& returned_override();        // KA214
const Rule& reused_output();            // KA231
const Rule& side_stream();              // KA301
const Rule& joined_stream();            // KA302
const Rule& background_thread();        // KA311
const Rule& host_work();                // KA312
const Rule& other_device();             // KA313
const Rule& cuda_graph();               // KA314
const Rule& native_thread();            // KA321
const Rule& host_function();            // KA322
const Rule& own_context();              // KA323
const Rule& native_graph();             // KA324
const Rule& pdl_trigger();              // KA325
const Rule& backend_flag();             // KA411
const Rule& shape_gated_precision();    // KA412
const Rule& value_gated_path();         // KA413
const Rule& narrowed_precision();       // KA421
const Rule& fast_math();                // KA422
const Rule& returned_argument();        // KA501
const Rule& persisting_cache();         // KA521
const Rule& eviction_hint();            // KA522
const Rule& unwritten_output();         // KA531
const Rule& input_written();            // KA532
const Rule& uninitialised_shared();     // KA533
const Rule& harness_patch();            // KA611
const Rule& harness_inspection();       // KA612
const Rule& environment_sniff();        // KA613
const Rule& result_forgery();           // KA614
const Rule& result_file();              // KA615
const Rule& warm_up_sleep();            // KA616
const Rule& phase_switch();             // KA617
const Rule& run_time_download();        // KA618
const Rule& python_from_native();       // KA621
const Rule& profiler_tamper();          // KA622
const Rule& native_patching();          // KA623
const Rule& memory_scan();              // KA624
const Rule& clock_change();             // KA625
const Rule& unresolved_result();        // KA701
const Rule& opaque_binary();            // KA721
const Rule& constant_output();          // KA801
const Rule& ignored_argument();         // KA811
const Rule& literal_shapes();           // KA812
const Rule& structure_bounds();         // KA813
const Rule& fixed_cut_off();            // KA814
const Rule& unguarded_exponent();       // KA815
const Rule& nan_result();               // KA816
const Rule& collapsed_weight();         // KA817
const Rule& uncovered_output();         // KA831
const Rule& idle_kernel();              // KA832
const Rule& skipped_input();            // KA833
const Rule& unguarded_store();          // KA901
const Rule& missing_barrier();          // KA902
const Rule& divergent_barrier();        // KA903
const Rule& shared_over_limit();        // KA904
const Rule& short_launch();             // KA905
const Rule& index_overflow();           // KA906
const Rule& unchecked_launch();         // KA907
const Rule& removed_architecture();     // KA908

}  // namespace kernel_audit::analysis::rules
