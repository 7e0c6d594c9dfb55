#include "auditor/executor/zygote.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "auditor/executor/interrupt.h"
#include "auditor/executor/paths.h"
#include "auditor/process/tree.h"
#include "auditor/worker/jobs.h"

namespace kernel_audit::executor {
namespace {

using std::chrono::milliseconds;

// Importing torch takes about 3 s, much more on a cold disk.
constexpr milliseconds kStartLimit{180000};
constexpr milliseconds kForkLimit{30000};
constexpr milliseconds kTick{50};

std::vector<std::string> zygote_environment() {
  std::vector<std::string> environment = {"LANG=C.UTF-8", "PYTHONDONTWRITEBYTECODE=1", "PYTHONHASHSEED=0"};
  for (const char* name :
       {"PATH", "HOME", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "CUDA_HOME", "KERNEL_AUDIT_PYTHON"}) {
    if (const char* value = std::getenv(name)) environment.push_back(std::string(name) + "=" + value);
  }
  return environment;
}

Error error_of_exit(const Json& exit) {
  const std::string reason = exit.value("reason", "exited");
  if (reason == "signalled") {
    return {ErrorKind::kSignal, "the worker died by signal " + std::to_string(exit.value("signal", 0)), "", "", ""};
  }
  return {ErrorKind::kExit,
          "the worker left with exit code " + std::to_string(exit.value("code", 0)) + " before it answered", "", "",
          ""};
}

}  // namespace

Result<std::unique_ptr<Zygote>> Zygote::start(bool trusted) {
  Result<std::string> binary = sibling_binary("kernel-audit-worker");
  if (!binary) return binary.error();
  auto ends = process::Channel::make_pair();
  if (!ends) return ends.error();
  process::SpawnOptions options;
  options.argv = {*binary, "zygote", trusted ? "trusted" : "candidate", "--channel",
                  std::to_string(worker::kZygoteChannelFd)};
  options.environment = zygote_environment();
  options.descriptors = {{ends->second.fd(), worker::kZygoteChannelFd}};
  Result<process::Child> child = process::Child::spawn(options);
  if (!child) return child.error();
  ends->second.close();
  std::unique_ptr<Zygote> zygote(new Zygote(std::move(*child), std::move(ends->first)));
  auto hello = zygote->channel_.receive_json(kStartLimit);
  if (!hello || hello->first.value("kind", "") != "ready") {
    zygote->child_.wait(milliseconds(1000));
    std::string said = zygote->child_.standard_error();
    if (said.size() > 2000) said.erase(0, said.size() - 2000);
    return Error{ErrorKind::kTool,
                 "the worker did not start: " + (hello ? hello->first.dump() : hello.error().message) +
                     (said.empty() ? "" : "; it said: " + said),
                 *binary, "", "see kernel-audit doctor"};
  }
  zygote->hello_ = std::move(hello->first);
  return zygote;
}

Zygote::~Zygote() { child_.kill_tree(); }

Result<Worker> Zygote::fork(WorkerRequest request) {
  Worker worker;
  worker.zygote_ = this;
  worker.limits_ = request.limits;
  process::Channel theirs;
  if (request.worker_end) {
    theirs = std::move(*request.worker_end);
  } else {
    auto ends = process::Channel::make_pair();
    if (!ends) return ends.error();
    worker.channel_ = std::move(ends->first);
    theirs = std::move(ends->second);
  }
  worker.standard_error_ = process::Fd(::memfd_create("stderr", MFD_CLOEXEC));
  worker.cgroup_ = process::make_cgroup(request.name);
  const int id = next_id_++;
  if (request.sandbox) request.sandbox->cgroup_directory = worker.cgroup_;
  Json message = {{"kind", "fork"}, {"id", id}, {"job", std::move(request.job)}, {"cgroup", worker.cgroup_}};
  if (request.sandbox) {
    message["sandbox"] = *request.sandbox;
  } else {
    message["sandbox"] = nullptr;
  }
  if (Status sent = channel_.send_json(message, {theirs.fd(), worker.standard_error_.get()}); !sent)
    return sent.error();
  theirs.close();
  const auto deadline = std::chrono::steady_clock::now() + kForkLimit;
  while (forked_.find(id) == forked_.end()) {
    if (std::chrono::steady_clock::now() > deadline || interrupted() || !channel_.open()) {
      return Error{ErrorKind::kTool, "the zygote did not fork a worker", "", "", "see kernel-audit doctor"};
    }
    pump(kTick);
  }
  const Json forked = std::move(forked_.extract(id).mapped());
  worker.pid_ = forked.value("pid", -1);
  if (worker.pid_ <= 0) return Error{ErrorKind::kTool, "the zygote could not fork: " + forked.dump(), "", "", ""};
  worker.watch_ = std::make_unique<process::WatchedTree>(worker.pid_, worker.cgroup_, worker.limits_);
  return worker;
}

void Zygote::pump(milliseconds timeout) {
  auto message = channel_.receive_json(timeout);
  if (!message) {
    if (message.error().kind != ErrorKind::kTimeout) channel_.close();
    return;
  }
  const Json& json = message->first;
  const std::string kind = json.value("kind", "");
  if (kind == "forked") forked_[json.value("id", -1)] = json;
  if (kind == "ended") exits_[json.value("pid", -1)] = json.value("exit", Json::object());
}

std::optional<Json> Zygote::take_exit(pid_t pid) {
  const auto found = exits_.find(pid);
  if (found == exits_.end()) return std::nullopt;
  return std::move(exits_.extract(found).mapped());
}

Worker::~Worker() { kill(); }

void Worker::kill() {
  if (pid_ <= 0) return;
  watch_->kill();
  // The zygote reaps it; without that the pid could be given to a stranger while we still watch it.
  for (int i = 0; i < 100 && !zygote_->take_exit(pid_) && zygote_->channel_.open(); ++i) zygote_->pump(kTick);
  process::remove_cgroup(cgroup_);
  pid_ = -1;
}

Result<Json> Worker::receive() {
  while (true) {
    if (std::optional<Result<Json>> told = poll(kTick)) return std::move(*told);
  }
}

std::optional<Result<Json>> Worker::poll(milliseconds timeout) {
  auto message = channel_.receive_json(timeout);
  if (message) {
    if (!message->first.is_object())
      return Error{ErrorKind::kProtocol, "the worker's message is not an object", "", "", ""};
    return std::move(message->first);
  }
  if (interrupted()) return Error{ErrorKind::kTool, "interrupted", "", "", ""};
  if (message.error().kind != ErrorKind::kTimeout) return ended_error();
  if (const auto over = watch_->check()) {
    const ErrorKind kind = over->reason == process::ExitReason::kMemory ? ErrorKind::kMemory : ErrorKind::kTimeout;
    return Error{kind, "the worker was stopped: " + over->describe(), "", "", ""};
  }
  return std::nullopt;
}

Error Worker::ended_error() {
  for (int i = 0; i < 40; ++i) {
    if (const auto exit = zygote_->take_exit(pid_)) {
      pid_ = -1;
      process::remove_cgroup(cgroup_);
      return error_of_exit(*exit);
    }
    if (!zygote_->channel_.open()) break;
    zygote_->pump(kTick);
  }
  return {ErrorKind::kProtocol, "the worker closed its channel before it answered", "", "", ""};
}

std::string Worker::standard_error() const {
  struct stat info = {};
  if (standard_error_.get() < 0 || ::fstat(standard_error_.get(), &info) != 0) return {};
  const off_t length = std::min<off_t>(info.st_size, 4096);
  std::string text(static_cast<std::size_t>(length), '\0');
  const ssize_t got = ::pread(standard_error_.get(), text.data(), text.size(), info.st_size - length);
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return text;
}

Result<Zygote*> ZygotePair::trusted() { return ensure(trusted_, true); }
Result<Zygote*> ZygotePair::candidate() { return ensure(candidate_, false); }

Result<Zygote*> ZygotePair::ensure(std::unique_ptr<Zygote>& slot, bool trusted) {
  if (!slot || !slot->alive()) {
    Result<std::unique_ptr<Zygote>> started = Zygote::start(trusted);
    if (!started) return started.error();
    slot = std::move(*started);
  }
  return slot.get();
}

}  // namespace kernel_audit::executor
