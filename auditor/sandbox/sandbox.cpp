#include "auditor/sandbox/sandbox.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "auditor/core/names.h"
#include "auditor/process/fd.h"
#include "auditor/process/orphan_keeper.h"
#include "auditor/sandbox/layers.h"

namespace kernel_audit::sandbox {
namespace {

constexpr Names<Layer, 11> kLayers = {{{Layer::kPidNamespace, "pid-namespace"},
                                       {Layer::kMountNamespace, "mount-namespace"},
                                       {Layer::kIpcNamespace, "ipc-namespace"},
                                       {Layer::kNetworkNamespace, "network-namespace"},
                                       {Layer::kUnprivilegedUid, "unprivileged-uid"},
                                       {Layer::kNoNewPrivileges, "no-new-privileges"},
                                       {Layer::kLandlock, "landlock"},
                                       {Layer::kSeccomp, "seccomp"},
                                       {Layer::kDescriptors, "descriptors"},
                                       {Layer::kCgroup, "cgroup"},
                                       {Layer::kRlimits, "rlimits"}}};

constexpr const char* kNamespaceRemedy = "start as root, or allow unprivileged user namespaces";

Error fork_error() {
  return Error{ErrorKind::kTool, std::string("fork failed: ") + std::strerror(errno) + ".", "", "", ""};
}

LayerState namespace_state(Layer layer, bool is_active, const Namespaces& namespaces) {
  return is_active ? active(layer, "") : missing(layer, namespaces.reason, kNamespaceRemedy);
}

struct Pipe {
  process::Fd read, write;
  bool open() {
    int ends[2];
    if (::pipe(ends) != 0) return false;
    read.reset(ends[0]);
    write.reset(ends[1]);
    return true;
  }
};

// What the two processes between the caller and the worker are connected by. Each process above keeps the
// write end of its `alive` pipe and nothing else that the processes below could wait for.
struct Plumbing {
  Pipe monitor_alive, init_alive;
  Pipe status;  // the worker's wait status, from init to monitor: pid 1 cannot die by a signal of its own
};

[[noreturn]] void run_monitor(const Plumbing& plumbing, pid_t child) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::vector<int> keep = {plumbing.monitor_alive.write.get(), plumbing.status.read.get()};
  std::sort(keep.begin(), keep.end());
  process::close_all_but(keep);
  int wait_status = process::wait_and_clear(child, process::OnTerminate::kForward);
  int reported = 0;
  if (::read(plumbing.status.read.get(), &reported, sizeof reported) == sizeof reported) wait_status = reported;
  process::mirror_exit(wait_status);
}

[[noreturn]] void run_init(const Plumbing& plumbing, pid_t worker) {
  std::vector<int> keep = {plumbing.init_alive.write.get(), plumbing.status.write.get()};
  std::sort(keep.begin(), keep.end());
  process::close_all_but(keep);
  // What is left dies with this process, the first of its pid namespace; /proc, which may be another's, is not needed.
  const int wait_status = process::wait_forwarding(worker);
  (void)!::write(plumbing.status.write.get(), &wait_status, sizeof wait_status);
  ::_exit(0);
}

void die_with_parent(const process::Fd& parent_alive) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  pollfd entry{parent_alive.get(), POLLIN, 0};
  if (::poll(&entry, 1, 0) > 0) ::_exit(1);  // the other end is closed: the parent died before prctl
}

void default_signals() {
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

}  // namespace

const char* to_string(Layer layer) { return name_of(kLayers, layer); }
std::optional<Layer> layer_from_string(const std::string& text) { return value_of(kLayers, text); }

LayerState active(Layer layer, std::string detail) { return {layer, true, std::move(detail), ""}; }
LayerState missing(Layer layer, std::string detail, std::string remedy) {
  return {layer, false, std::move(detail), std::move(remedy)};
}
std::string errno_text(const char* what) { return std::string(what) + " failed: " + std::strerror(errno) + "."; }

