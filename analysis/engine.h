// Stage 2 on the supervisor's side: Facts × Policy → findings and the clean witness. Pure functions; the
// same Facts read from a journal give the same answer.
#pragma once

#include <string>
#include <vector>

#include "analysis/facts/facts.h"
#include "auditor/core/finding.h"
#include "auditor/core/policy.h"
#include "auditor/core/verdict.h"

namespace kernel_audit::analysis {

struct AnalysisResult {
  std::vector<Finding> findings;          // worst effect first, then by place
  bool has_witness = false;               // every returned value derives from authored kernels alone
  std::vector<std::string> witness;       // the kernels and host loops that it rests on
  bool opaque = false;                    // a source could not be read whole: nothing but reading it makes it clean
  std::vector<std::string> inconclusive;  // why it could not be told, full sentences
  std::vector<facts::Directive> directives;
};

AnalysisResult analyze(const facts::Facts& facts, const Policy& policy);

StageSummary summarize(const AnalysisResult& result);
// A candidate whose Facts could not be had: inconclusive with the extractor's fault as the reason.
StageSummary summarize_fault(const Error& error);

}  // namespace kernel_audit::analysis
