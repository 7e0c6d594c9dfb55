#include "auditor/process/device_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>

namespace kernel_audit::process {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPatience{20};  // shorter waits are not worth a word

// Opened for reading, which is all that flock needs: a file of another user in a sticky folder serves too.
Result<Fd> open_file(const std::string& path) {
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW;
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (const int fd = ::open(path.c_str(), kFlags); fd >= 0) return Fd(fd);
    if (const int fd = ::open(path.c_str(), kFlags | O_CREAT | O_EXCL, 0644); fd >= 0) return Fd(fd);
    if (errno != EEXIST) break;  // else another process was faster
  }
  return Error{ErrorKind::kTool, "the lock of the device cannot be opened: " + std::string(std::strerror(errno)), path,
               "", ""};
}

// flock with a limit, asking again after 1 ms: an alarm would not tell its threads apart.
bool lock_until(int fd, int operation, Clock::time_point until, const std::function<void()>& on_wait, bool& told) {
  const Clock::time_point start = Clock::now();
  while (::flock(fd, operation | LOCK_NB) != 0) {
    const Clock::time_point now = Clock::now();
    if ((errno != EWOULDBLOCK && errno != EINTR) || now >= until) return false;
    if (!told && on_wait && now - start > kPatience) {
      told = true;
      on_wait();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace

std::string DeviceLock::path_of(const std::string& device, const std::string& folder) {
  std::string name = device;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-') c = '_';
  }
  std::error_code ignored;
  std::filesystem::path where = folder;
  if (where.empty()) where = std::filesystem::temp_directory_path(ignored);
  if (where.empty()) where = "/tmp";
  return (where / ("kernel-audit-device-" + name)).string();
}

Result<DeviceLock> DeviceLock::open(const std::string& device, const std::string& folder) {
  const std::string path = path_of(device, folder);
  Result<Fd> gate = open_file(path + ".gate");
  if (!gate) return gate.error();
  Result<Fd> use = open_file(path + ".lock");
  if (!use) return use.error();
  return DeviceLock(std::move(*gate), std::move(*use));
}

bool DeviceLock::take(int operation, std::chrono::milliseconds limit, const std::function<void()>& on_wait) {
  give_back();
  const Clock::time_point until = Clock::now() + limit;
  bool told = false;
  const bool taken = lock_until(gate_.get(), operation, until, on_wait, told) &&
                     lock_until(device_.get(), operation, until, on_wait, told);
  if (taken) held_ = operation == LOCK_EX ? Held::kAlone : Held::kShared;
  // Only who is alone keeps the gate shut.
  if (held_ != Held::kAlone) ::flock(gate_.get(), LOCK_UN);
  return taken;
}

bool DeviceLock::share(std::chrono::milliseconds limit, const std::function<void()>& on_wait) {
  return take(LOCK_SH, limit, on_wait);
}

bool DeviceLock::take_alone(std::chrono::milliseconds limit, const std::function<void()>& on_wait) {
  return take(LOCK_EX, limit, on_wait);
}

void DeviceLock::give_back() {
  if (held_ == Held::kNothing) return;
  ::flock(device_.get(), LOCK_UN);
  ::flock(gate_.get(), LOCK_UN);
  held_ = Held::kNothing;
}

}  // namespace kernel_audit::process