std::vector<std::pair<std::string, std::string>> private_environment(const SandboxPolicy& policy) {
  const std::string& tmp = policy.private_tmp;
  if (tmp.empty()) return {};
  return {{"TMPDIR", tmp},
          {"HOME", tmp},
          {"XDG_CACHE_HOME", tmp + "/cache"},
          {"TORCH_EXTENSIONS_DIR", tmp + "/torch_extensions"},
          {"TORCHINDUCTOR_CACHE_DIR", tmp + "/inductor"},
          {"TRITON_CACHE_DIR", tmp + "/triton"},
          {"CUDA_CACHE_PATH", tmp + "/cuda"}};
}

Result<SandboxReport> enter_sandbox(const SandboxPolicy& policy) {
  SandboxReport report;
  Plumbing plumbing;
  if (!plumbing.monitor_alive.open() || !plumbing.init_alive.open() || !plumbing.status.open()) {
    return Error{ErrorKind::kTool, errno_text("pipe"), "", "", ""};
  }

  report.layers.push_back(join_cgroup(policy));  // before the uid is dropped, and for the monitor too
  const Namespaces namespaces = unshare_namespaces();
  report.layers.push_back(namespace_state(Layer::kPidNamespace, namespaces.pid, namespaces));
  report.layers.push_back(namespace_state(Layer::kIpcNamespace, namespaces.ipc, namespaces));
  report.layers.push_back(namespace_state(Layer::kNetworkNamespace, namespaces.network, namespaces));

  process::prepare_orphan_keeper(false);  // before the fork: the child may end at once
  const pid_t below_monitor = ::fork();
  if (below_monitor < 0) return fork_error();
  if (below_monitor > 0) run_monitor(plumbing, below_monitor);
  plumbing.monitor_alive.write.reset();
  plumbing.status.read.reset();
  die_with_parent(plumbing.monitor_alive.read);
  bool reachable = ::geteuid() != 0 || unreachable_paths(policy).empty();
  if (namespaces.mount) {
    std::string detail;
    const std::string problem = arrange_mounts(policy, namespaces.pid, detail);
    reachable = reachable || problem.empty();
    report.layers.push_back(problem.empty() ? active(Layer::kMountNamespace, detail)
                                            : missing(Layer::kMountNamespace, problem, kNamespaceRemedy));
  } else {
    report.layers.push_back(missing(Layer::kMountNamespace, namespaces.reason, kNamespaceRemedy));
  }
  // The first process of a pid namespace ignores most signals, so a worker in its place could not even abort.
  if (namespaces.pid) {
    process::prepare_orphan_keeper(false);
    const pid_t worker = ::fork();
    if (worker < 0) return fork_error();
    if (worker > 0) run_init(plumbing, worker);
  }
  plumbing.init_alive.write.reset();
  plumbing.status.write.reset();
  default_signals();

  const process::Fd& parent_alive = namespaces.pid ? plumbing.init_alive.read : plumbing.monitor_alive.read;
  report.layers.push_back(close_descriptors(policy, parent_alive.get()));
  if (!policy.private_tmp.empty()) {
    for (const auto& [name, value] : private_environment(policy)) ::setenv(name.c_str(), value.c_str(), 1);
    (void)!::chdir(policy.private_tmp.c_str());
  }
  ::umask(077);
  report.layers.push_back(drop_privileges(policy, namespaces.user, reachable));
  const bool own_count = namespaces.user || report.layers.back().detail == "uid 65534";
  // A change of uid clears the death signal, so it is set again now.
  die_with_parent(parent_alive);
  plumbing = Plumbing{};
  report.layers.push_back(set_rlimits(policy, own_count));
  report.layers.push_back(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
                              ? active(Layer::kNoNewPrivileges, "")
                              : missing(Layer::kNoNewPrivileges, errno_text("prctl"), ""));
  report.layers.push_back(restrict_files(policy));
  report.layers.push_back(filter_system_calls());

  for (const Layer needed : policy.require) {
    const auto found = std::find_if(report.layers.begin(), report.layers.end(),
                                    [needed](const LayerState& state) { return state.layer == needed; });
    if (found != report.layers.end() && found->active) continue;
    return Error{ErrorKind::kTool,
                 std::string("The sandbox lacks its layer ") + to_string(needed) + ": " +
                     (found == report.layers.end() ? "" : found->detail),
                 "", to_string(needed), found == report.layers.end() ? "" : found->remedy};
  }
  return report;
}

}  // namespace kernel_audit::sandbox
