#include "auditor/worker/selftest.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>

#include "auditor/worker/device.h"

namespace kernel_audit::worker {
namespace {

constexpr std::uint64_t kResidentNs = 50'000'000;  // one kernel; the next one is launched before it ends
constexpr int kResidentLaunches = 40;              // together about 2 s
constexpr int kStartLimitMs = 60'000;

double now_ns() {
  return static_cast<double>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
          .count());
}

Json probe_json(const GapProbe& probe) {
  return {{"longest_gap_ns", probe.longest_gap_ns}, {"window_ns", probe.window_ns}, {"idle", probe.idle}};
}

Result<Json> probe_often(Device& device, int repeats) {
  Json probes = Json::array();
  for (int i = 0; i < repeats; ++i) {
    const Result<GapProbe> probe = device.gap_probe();
    if (!probe) return probe.error();
    probes.push_back(probe_json(*probe));
  }
  return probes;
}

// A process that keeps a kernel resident once it is told to.
class Neighbour {
 public:
  // Forks. Must be called before this process touches CUDA.
  bool start() {
    int to_child[2], to_parent[2];
    if (::pipe(to_child) != 0) return false;
    if (::pipe(to_parent) != 0) return false;
    go_.reset(to_child[1]);
    ready_.reset(to_parent[0]);
    const process::Fd child_go(to_child[0]), child_ready(to_parent[1]);
    pid_ = ::fork();
    if (pid_ != 0) return pid_ > 0;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    go_.reset();
    char byte = 0;
    if (::read(child_go.get(), &byte, 1) != 1) ::_exit(0);
    auto device = make_cuda_device(0);
    if (!device) ::_exit(1);
    for (int i = 0; i < kResidentLaunches; ++i) {
      if (!(*device)->spin(kResidentNs)) ::_exit(1);
    }
    if (::write(child_ready.get(), &byte, 1) != 1) ::_exit(1);
    static_cast<void>((*device)->synchronize());
    ::_exit(0);
  }

  // True once its first kernel has been launched.
  bool occupy() {
    if (pid_ <= 0 || ::write(go_.get(), "g", 1) != 1) return false;
    pollfd entry{ready_.get(), POLLIN, 0};
    char byte = 0;
    return ::poll(&entry, 1, kStartLimitMs) > 0 && ::read(ready_.get(), &byte, 1) == 1;
  }

  ~Neighbour() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

 private:
  pid_t pid_ = -1;
  process::Fd go_, ready_;
};

Result<Json> measure_flush(Device& device, int repeats) {
  Json times = Json::array();
  for (int i = 0; i < repeats; ++i) {
    const double start = now_ns();
    if (const Status flushed = device.flush_cache(); !flushed) return flushed.error();
    if (const Status waited = device.synchronize(); !waited) return waited.error();
    times.push_back(now_ns() - start);
  }
  return times;
}

Result<Json> measure_spin(Device& device) {
  Json rows = Json::array();
  for (const std::uint64_t asked : {20'000U, 100'000U, 1'000'000U, 10'000'000U}) {
    const double start = now_ns();
    for (const Status& status :
         {device.record_start(), device.spin(asked), device.record_stop(), device.synchronize()}) {
      if (!status) return status.error();
    }
    const double host = now_ns() - start;
    const std::optional<double> event = device.elapsed_ns();
    rows.push_back({{"asked_ns", asked}, {"event_ns", event ? Json(*event) : Json()}, {"host_ns", host}});
  }
  return rows;
}

}  // namespace

Result<Json> run_selftest_job(const Json& job) {
  const bool cuda = job.value("device", std::string("cpu")) == "cuda";
  const int repeats = job.value("repeats", 10);
  Neighbour neighbour;
  const bool have_neighbour = cuda && neighbour.start();
  std::unique_ptr<Device> device = make_cpu_device();
  if (cuda) {
    auto made = make_cuda_device(job.value("device_index", 0));
    if (!made) return made.error();
    device = std::move(*made);
  }
  Json found = {{"device", device->kind()}, {"name", device->name()}, {"l2_bytes", device->l2_bytes()}};
  auto arena = device->create_arena(1 << 20);
  if (!arena) return arena.error();
  found["arena"] = arena->handle_kind;
  device->release_arena(*arena);

  auto idle = probe_often(*device, repeats);
  auto flush = measure_flush(*device, repeats);
  auto spin = measure_spin(*device);
  for (const auto* part : {&idle, &flush, &spin}) {
    if (!*part) return part->error();
  }
  found["gap_probe"] = {{"idle", *idle}};
  found["flush_ns"] = *flush;
  found["spin"] = *spin;
  if (have_neighbour && neighbour.occupy()) {
    auto resident = probe_often(*device, repeats);
    if (!resident) return resident.error();
    found["gap_probe"]["resident"] = *resident;
  } else {
    found["gap_probe"]["resident_missing"] =
        cuda ? "the neighbouring process could not start its kernel" : "a CPU has no resident kernels";
  }
  return Json{{"kind", "result"}, {"selftest", std::move(found)}};
}

}  // namespace kernel_audit::worker
