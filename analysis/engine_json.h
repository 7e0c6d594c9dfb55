// The result of an analysis as JSON, for the cache of `lint`. Reading checks every field: a cache file may be of
// anyone.
#pragma once

#include <string>

#include "analysis/engine.h"
#include "auditor/core/json.h"
#include "auditor/core/result.h"

namespace kernel_audit::analysis {

Json result_to_json(const AnalysisResult& result);
Result<AnalysisResult> result_from_json(const Json& json, const std::string& what);

}  // namespace kernel_audit::analysis
