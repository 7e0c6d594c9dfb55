#include "auditor/executor/party_host.h"

#include <filesystem>

#include "auditor/executor/limits.h"

namespace kernel_audit::executor {
namespace {

// A referee loads every party, measures and checks every output: a multiple of one stage's limit.
constexpr int kRefereeWallFactor = 5;

std::vector<std::string> missing_layers() {
  std::vector<std::string> missing;
  for (const sandbox::LayerState& layer : sandbox::probe_sandbox().layers) {
    if (!layer.active) missing.push_back(std::string(sandbox::to_string(layer.layer)) + ": " + layer.detail);
  }
  return missing;
}

}  // namespace

Error with_standard_error(Error error, const Worker& worker) {
  if (const std::string text = worker.standard_error(); !text.empty()) error.message += "; it said: " + text;
  return error;
}

PartyHost::PartyHost(ZygotePair& zygotes, const Workspace& workspace, const MeasureOptions& options, PartyFiles files)
    : zygotes_(zygotes),
      workspace_(workspace),
      options_(options),
      files_(std::move(files)),
      sandbox_missing_(missing_layers()) {}

PartyHost::~PartyHost() {
  parties_.clear();
  std::error_code ignored;
  for (const std::string& folder : private_folders_) std::filesystem::remove_all(folder, ignored);
}

sandbox::SandboxPolicy PartyHost::policy(const Json& hello, const std::string& folder,
                                         const std::string& private_tmp) const {
  sandbox::SandboxPolicy policy;
  policy.gpu = options_.device == "cuda";
  policy.readable = sandbox::default_readable(hello.value("python_executable", ""), policy.gpu);
  if (!folder.empty()) policy.readable.push_back(folder);
  policy.writable = {private_tmp};
  policy.private_tmp = private_tmp;
  policy.max_resident_bytes = worker_limits(options_).resident_bytes;
  return policy;
}

Result<Json> PartyHost::serve(Json job, const ProgressFunction& progress) {
  Result<Zygote*> zygote = zygotes_.trusted();
  if (!zygote) return zygote.error();
  WorkerRequest request;
  request.name = "referee";
  request.limits = worker_limits(options_);
  request.limits.wall *= kRefereeWallFactor;
  request.job = std::move(job);
  Result<Worker> referee = (*zygote)->fork(std::move(request));
  if (!referee) return referee.error();
  while (true) {
    Result<Json> message = referee->receive();
    if (!message) return with_standard_error(message.error(), *referee);
    const std::string kind = message->value("kind", "");
    const std::string party = message->value("party", "");
    if (kind == "need-party") {
      if (Status sent = answer_need(referee->channel(), party); !sent)
        return with_standard_error(sent.error(), *referee);
    } else if (kind == "party-ended") {
      parties_.erase(party);
    } else if (kind == "waiting" || kind == "going-on") {
      referee->hold_clock(kind == "waiting");
      progress(kind == "waiting" ? "waiting for the device" : "going on");
    } else if (kind == "progress") {
      progress(message->value("what", ""));
    } else {
      return message;
    }
  }
}

// Sends the party's process and channel, or why it could not be started.
Status PartyHost::answer_need(process::Channel& referee, const std::string& party) {
  auto ends = process::Channel::make_pair();
  if (!ends) return ends.error();
  Result<Worker> worker = start_party(party, std::move(ends->second));
  if (!worker) {
    return referee.send_json(
        {{"kind", "party"},
         {"error", {{"kind", to_string(worker.error().kind)}, {"message", worker.error().describe()}}}});
  }
  const Json answer = {{"kind", "party"},
                       {"party", party},
                       {"pid", worker->pid()},
                       {"cgroup", worker->cgroup()},
                       {"sandbox_missing", sandbox_missing_}};
  parties_.erase(party);
  parties_.emplace(party, std::move(*worker));
  return referee.send_json(answer, {ends->first.fd()});
}

Result<Worker> PartyHost::start_party(const std::string& party, process::Channel channel) {
  const bool untrusted = party == "candidate";
  Result<Zygote*> zygote = untrusted ? zygotes_.candidate() : zygotes_.trusted();
  if (!zygote) return zygote.error();
  Result<std::string> private_tmp =
      untrusted ? workspace_.restored(files_.build_snapshot, files_.build_folder) : workspace_.private_folder(party);
  if (!private_tmp) return private_tmp.error();
  private_folders_.push_back(*private_tmp);
  std::string folder;
  if (untrusted) folder = files_.candidate_folder;
  if (party == "baseline") folder = std::filesystem::path(files_.task).parent_path().string();
  WorkerRequest request;
  request.name = party;
  request.limits = worker_limits(options_);
  request.limits.wall = std::chrono::milliseconds(0);  // the referee keeps the time of its parties
  request.sandbox = policy((*zygote)->hello(), folder, *private_tmp);
  request.job = {{"kind", "party"}, {"role", party}, {"device", options_.device}};
  request.worker_end = std::move(channel);
  return (*zygote)->fork(std::move(request));
}

}  // namespace kernel_audit::executor
