#include "auditor/core/cores.h"

#include <gtest/gtest.h>
#include <sched.h>

namespace kernel_audit {
namespace {

TEST(Cores, AQuotaIsRoundedUp) {
  EXPECT_EQ(cores_of_quota("200000 100000"), 2);
  EXPECT_EQ(cores_of_quota("150000 100000"), 2);
  EXPECT_EQ(cores_of_quota("5000 100000"), 1);
}

TEST(Cores, NoQuotaIsNoLimit) {
  for (const char* text : {"max 100000", "", "many", "100000", "0 100000", "100000 0", "-1 100000"})
    EXPECT_EQ(cores_of_quota(text), std::nullopt) << text;
}

TEST(Cores, AnAffinityMaskCounts) {
  cpu_set_t all;
  ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu) {
    if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &one);
  }
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(usable_cores(), 1);
  ASSERT_EQ(::sched_setaffinity(0, sizeof all, &all), 0);
  EXPECT_GE(usable_cores(), 1);
  EXPECT_LE(usable_cores(), CPU_COUNT(&all));
}

}  // namespace
}  // namespace kernel_audit
