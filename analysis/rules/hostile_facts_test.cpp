// Facts come from a process that parsed hostile text: rules answer to any that pass the check of their ids.
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/engine.h"
#include "analysis/facts/facts_builder.h"
#include "analysis/rules/kernel_code.h"

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

TEST(HostileFacts, AMemberOfItself) {
  facts::FactsBuilder b;
  const facts::Id kernel = b.function("scale", facts::kNone, true);
  const facts::Id member = b.storage(facts::StorageKind::kOtherAttribute, "x", facts::Lifetime::kCall);
  const facts::Id itself = b.load(member);
  b.facts().functions[static_cast<std::size_t>(kernel)].blocks[0].statements[0].location.base = itself;
  const facts::Model model(b.facts());
  const rules::KernelView view(model, model.function(kernel));
  EXPECT_EQ(view.shared_target(view.function.blocks[0].statements[0]), facts::kNone);
}

TEST(HostileFacts, AFunctionTooLargeForItsGuardsIsNotClean) {
  for (const bool large : {false, true}) {
    facts::FactsBuilder b;
    const facts::Id model = b.klass("ModelNew");
    const facts::Id kernel = b.function("scale", facts::kNone, true);
    b.current().is_kernel = true;
    b.current().blocks.resize(facts::FlowGraph::kMaxBlocks + (large ? 1 : 0));
    const facts::Id forward = b.function("forward", model);
    b.parameter("self");
    const facts::Id x = b.parameter("x");
    b.launch("scale", {x}, facts::kNone, "current", kernel);
    b.ret(x);
    b.entry(model, forward);
    const AnalysisResult result = analyze(b.facts(), Policy{});
    const bool said = std::any_of(result.inconclusive.begin(), result.inconclusive.end(), [](const std::string& why) {
      return why.find("scale is larger than the analysis follows") != std::string::npos;
    });
    EXPECT_EQ(said, large);
  }
}

}  // namespace
}  // namespace kernel_audit::analysis
