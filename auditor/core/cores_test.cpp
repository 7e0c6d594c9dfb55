#include "auditor/core/cores.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <filesystem>
#include <fstream>

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

class GroupFiles : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/cores-XXXXXX";
    mount_ = ::mkdtemp(name);
  }
  void TearDown() override { std::filesystem::remove_all(mount_); }
  void write(const std::string& path, const std::string& text) const {
    const std::filesystem::path file = mount_ + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << "\n";
  }
  std::string mount_;
};

TEST_F(GroupFiles, TheTightestOfAGroupAndThoseAboveItCounts) {
  write("/cpu.max", "800000 100000");
  write("/box/cpu.max", "250000 100000");
  write("/box/job/cpu.max", "max 100000");
  EXPECT_EQ(cores_of_groups("0::/box/job\n", mount_), 3);
  EXPECT_EQ(cores_of_groups("0::/other\n", mount_), 8);
  EXPECT_EQ(cores_of_groups("0::/\n", mount_), 8);
  EXPECT_EQ(cores_of_groups("", mount_), std::nullopt);
}

TEST_F(GroupFiles, TheFirstVersionIsReadToo) {
  const std::string groups = "12:memory:/box\n4:cpu,cpuacct:/box/job\n3:cpuset:/box\n1:name=systemd:/box\n";
  EXPECT_EQ(cores_of_groups(groups, mount_), std::nullopt);
  write("/cpu,cpuacct/box/cpu.cfs_quota_us", "-1");
  write("/cpu,cpuacct/box/cpu.cfs_period_us", "100000");
  EXPECT_EQ(cores_of_groups(groups, mount_), std::nullopt);
  write("/cpu,cpuacct/box/job/cpu.cfs_quota_us", "10000");
  write("/cpu,cpuacct/box/job/cpu.cfs_period_us", "100000");
  EXPECT_EQ(cores_of_groups(groups, mount_), 1);
  // Mounted under the one name, and as a container sees it: its own group is the root.
  std::filesystem::remove_all(mount_ + "/cpu,cpuacct");
  write("/cpu/cpu.cfs_quota_us", "350000");
  write("/cpu/cpu.cfs_period_us", "100000");
  EXPECT_EQ(cores_of_groups(groups, mount_), 4);
  write("/memory/cpu.cfs_quota_us", "100000");
  write("/memory/cpu.cfs_period_us", "100000");
  EXPECT_EQ(cores_of_groups("12:memory:/\n", mount_), std::nullopt);
}

TEST(Cores, JobsShareThem) {
  EXPECT_EQ(cores_for_each(1), usable_cores());
  EXPECT_EQ(cores_for_each(1000000), 1);
  EXPECT_GE(2 * cores_for_each(2), usable_cores());
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
