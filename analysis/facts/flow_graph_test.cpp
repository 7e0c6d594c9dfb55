#include "analysis/facts/flow_graph.h"

#include <gtest/gtest.h>

namespace kernel_audit::analysis::facts {
namespace {

Function graph_of(const std::vector<std::vector<Id>>& successors) {
  Function function;
  for (const auto& list : successors) {
    Block block;
    if (list.size() == 2) block.condition = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      block.successors.push_back({list[i], list.size() < 2 ? EdgeKind::kNormal
                                           : i == 0        ? EdgeKind::kTrue
                                                           : EdgeKind::kFalse});
    }
    function.blocks.push_back(block);
  }
  return function;
}

// Dominance by definition: without `a`, can `b` still be reached?
bool dominates_by_search(const Function& f, Id a, Id b) {
  if (a == b) return true;
  std::vector<bool> seen(f.blocks.size(), false);
  std::vector<Id> todo;
  if (a != 0) todo.push_back(0);
  while (!todo.empty()) {
    const Id at = todo.back();
    todo.pop_back();
    if (at == a || seen[static_cast<std::size_t>(at)]) continue;
    seen[static_cast<std::size_t>(at)] = true;
    for (const Edge& edge : f.blocks[static_cast<std::size_t>(at)].successors) todo.push_back(edge.to);
  }
  return !seen[static_cast<std::size_t>(b)];
}

TEST(FlowGraph, DiamondDecides) {
  const Function f = graph_of({{1, 2}, {3}, {3}, {}});
  const FlowGraph flow(f);
  EXPECT_TRUE(flow.dominates(0, 3));
  EXPECT_FALSE(flow.dominates(1, 3));
  EXPECT_TRUE(flow.post_dominates(3, 0));
  EXPECT_EQ(flow.deciders(1), std::vector<Id>{0});
  EXPECT_TRUE(flow.deciders(3).empty());
}

TEST(FlowGraph, EarlyReturnDecidesTheRest) {
  const Function f = graph_of({{1, 2}, {}, {}});
  const FlowGraph flow(f);
  EXPECT_EQ(flow.deciders(1), std::vector<Id>{0});
  EXPECT_EQ(flow.deciders(2), std::vector<Id>{0});
}

TEST(FlowGraph, DominatorsAgreeWithTheDefinitionOnManyGraphs) {
  unsigned state = 12345;
  const auto random = [&](unsigned n) {
    state = state * 1664525U + 1013904223U;
    return (state >> 8) % n;
  };
  for (int round = 0; round < 500; ++round) {
    const unsigned count = 2 + random(7);
    std::vector<std::vector<Id>> edges(count);
    for (auto& list : edges) {
      for (unsigned k = random(3); k > 0; --k) list.push_back(static_cast<Id>(random(count)));
    }
    const Function f = graph_of(edges);
    const FlowGraph flow(f);
    for (Id a = 0; a < static_cast<Id>(count); ++a) {
      for (Id b = 0; b < static_cast<Id>(count); ++b) {
        if (!flow.reachable(b)) continue;
        EXPECT_EQ(flow.dominates(a, b) && flow.reachable(a), dominates_by_search(f, a, b) && flow.reachable(a))
            << "round " << round << " a " << a << " b " << b;
      }
    }
  }
}

}  // namespace
}  // namespace kernel_audit::analysis::facts
