#include "auditor/worker/zygote.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>
#include <utility>

#include "auditor/worker/forked_worker.h"
#include "auditor/worker/interpreter.h"

namespace kernel_audit::worker {
namespace {

using process::Channel;
using process::Fd;

constexpr int kTickMs = 20;  // how late the end of a worker is told, at most
constexpr std::size_t kMaxReportBytes = std::size_t{64} * 1024;

Json exit_json(int status) {
  if (WIFSIGNALED(status)) return {{"reason", "signalled"}, {"signal", WTERMSIG(status)}};
  return {{"reason", "exited"}, {"code", WEXITSTATUS(status)}};
}

class Zygote {
 public:
  Zygote(Channel channel, const JobTable& jobs) : channel_(std::move(channel)), jobs_(jobs) {}

  int serve() {
    Json ready = describe_interpreter();
    ready["kind"] = "ready";
    if (!channel_.send_json(ready)) return 1;
    while (true) {
      std::vector<pollfd> watched = {{channel_.fd(), POLLIN, 0}};
      for (const auto& [pid, child] : children_) {
        if (child.report.get() >= 0) watched.push_back({child.report.get(), POLLIN, 0});
      }
      ::poll(watched.data(), watched.size(), kTickMs);
      read_reports();
      reap();
      if (watched[0].revents == 0) continue;
      auto message = channel_.receive_json(std::chrono::milliseconds(0));
      if (message) {
        handle(message->first, std::move(message->second));
      } else if (message.error().kind != ErrorKind::kTimeout && message.error().kind != ErrorKind::kProtocol) {
        return 0;  // the supervisor is gone; workers die with us
      }
    }
  }

 private:
  struct ForkedChild {
    Json id;
    Fd report;
    std::string text;
  };

  void tell(const Json& message) { static_cast<void>(channel_.send_json(message)); }

  void handle(const Json& request, std::vector<Fd> descriptors) {
    if (!request.is_object() || request.value("kind", Json()) != "fork") {
      tell(fault_message({ErrorKind::kProtocol, "The zygote knows fork requests only.", "", "kind", ""}));
      return;
    }
    const Json id = request.value("id", Json(-1));
    const auto refuse = [&](const std::string& why) {
      tell({{"kind", "forked"}, {"id", id}, {"pid", -1}, {"error", why}});
    };
    if (descriptors.size() != 2) return refuse("A fork request carries a job channel and a standard error.");
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return refuse(std::string("pipe2 failed: ") + std::strerror(errno));
    Fd read_end(ends[0]), write_end(ends[1]);
    const pid_t pid = fork_interpreter();
    if (pid < 0) return refuse(std::string("fork failed: ") + std::strerror(errno));
    if (pid == 0) {
      // Nothing of the zygote's, nor of other workers', stays open in a worker.
      channel_.close();
      children_.clear();
      read_end.reset();
      ForkedWorker worker{request, Channel(std::move(descriptors[0])), std::move(descriptors[1]), std::move(write_end)};
      run_forked_worker(std::move(worker), jobs_);
    }
    ::fcntl(read_end.get(), F_SETFL, O_NONBLOCK);
    children_[pid] = ForkedChild{id, std::move(read_end), {}};
    tell({{"kind", "forked"}, {"id", id}, {"pid", pid}});
  }

  // What a worker says of its sandbox comes from before any candidate code is loaded.
  void read_report(ForkedChild& child) {
    char buffer[4096];
    for (;;) {
      const ssize_t got = ::read(child.report.get(), buffer, sizeof buffer);
      if (got < 0) {
        if (errno == EINTR) continue;
        if (errno == EAGAIN) return;
      }
      if (got <= 0 || child.text.size() > kMaxReportBytes) break;
      child.text.append(buffer, static_cast<std::size_t>(got));
    }
    child.report.reset();
    if (child.text.empty()) return;
    if (const auto report = parse_json(child.text, "sandbox report", kMaxReportBytes)) {
      tell({{"kind", "sandboxed"}, {"id", child.id}, {"report", *report}});
    }
  }

  void read_reports() {
    for (auto& [pid, child] : children_) {
      if (child.report.get() >= 0) read_report(child);
    }
  }

  void reap() {
    int status = 0;
    for (pid_t pid = 0; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
      const auto child = children_.find(pid);
      if (child == children_.end()) continue;
      if (child->second.report.get() >= 0) read_report(child->second);
      tell({{"kind", "ended"}, {"id", child->second.id}, {"pid", pid}, {"exit", exit_json(status)}});
      children_.erase(child);
    }
  }

  Channel channel_;
  const JobTable& jobs_;
  std::map<pid_t, ForkedChild> children_;
};

}  // namespace

int run_zygote(Channel channel, const JobTable& jobs) {
  ::signal(SIGPIPE, SIG_IGN);
  if (const Status started = start_interpreter(); !started) {
    static_cast<void>(channel.send_json(fault_message(started.error())));
    return 1;
  }
  return Zygote(std::move(channel), jobs).serve();
}

}  // namespace kernel_audit::worker
