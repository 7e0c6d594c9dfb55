// A zygote is a kernel-audit-worker that has imported torch and forks workers on request, so that a
// worker costs milliseconds instead of seconds (protocol: auditor/worker/jobs.h). One zygote serves
// trusted roles, another candidates. `Worker` owns one forked worker: its channel, its process tree,
// its captured standard error; destroying it kills the tree.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "auditor/core/environment.h"
#include "auditor/core/json.h"
#include "auditor/core/result.h"
#include "auditor/process/channel.h"
#include "auditor/process/child.h"
#include "auditor/process/watch.h"
#include "auditor/sandbox/sandbox.h"

namespace kernel_audit::executor {

class Zygote;

class Worker {
 public:
  Worker(Worker&& other) noexcept { *this = std::move(other); }
  Worker& operator=(Worker&& other) noexcept {
    std::swap(zygote_, other.zygote_);
    std::swap(pid_, other.pid_);
    std::swap(cgroup_, other.cgroup_);
    std::swap(channel_, other.channel_);
    std::swap(standard_error_, other.standard_error_);
    std::swap(limits_, other.limits_);
    std::swap(watch_, other.watch_);
    return *this;
  }
  ~Worker();

  process::Channel& channel() { return channel_; }
  pid_t pid() const { return pid_; }
  const std::string& cgroup() const { return cgroup_; }
  // Waits for the next JSON message; a worker that ended, hung or outgrew its limits is a typed Error.
  Result<Json> receive();
  // The same, but gives up after `timeout`: nothing when there is nothing to tell yet.
  std::optional<Result<Json>> poll(std::chrono::milliseconds timeout);
  // While it waits for others its wall clock stands still.
  void hold_clock(bool held) { watch_->hold_clock(held); }
  std::string standard_error() const;  // the last 4 KiB
  void kill();

 private:
  friend class Zygote;
  Worker() = default;
  // The typed end of the process, once the zygote told it or a limit was hit.
  Error ended_error();

  Zygote* zygote_ = nullptr;
  pid_t pid_ = -1;
  std::string cgroup_;
  process::Channel channel_;
  process::Fd standard_error_;
  process::Limits limits_;
  std::unique_ptr<process::WatchedTree> watch_;
};

struct WorkerRequest {
  Json job;
  std::optional<sandbox::SandboxPolicy> sandbox;
  process::Limits limits;
  // Channel end that the worker gets; when absent a fresh pair is made and Worker::channel() is our end.
  std::optional<process::Channel> worker_end;
  std::string name;  // of its cgroup
};

class Zygote {
 public:
  static Result<std::unique_ptr<Zygote>> start(bool trusted);
  ~Zygote();

  const Json& hello() const { return hello_; }  // {"torch","python","cuda","device",…}
  bool alive() { return channel_.open() && !child_.wait(std::chrono::milliseconds(0)); }
  Result<Worker> fork(WorkerRequest request);

 private:
  friend class Worker;
  Zygote(process::Child child, process::Channel channel) : child_(std::move(child)), channel_(std::move(channel)) {}
  // Reads messages of the zygote until `pid` is known to have ended or `timeout` passed.
  void pump(std::chrono::milliseconds timeout);
  std::optional<Json> take_exit(pid_t pid);

  process::Child child_;
  process::Channel channel_;
  Json hello_;
  int next_id_ = 1;
  std::map<int, Json> forked_;
  std::map<pid_t, Json> exits_;
};

// Starts each zygote when it is first needed and again when it died.
class ZygotePair {
 public:
  Result<Zygote*> trusted();
  Result<Zygote*> candidate();

 private:
  static Result<Zygote*> ensure(std::unique_ptr<Zygote>& slot, bool trusted);
  std::unique_ptr<Zygote> trusted_;
  std::unique_ptr<Zygote> candidate_;
};

}  // namespace kernel_audit::executor
