#include "analysis/python/interpreter.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "auditor/core/embedded_text.h"

extern char** environ;

namespace kernel_audit {
const std::vector<EmbeddedText>& analysis_ast_server();
}

namespace kernel_audit::analysis::python {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kMaxAnswerBytes = std::size_t{1} << 29;

Error tool_error(std::string message, std::string remedy = {}) {
  return Error{ErrorKind::kTool, std::move(message), "", "", std::move(remedy)};
}

Status wait_for(int fd, short events, Clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return Error{ErrorKind::kTimeout, "The Python process gave no answer in time.", "", "", ""};
    pollfd entry{fd, events, 0};
    const int ready = poll(&entry, 1, static_cast<int>(left));
    if (ready > 0) return Ok{};
    if (ready < 0 && errno != EINTR) return tool_error(std::string("poll failed: ") + std::strerror(errno));
  }
}

std::string chosen_python(const std::string& asked) {
  if (!asked.empty()) return asked;
  const char* from_environment = std::getenv("KERNEL_AUDIT_PYTHON");
  return from_environment != nullptr && *from_environment != '\0' ? from_environment : "python3";
}

}  // namespace

Interpreter::Interpreter(const std::string& python, std::chrono::milliseconds time_limit)
    : python_(chosen_python(python)), time_limit_(time_limit) {}

Interpreter::~Interpreter() { stop(); }

void Interpreter::stop() {
  if (to_child_ >= 0) close(to_child_);
  if (from_child_ >= 0 && from_child_ != to_child_) close(from_child_);
  to_child_ = from_child_ = -1;
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  pid_ = -1;
  buffer_.clear();
}

Status Interpreter::start() {
  stop();
  // A socket pair rather than two pipes: writing to a dead child must not raise SIGPIPE.
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return tool_error(std::string("socketpair failed: ") + std::strerror(errno));
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  const std::string script(analysis_ast_server().front().text);
  // -I -S: no environment, no user site, no site packages; nothing beside the standard library is imported.
  std::vector<std::string> words = {python_, "-I", "-S", "-W", "ignore", "-c", script};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const int failed = posix_spawnp(&pid_, python_.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  to_child_ = from_child_ = ends[0];
  if (failed != 0) {
    pid_ = -1;
    stop();
    return tool_error("Python '" + python_ + "' cannot be started: " + std::strerror(failed) + ".",
                      "give one with --python or in KERNEL_AUDIT_PYTHON");
  }
  ++starts_;
  Result<std::string> hello = read_answer(Clock::now() + time_limit_);
  if (!hello) {
    stop();
    return tool_error("Python '" + python_ + "' does not run the syntax server: " + hello.error().message,
                      "give a Python 3.8 or newer with --python or in KERNEL_AUDIT_PYTHON");
  }
  const Json json = Json::parse(*hello, nullptr, false);
  if (!json.is_object() || !json.contains("version") || !json["version"].is_string()) {
    stop();
    return Error{ErrorKind::kProtocol, "The Python process greeted with a malformed message.", "", "", ""};
  }
  version_ = json["version"].get<std::string>();
  return Ok{};
}

Status Interpreter::write_all(std::string_view bytes, Clock::time_point deadline) {
  while (!bytes.empty()) {
    Status ready = wait_for(to_child_, POLLOUT, deadline);
    if (!ready) return ready;
    const ssize_t sent = send(to_child_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) {
      if (errno == EINTR || errno == EAGAIN) continue;
      return Error{ErrorKind::kExit, "The Python process ended.", "", "", ""};
    }
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return Ok{};
}

Result<std::string> Interpreter::read_answer(Clock::time_point deadline) {
  std::vector<char> chunk(1 << 16);
  for (;;) {
    const std::size_t newline = buffer_.find('\n');
    if (newline != std::string::npos) {
      std::size_t length = 0;
      const auto parsed = std::from_chars(buffer_.data(), buffer_.data() + newline, length);
      if (parsed.ec != std::errc() || parsed.ptr != buffer_.data() + newline || length > kMaxAnswerBytes) {
        return Error{ErrorKind::kProtocol, "The Python process answered with a malformed length.", "", "", ""};
      }
      if (buffer_.size() >= newline + 1 + length) {
        std::string answer = buffer_.substr(newline + 1, length);
        buffer_.erase(0, newline + 1 + length);
        return answer;
      }
    } else if (buffer_.size() > 20) {
      return Error{ErrorKind::kProtocol, "The Python process answered with something else than a length.", "", "", ""};
    }
    const Status ready = wait_for(from_child_, POLLIN, deadline);
    if (!ready) return ready.error();
    const ssize_t got = recv(from_child_, chunk.data(), chunk.size(), MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return Error{ErrorKind::kExit, "The Python process ended without an answer.", "", "", ""};
    buffer_.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

Result<Json> Interpreter::parse(std::string_view source, const char* mode) {
  if (pid_ < 0) {
    const Status started = start();
    if (!started) return started.error();
  }
  const Clock::time_point deadline = Clock::now() + time_limit_;
  const std::string header = std::string(mode) + ' ' + std::to_string(source.size()) + '\n';
  Status sent = write_all(header, deadline);
  if (sent) sent = write_all(source, deadline);
  Result<std::string> answer = sent ? read_answer(deadline) : Result<std::string>(sent.error());
  if (!answer) {
    stop();  // the next source gets a fresh process
    return answer.error();
  }
  Json json = Json::parse(*answer, nullptr, false);
  if (!json.is_object() || !(json.contains("nodes") || json.contains("error") || json.contains("unpacked"))) {
    stop();
    return Error{ErrorKind::kProtocol, "The Python process answered with something else than was asked for.", "", "",
                 ""};
  }
  return json;
}

Result<std::string> Interpreter::version() {
  if (version_.empty()) {
    const Status started = start();
    if (!started) return started.error();
  }
  return version_;
}

}  // namespace kernel_audit::analysis::python
