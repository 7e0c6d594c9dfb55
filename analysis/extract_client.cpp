#include "analysis/extract_client.h"

#include <poll.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include "analysis/extract_protocol.h"
#include "analysis/facts/facts_packed.h"
#include "auditor/core/utf8.h"
#include "auditor/process/channel.h"
#include "auditor/process/child.h"

namespace kernel_audit::analysis {
namespace {

using Clock = std::chrono::steady_clock;
using facts::Facts;
using std::chrono::milliseconds;

// How often limits are looked at while all processes work.
constexpr milliseconds kTick{100};

Json request_json(std::size_t id, const ExtractRequest& request, const ExtractOptions& options) {
  Json files = Json::array();
  for (const ExtractFile& file : request.files) {
    files.push_back({{"file", file.file}, {"path", file.path}, {"language", file.language}, {"text", file.text}});
  }
  return {
      {"id", id},
      {"name", request.name},
      {"files", std::move(files)},
      {"python", options.python},
      {"limits",
       {{"seconds", static_cast<double>(options.time_limit.count()) / 1000.0}, {"bytes", options.memory_limit_bytes}}}};
}

// Text that JSON cannot carry unchanged: replacing bytes would move every position behind them.
std::optional<Error> unreadable(const ExtractRequest& request) {
  for (const ExtractFile& file : request.files) {
    if (!is_utf8(file.text)) {
      return Error{ErrorKind::kUsage, "The candidate is not UTF-8 text.", file.file, "", "Convert the file to UTF-8."};
    }
  }
  return std::nullopt;
}

// A fault says which source was being read.
Result<Facts> named(Result<Facts> answer, const ExtractRequest& request) {
  if (answer || request.files.empty()) return answer;
  Error error = answer.error();
  if (!error.file.empty()) error.message = error.file + ": " + error.message;
  error.file = request.files.front().file;
  return error;
}

}  // namespace

// One extractor process and the request that it works on.
class Extractor::Slot {
 public:
  explicit Slot(ExtractOptions options) : options_(std::move(options)) {}

  // One that is told to end ends by itself, and its time is counted as ours; one that does not is killed.
  ~Slot() {
    channel_.close();
    if (child_) (void)child_->wait(milliseconds(500));
  }
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;

  bool busy() const { return request_.has_value(); }
  std::size_t request() const { return *request_; }
  int fd() const { return channel_.fd(); }

  Status begin(std::size_t id, const ExtractRequest& request) {
    for (int attempt = 0;; ++attempt) {
      if (Status started = ensure_started(); !started) return started;
      const Status sent = channel_.send_json(request_json(id, request, options_));
      if (sent) break;
      // It died between two requests: that is no candidate's fault, a fresh one is tried once.
      child_.reset();
      if (attempt == 1) return sent;
    }
    request_ = id;
    deadline_ = Clock::now() + options_.time_limit;
    return Ok{};
  }

  // The answer or the fault of the request in flight; nothing while it is still at work.
  std::optional<Result<Facts>> poll() {
    const Result<process::Message> message = channel_.receive_large(milliseconds(0));
    if (message) return answer(message->bytes);
    if (message.error().kind != ErrorKind::kTimeout) return fault_of_end(message.error());
    if (const std::optional<process::Exit> exit = child_->wait(milliseconds(0))) return fault_of_exit(*exit);
    if (Clock::now() < deadline_) return std::nullopt;
    stop();
    return Result<Facts>(Error{ErrorKind::kTimeout,
                               "The extractor did not finish this candidate within " +
                                   std::to_string(options_.time_limit.count() / 1000) + " s.",
                               "", "", ""});
  }

  void stop() {
    child_.reset();
    channel_.close();
    request_.reset();
  }

  Status ensure_started() {
    if (child_ && !child_->wait(milliseconds(0))) return Ok{};
    auto ends = process::Channel::make_pair();
    if (!ends) return ends.error();
    process::SpawnOptions spawn;
    spawn.argv = {options_.binary};
    spawn.descriptors = {{ends->second.fd(), kExtractChannelFd}};
    spawn.limits.resident_bytes = options_.memory_limit_bytes;
    Result<process::Child> child = process::Child::spawn(spawn);
    if (!child) return child.error();
    child_.emplace(std::move(*child));
    channel_ = std::move(ends->first);
    return Ok{};
  }

