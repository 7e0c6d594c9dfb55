// The CPU as a device: memfd arenas, cache flush by touching twice the last-level cache, no events. It is what lets
// the whole pipeline run and be tested without a GPU.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <utility>
#include <vector>

#include "auditor/worker/device.h"

namespace kernel_audit::worker {
namespace {

// When the kernel does not tell the size of the last-level cache.
constexpr std::size_t kFallbackCacheBytes = std::size_t{32} << 20;

std::size_t last_level_cache_bytes() {
  std::size_t largest = 0;
  for (int index = 0; index < 8; ++index) {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/size");
    std::size_t size = 0;
    char unit = 0;
    if (!(file >> size >> unit)) continue;
    largest = std::max(largest, size << (unit == 'M' ? 20 : unit == 'K' ? 10 : 0));
  }
  return largest != 0 ? largest : kFallbackCacheBytes;
}

Error system_error(const std::string& what) {
  return {ErrorKind::kTool, what + ": " + std::strerror(errno), "", "", ""};
}

class CpuDevice final : public Device {
 public:
  CpuDevice() : cache_bytes_(last_level_cache_bytes()) {}

  const char* kind() const override { return "cpu"; }
  std::string name() const override { return "cpu"; }
  std::size_t l2_bytes() const override { return cache_bytes_; }

  Result<Arena> create_arena(std::size_t bytes) override {
    Arena arena;
    arena.bytes = (bytes + 4095) / 4096 * 4096;
    arena.handle_kind = "memfd";
    arena.handle = process::Fd(::memfd_create("arena", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (arena.handle.get() < 0 || ::ftruncate(arena.handle.get(), static_cast<off_t>(arena.bytes)) != 0) {
      return system_error("an arena of " + std::to_string(bytes) + " bytes could not be made");
    }
    // The peer cannot shrink it under us: a touch past the end would be a SIGBUS in the referee.
    if (::fcntl(arena.handle.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
      return system_error("the arena could not be sealed");
    return map(std::move(arena));
  }

  Result<Arena> map_arena(process::Fd handle, const std::string& handle_kind, std::size_t bytes) override {
    if (handle_kind != "memfd")
      return Error{ErrorKind::kProtocol, "the CPU maps no arena of kind " + handle_kind, "", "", ""};
    struct stat info = {};
    if (::fstat(handle.get(), &info) != 0 || static_cast<std::size_t>(info.st_size) < bytes) {
      return Error{ErrorKind::kProtocol, "the arena is smaller than was said", "", "", ""};
    }
    Arena arena;
    arena.bytes = bytes;
    arena.handle_kind = handle_kind;
    arena.handle = std::move(handle);
    return map(std::move(arena));
  }

  void release_arena(Arena& arena) override {
    if (arena.data != nullptr) ::munmap(arena.data, arena.bytes);
    arena = Arena();
  }

  Status copy(void* destination, const void* source, std::size_t bytes) override {
    std::memcpy(destination, source, bytes);
    return Ok{};
  }

  Status fill(void* destination, std::uint8_t byte, std::size_t bytes) override {
    std::memset(destination, byte, bytes);
    return Ok{};
  }

  Status synchronize() override { return Ok{}; }

  Status flush_cache() override {
    scratch_.resize(2 * cache_bytes_ / sizeof(std::uint64_t));
    std::uint64_t sum = 0;
    for (std::uint64_t& word : scratch_) sum += ++word;
    sink_ = sum;
    return Ok{};
  }

  Result<GapProbe> gap_probe() override { return GapProbe{0, 0, true}; }

  Status record_start() override { return Ok{}; }
  Status record_stop() override { return Ok{}; }
  std::optional<double> elapsed_ns() override { return std::nullopt; }

  Status spin(std::uint64_t duration_ns, void*) override {
    const auto end = std::chrono::steady_clock::now() + std::chrono::nanoseconds(duration_ns);
    while (std::chrono::steady_clock::now() < end) {
    }
    return Ok{};
  }

 private:
  static Result<Arena> map(Arena arena) {
    arena.data = ::mmap(nullptr, arena.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, arena.handle.get(), 0);
    if (arena.data == MAP_FAILED) return system_error("the arena could not be mapped");
    return arena;
  }

  std::size_t cache_bytes_;
  std::vector<std::uint64_t> scratch_;
  volatile std::uint64_t sink_ = 0;
};

}  // namespace

Status Device::spin(std::uint64_t, void*) { return Error{ErrorKind::kTool, "This device cannot spin.", "", "", ""}; }

Status Device::stage_copies(std::vector<CopyItem> items) {
  staged_ = std::move(items);
  return Ok{};
}

Status Device::copy_staged() {
  for (const CopyItem& item : staged_) {
    if (Status status = copy(item.destination, item.source, item.bytes); !status) return status;
  }
  return Ok{};
}

std::unique_ptr<Device> make_cpu_device() { return std::make_unique<CpuDevice>(); }

}  // namespace kernel_audit::worker
