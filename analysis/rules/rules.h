// Declarations of every rule, one function per folder, sorted by code. registry.cpp lists them.
#pragma once

#include "analysis/rules/rule.h"

namespace kernel_audit::analysis::rules {

const Rule& framework_fallback();       // KA101
const Rule& lazy_tensor_subclass();     // KA102
const Rule& framework_beside_kernel();  // KA103
const Rule& vendor_library();           // KA104
const Rule& result_cache();             // KA201
const Rule& side_stream();              // KA301
const Rule& returned_argument();        // KA501
const Rule& unresolved_result();        // KA701
const Rule& constant_output();          // KA801

}  // namespace kernel_audit::analysis::rules
