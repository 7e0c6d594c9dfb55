#include "eval/referee/process_party.h"

#include <time.h>

#include "auditor/core/cores.h"
#include "eval/referee/job.h"

namespace kernel_audit::eval {
namespace {

std::string text_at(const Json& json, const char* field) {
  const auto found = json.find(field);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Error error_at(const Json& json) {
  Error error{ErrorKind::kTool, "The supervisor gave no reason.", "", "", ""};
  const auto found = json.find("error");
  if (found == json.end() || !found->is_object()) return error;
  const std::string kind = text_at(*found, "kind");
  for (const ErrorKind known : {ErrorKind::kUsage, ErrorKind::kTool, ErrorKind::kTimeout, ErrorKind::kMemory,
                                ErrorKind::kSignal, ErrorKind::kExit, ErrorKind::kProtocol}) {
    if (kind == to_string(known)) error.kind = known;
  }
  error.message = text_at(*found, "message");
  return error;
}

// How long the supervisor may take to tell why a process is gone, after its channel was seen to close.
constexpr std::chrono::milliseconds kDeathNotice{300};

}  // namespace

Status send_last(process::Channel& supervisor, const Result<Json>& result) {
  if (result) return supervisor.send_json(*result);
  const Error& error = result.error();
  const Status sent = supervisor.send_json(
      Json{{"kind", "fault"}, {"error", {{"kind", to_string(error.kind)}, {"message", error.describe()}}}});
  return sent ? Status(error) : sent;
}

double SteadyClock::now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

ProcessParty::ProcessParty(process::Channel channel, process::ProcessTree tree)
    : channel_(std::move(channel)), tree_(std::move(tree)), spin_(usable_cores() > 1) {}

Result<std::string> ProcessParty::receive(std::chrono::milliseconds timeout) {
  Result<process::Message> message = channel_.receive(timeout, spin_);
  if (!message) return message.error();
  return std::move(message->bytes);
}

Result<Json> ProcessParty::receive_json(std::chrono::milliseconds timeout) {
  auto message = channel_.receive_json(timeout);
  if (!message) return message.error();
  return std::move(message->first);
}

SupervisorSource::SupervisorSource(process::Channel& supervisor, std::chrono::milliseconds start_timeout,
                                   std::string candidate_name)
    : supervisor_(supervisor), start_timeout_(start_timeout), candidate_name_(std::move(candidate_name)) {}

std::string SupervisorSource::name_of(Party party) const {
  return party == Party::kCandidate ? candidate_name_ : to_string(party);
}

bool SupervisorSource::keep_death(const Json& message) {
  if (!message.is_object() || text_at(message, "kind") != "party-died") return false;
  deaths_[text_at(message, "party")] = error_at(message);
  return true;
}

Result<Arrival> SupervisorSource::need(Party party) {
  const Status asked = supervisor_.send_json(Json{{"kind", "need-party"}, {"party", name_of(party)}});
  if (!asked) return asked.error();
  for (;;) {
    auto answer = supervisor_.receive_json(start_timeout_);
    if (!answer) return answer.error();
    const Json& message = answer->first;
    if (keep_death(message)) continue;
    if (!message.is_object() || text_at(message, "kind") != "party") {
      return Error{ErrorKind::kProtocol, "The supervisor did not answer the request for a party.", "", "", ""};
    }
    if (message.contains("error")) return error_at(message);
    const auto pid = message.find("pid");
    if (pid == message.end() || !pid->is_number_integer() || answer->second.size() != 1) {
      return Error{ErrorKind::kProtocol, "The supervisor named no process or sent no channel for a party.", "", "", ""};
    }
    Arrival arrival;
    arrival.link = std::make_unique<ProcessParty>(process::Channel(std::move(answer->second[0])),
                                                  process::ProcessTree(pid->get<pid_t>(), text_at(message, "cgroup")));
    const auto layers = message.find("sandbox_missing");
    if (layers != message.end() && layers->is_array()) {
      for (const Json& layer : *layers) {
        if (layer.is_string()) arrival.sandbox_missing.push_back(layer.get<std::string>());
      }
    }
    return arrival;
  }
}

void SupervisorSource::ended(Party party) {
  const Status ignored = supervisor_.send_json(Json{{"kind", "party-ended"}, {"party", name_of(party)}});
  (void)ignored;  // a supervisor that is gone needs no telling
}

std::optional<Error> SupervisorSource::cause_of_death(Party party) {
  const std::string name = name_of(party);
  const auto deadline = std::chrono::steady_clock::now() + kDeathNotice;
  while (deaths_.find(name) == deaths_.end()) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return std::nullopt;
    auto message = supervisor_.receive_json(left);
    if (!message) return std::nullopt;
    keep_death(message->first);
  }
  return deaths_.at(name);
}

void SupervisorSource::progress(int done, int of, const std::string& what) {
  const Status ignored = supervisor_.send_json(Json{{"kind", "progress"}, {"done", done}, {"of", of}, {"what", what}});
  (void)ignored;
}

}  // namespace kernel_audit::eval