 private:
  // The answer is that of a process that parsed hostile text: nothing about its form is taken for granted.
  std::optional<Result<Facts>> answer(std::string_view bytes) {
    const std::size_t id = *request_;
    request_.reset();
    const std::size_t line_end = bytes.find('\n');
    const Result<Json> head = parse_json(bytes.substr(0, line_end), "answer of the extractor");
    if (!head) {
      stop();
      return Result<Facts>(head.error());
    }
    if (!head->is_object() || head->value("id", Json()) != Json(id)) {
      stop();
      return Result<Facts>(
          Error{ErrorKind::kProtocol, "The extractor's answer is not the one that was asked for.", "", "", ""});
    }
    if (line_end != std::string_view::npos) {
      Result<Facts> facts = facts::facts_from_packed(bytes.substr(line_end + 1), "answer of the extractor");
      if (!facts) stop();
      return facts;
    }
    const auto text = [&](const char* key) {
      const auto error = head->find("error");
      if (error == head->end() || !error->is_object()) return std::string();
      const auto field = error->find(key);
      return field != error->end() && field->is_string() ? field->get<std::string>() : std::string();
    };
    const std::string message = text("message");
    return Result<Facts>(Error{ErrorKind::kTool,
                               message.empty() ? "The extractor reported an error without saying which." : message, "",
                               text("kind"), ""});
  }

  std::optional<Result<Facts>> fault_of_end(const Error& error) {
    if (const std::optional<process::Exit> exit = child_->wait(milliseconds(2000))) return fault_of_exit(*exit);
    stop();
    return Result<Facts>(error);
  }

  std::optional<Result<Facts>> fault_of_exit(const process::Exit& exit) {
    const ErrorKind kind = exit.reason == process::ExitReason::kMemory      ? ErrorKind::kMemory
                           : exit.reason == process::ExitReason::kSignalled ? ErrorKind::kSignal
                                                                            : ErrorKind::kExit;
    stop();
    return Result<Facts>(
        Error{kind, "The extractor ended while it read this candidate: " + exit.describe() + ".", "", "", ""});
  }

  ExtractOptions options_;
  std::optional<process::Child> child_;
  process::Channel channel_;
  std::optional<std::size_t> request_;
  Clock::time_point deadline_;
};

Extractor::Extractor(const ExtractOptions& options)
    : slot_(std::make_unique<Slot>(options)), cancelled_(options.cancelled) {}
Extractor::~Extractor() = default;
Status Extractor::start() { return slot_->ensure_started(); }

Result<Facts> Extractor::extract(const ExtractRequest& request) {
  if (auto error = unreadable(request)) return *error;
  if (Status begun = slot_->begin(0, request); !begun) return begun.error();
  for (;;) {
    pollfd descriptor{slot_->fd(), POLLIN, 0};
    ::poll(&descriptor, 1, static_cast<int>(kTick.count()));
    if (cancelled_ && cancelled_()) {
      slot_->stop();
      return named(Error{ErrorKind::kTool, "The extraction was called off.", "", "", ""}, request);
    }
    if (auto answer = slot_->poll()) return named(std::move(*answer), request);
  }
}

Status extract_candidates(const ExtractOptions& options, const std::vector<ExtractRequest>& requests,
                          const ExtractDone& done) {
  const std::size_t processes = std::clamp<std::size_t>(static_cast<std::size_t>(std::max(1, options.processes)), 1,
                                                        std::max<std::size_t>(1, requests.size()));
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::pair<std::size_t, Result<Facts>>> answers;
  std::size_t next = 0, running = processes;
  bool stop = false;
  std::optional<Error> failure;
  const auto work = [&] {
    Extractor extractor(options);
    const Status started = extractor.start();
    std::unique_lock lock(mutex);
    if (!started) failure = started.error();
    while (started && !stop && next < requests.size()) {
      const std::size_t index = next++;
      lock.unlock();
      Result<Facts> answer = extractor.extract(requests[index]);
      lock.lock();
      answers.emplace_back(index, std::move(answer));
      changed.notify_one();
    }
    --running;
    changed.notify_one();
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < processes; ++i) threads.emplace_back(work);
  std::unique_lock lock(mutex);
  while (!stop) {
    changed.wait(lock, [&] { return !answers.empty() || running == 0; });
    if (answers.empty()) break;
    auto [index, answer] = std::move(answers.front());
    answers.pop_front();
    lock.unlock();
    const bool more = done(index, std::move(answer));
    lock.lock();
    stop = !more;
  }
  lock.unlock();
  for (std::thread& thread : threads) thread.join();
  // One that started can have done all of the work.
  return failure && next < requests.size() && !stop ? Status(*failure) : Status(Ok{});
}

}  // namespace kernel_audit::analysis
