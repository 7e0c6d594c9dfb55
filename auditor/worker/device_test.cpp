#include "auditor/worker/device.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

namespace kernel_audit::worker {
namespace {

TEST(CpuDevice, AnArenaIsSharedWithTheProcessThatMapsIt) {
  const std::unique_ptr<Device> device = make_cpu_device();
  Result<Arena> arena = device->create_arena(10000);
  ASSERT_TRUE(arena) << arena.error().describe();
  EXPECT_EQ(arena->handle_kind, "memfd");
  EXPECT_GE(arena->bytes, 10000U);
  std::strcpy(static_cast<char*>(arena->data), "from the referee");
  const pid_t child = ::fork();
  if (child == 0) {
    Result<Arena> mapped = make_cpu_device()->map_arena(process::Fd(::dup(arena->handle.get())), "memfd", arena->bytes);
    const bool same = mapped.ok() && std::strcmp(static_cast<char*>(mapped->data), "from the referee") == 0;
    if (same) std::strcpy(static_cast<char*>(mapped->data), "from the party");
    ::_exit(same ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_STREQ(static_cast<char*>(arena->data), "from the party");
  EXPECT_NE(::ftruncate(arena->handle.get(), 0), 0) << "a party must not be able to shrink an arena";
  device->release_arena(*arena);
  EXPECT_EQ(arena->data, nullptr);
}

TEST(CpuDevice, RefusesWhatItCannotMap) {
  const std::unique_ptr<Device> device = make_cpu_device();
  Result<Arena> arena = device->create_arena(4096);
  ASSERT_TRUE(arena);
  EXPECT_FALSE(device->map_arena(process::Fd(::dup(arena->handle.get())), "cumem", 4096));
  EXPECT_FALSE(device->map_arena(process::Fd(::dup(arena->handle.get())), "memfd", 1 << 20)) << "more than there is";
  EXPECT_FALSE(device->map_arena(process::Fd(), "memfd", 4096));
}

TEST(CpuDevice, HasNoEventsAndSaysSo) {
  const std::unique_ptr<Device> device = make_cpu_device();
  EXPECT_TRUE(device->record_start());
  EXPECT_TRUE(device->record_stop());
  EXPECT_FALSE(device->elapsed_ns().has_value());
  EXPECT_TRUE(device->gap_probe()->idle);
  EXPECT_TRUE(device->flush_cache());
}

TEST(CudaDevice, IsThereOrSaysWhyNot) {
  const CudaPresence presence = cuda_presence();
  Result<std::unique_ptr<Device>> device = make_cuda_device(0);
  if (!presence.usable) {
    EXPECT_FALSE(presence.missing.empty());
    ASSERT_FALSE(device);
    EXPECT_FALSE(device.error().message.empty());
    GTEST_SKIP() << presence.missing;
  }
  ASSERT_TRUE(device) << device.error().describe();
  Result<Arena> arena = (*device)->create_arena(std::size_t{3} << 20);
  ASSERT_TRUE(arena) << arena.error().describe();
  EXPECT_EQ(arena->handle_kind, "cumem");
  EXPECT_TRUE((*device)->fill(arena->data, 0x5a, arena->bytes));
  EXPECT_TRUE((*device)->flush_cache());
  Result<GapProbe> idle = (*device)->gap_probe();
  ASSERT_TRUE(idle);
  EXPECT_TRUE(idle->idle) << idle->longest_gap_ns;
  EXPECT_TRUE((*device)->record_start());
  EXPECT_TRUE((*device)->spin(1'000'000));
  EXPECT_TRUE((*device)->record_stop());
  const std::optional<double> elapsed = (*device)->elapsed_ns();
  ASSERT_TRUE(elapsed.has_value());
  EXPECT_NEAR(*elapsed, 1e6, 1e5);
  (*device)->release_arena(*arena);
}

}  // namespace
}  // namespace kernel_audit::worker
