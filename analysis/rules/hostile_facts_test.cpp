// Facts come from a process that parsed hostile text: rules answer to any that pass the check of their ids.
#include <gtest/gtest.h>

#include "analysis/engine.h"

namespace kernel_audit::analysis {
namespace {

TEST(HostileFacts, ProblemsOfAnEntryClassThatIsMissing) {
  for (const char* kind : {"framework-forward", "no-entry", "dynamic-call", "no-forward"}) {
    facts::Facts facts;
    facts.problems.push_back({kind, "Said of a class that the Facts do not hold.", facts::kNone, {}, true});
    const AnalysisResult result = analyze(facts, Policy{});
    EXPECT_FALSE(result.has_witness) << kind;
    EXPECT_TRUE(result.opaque) << kind;
  }
}

}  // namespace
}  // namespace kernel_audit::analysis
