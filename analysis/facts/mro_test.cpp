#include "analysis/facts/mro.h"

#include <gtest/gtest.h>

#include <map>

namespace kernel_audit::analysis::facts {
namespace {

using Bases = std::map<Id, std::vector<Id>>;

std::vector<Id> order(Bases bases, Id start) {
  return method_resolution_order(start, [&](Id id) -> const std::vector<Id>& { return bases[id]; });
}

TEST(MethodResolutionOrder, FollowsOneLine) {
  EXPECT_EQ(order({{0, {1}}, {1, {2}}}, 0), (std::vector<Id>{0, 1, 2}));
  EXPECT_EQ(order({{0, {}}}, 0), (std::vector<Id>{0}));
}

TEST(MethodResolutionOrder, VisitsACommonBaseAfterAllThatDeriveFromIt) {
  EXPECT_EQ(order({{0, {1, 2}}, {1, {3}}, {2, {3}}}, 0), (std::vector<Id>{0, 1, 2, 3}));
}

TEST(MethodResolutionOrder, KeepsTheOrderInWhichBasesAreWritten) {
  enum { kA, kB, kC, kD, kE, kF };
  EXPECT_EQ(order({{kA, {kB, kC}}, {kB, {kE, kD}}, {kC, {kD, kF}}}, kA), (std::vector<Id>{kA, kB, kE, kC, kD, kF}));
}

TEST(MethodResolutionOrder, PassesOverAbsentClasses) {
  EXPECT_EQ(order({{0, {kNone, 1, kNone}}}, 0), (std::vector<Id>{0, 1}));
}

TEST(MethodResolutionOrder, WalksWhereThereIsNoConsistentOrder) {
  EXPECT_EQ(order({{0, {1, 2}}, {1, {3, 4}}, {2, {4, 3}}}, 0), (std::vector<Id>{0, 1, 3, 4, 2}));
}

TEST(MethodResolutionOrder, EndsOnACycle) {
  EXPECT_EQ(order({{0, {1, 2}}, {1, {0}}}, 0), (std::vector<Id>{0, 1, 2}));
  EXPECT_EQ(order({{0, {0}}}, 0), (std::vector<Id>{0}));
}

TEST(MethodResolutionOrder, StopsAtSixtyFourClasses) {
  Bases deep;
  for (Id id = 0; id < 1000; ++id) deep[id] = {id + 1, id + 1001};
  EXPECT_EQ(order(deep, 0).size(), 64u);
}

}  // namespace
}  // namespace kernel_audit::analysis::facts
