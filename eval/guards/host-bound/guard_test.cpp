#include "eval/guards/guard.h"

#include <gtest/gtest.h>

#include "eval/guards/evidence_for_test.h"

namespace kernel_audit::eval::guards {

Guard host_bound();

namespace {

TEST(HostBound, GraphReplaysAreToldBesideTheEagerRatio) {
  EvalEvidence e = honest_evidence();
  EXPECT_TRUE(host_bound().check(e, Policy{}).empty());
  Metric graph = *e.speedup;
  graph.id = "graph_speedup";
  graph.value = 3;
  graph.interval = Interval{2.9, 3.1};
  e.graph_speedup = graph;
  std::vector<Finding> findings = host_bound().check(e, Policy{});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].effect, Effect::kNote);
  EXPECT_EQ(findings[0].message.find("no wall-clock gain"), std::string::npos) << findings[0].message;
  e.speedup->interval->low = 0.98;
  findings = host_bound().check(e, Policy{});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_NE(findings[0].message.find("no wall-clock gain"), std::string::npos) << findings[0].message;
}

}  // namespace
}  // namespace kernel_audit::eval::guards
