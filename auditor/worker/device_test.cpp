#include "auditor/worker/device.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

namespace kernel_audit::worker {
namespace {

void put(Arena& arena, const std::string& text) { std::memcpy(arena.data, text.c_str(), text.size() + 1); }

TEST(CpuDevice, AnArenaIsSharedWithTheProcessThatMapsIt) {
  const std::unique_ptr<Device> device = make_cpu_device();
  Result<Arena> arena = device->create_arena(10000);
  ASSERT_TRUE(arena) << arena.error().describe();
  EXPECT_EQ(arena->handle_kind, "memfd");
  EXPECT_GE(arena->bytes, 10000U);
  put(*arena, "from the referee");
  const pid_t child = ::fork();
  if (child == 0) {
    Result<Arena> mapped = make_cpu_device()->map_arena(process::Fd(::dup(arena->handle.get())), "memfd", arena->bytes);
    const bool same = mapped.ok() && std::strcmp(static_cast<char*>(mapped->data), "from the referee") == 0;
    if (same) put(*mapped, "from the party");
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

// Sizes around the words and chunks that a kernel copies by; a byte beyond an item's end must stay.
void expect_staged_copies(Device& device, Arena& from, Arena& to) {
  const std::vector<std::size_t> sizes = {1, 15, 16, 17, 4096, 32768, 32769, 100003};
  std::vector<unsigned char> content(from.bytes), result(to.bytes);
  for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<unsigned char>(i * 7 + i / 251);
  ASSERT_TRUE(device.copy(from.data, content.data(), content.size()));
  ASSERT_TRUE(device.fill(to.data, 0xee, to.bytes));
  std::vector<CopyItem> items;
  std::size_t offset = 0;
  for (const std::size_t size : sizes) {
    items.push_back({static_cast<char*>(to.data) + offset, static_cast<char*>(from.data) + offset, size});
    offset += (size + 1023) / 512 * 512;
  }
  ASSERT_LE(offset, to.bytes);
  ASSERT_TRUE(device.stage_copies(items));
  ASSERT_TRUE(device.copy_staged());
  ASSERT_TRUE(device.copy(result.data(), to.data, to.bytes));
  ASSERT_TRUE(device.synchronize());
  offset = 0;
  for (const std::size_t size : sizes) {
    EXPECT_EQ(std::memcmp(result.data() + offset, content.data() + offset, size), 0) << size;
    EXPECT_EQ(result[offset + size], 0xee) << size;
    offset += (size + 1023) / 512 * 512;
  }
}

TEST(CpuDevice, StagedCopiesAreDoneTogether) {
  const std::unique_ptr<Device> device = make_cpu_device();
  Result<Arena> from = device->create_arena(1 << 18), to = device->create_arena(1 << 18);
  ASSERT_TRUE(from && to);
  expect_staged_copies(*device, *from, *to);
  device->release_arena(*from);
  device->release_arena(*to);
}

TEST(CudaDevice, StagedCopiesAreDoneTogether) {
  if (const CudaPresence presence = cuda_presence(); !presence.usable) GTEST_SKIP() << presence.missing;
  Result<std::unique_ptr<Device>> device = make_cuda_device(0);
  ASSERT_TRUE(device) << device.error().describe();
  Result<Arena> from = (*device)->create_arena(1 << 18), to = (*device)->create_arena(1 << 18);
  ASSERT_TRUE(from && to);
  expect_staged_copies(**device, *from, *to);
  (*device)->release_arena(*from);
  (*device)->release_arena(*to);
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
