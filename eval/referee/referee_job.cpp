// Job "referee": reads the job, loads the reference, runs the session, returns evidence and seeds.
#include <algorithm>
#include <cmath>
#include <memory>

#include "auditor/core/cores.h"
#include "auditor/process/device_turns.h"
#include "auditor/worker/device_identity.h"
#include "auditor/worker/interpreter.h"
#include "eval/referee/job.h"
#include "eval/referee/plan.h"
#include "eval/referee/process_party.h"
#include "eval/referee/session.h"
#include "eval/referee/torch_reference.h"

namespace kernel_audit::eval {
namespace {

struct Settings {
  std::string device = "cpu", compat = "kernelbench", mode = "train";
  int device_index = 0, threads = 0;
  Json task, candidate;
  double time_budget_s = 20, load_timeout_s = 120, call_timeout_s = 60;
  std::uint64_t memory_budget_bytes = 0;
  std::optional<std::uint64_t> replay_seed;
};

Result<Settings> read_settings(const Json& job) {
  try {
    Settings settings;
    settings.device = job.at("device").get<std::string>();
    settings.device_index = job.value("device_index", 0);
    settings.compat = job.value("compat", settings.compat);
    settings.mode = job.value("mode", settings.mode);
    settings.task = job.at("task");
    settings.candidate = job.at("candidate");
    settings.task.at("module").get<std::string>();
    settings.candidate.at("module").get<std::string>();
    const Json options = job.value("options", Json::object());
    settings.time_budget_s = options.value("time_budget_s", settings.time_budget_s);
    settings.load_timeout_s = options.value("load_timeout_s", settings.load_timeout_s);
    settings.call_timeout_s = options.value("call_timeout_s", settings.call_timeout_s);
    settings.threads = options.value("threads", 0);
    const std::uint64_t standard = std::uint64_t{settings.device == "cuda" ? 16u : 2u} << 30;
    settings.memory_budget_bytes = options.value("memory_budget_bytes", standard);
    if (options.contains("replay_seed")) settings.replay_seed = options.at("replay_seed").get<std::uint64_t>();
    const bool good = (settings.device == "cpu" || settings.device == "cuda") && settings.time_budget_s > 0 &&
                      settings.load_timeout_s > 0 && settings.call_timeout_s > 0 &&
                      (settings.mode == "train" || settings.mode == "eval");
    if (good) return settings;
  } catch (const Json::exception& e) {
    return Error{ErrorKind::kProtocol, std::string("The job of the referee is malformed: ") + e.what(), "", "job", ""};
  }
  return Error{ErrorKind::kProtocol,
               "The job of the referee names an unknown device or mode, or an option out of range.", "", "job", ""};
}

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::min(seconds, 1e6) * 1e3));
}

Result<std::unique_ptr<worker::Device>> make_device(const Settings& settings) {
  if (settings.device == "cuda") return worker::make_cuda_device(settings.device_index);
  return worker::make_cpu_device();
}

// One core is the referee's, which busy-polls while a party computes.
int party_threads(const Settings& settings) {
  const int cores = settings.threads > 0 ? settings.threads : usable_cores();
  return std::max(1, cores - 1);
}

Result<Json> evaluate(const Json& job, process::Channel& supervisor) {
  Result<Settings> settings = read_settings(job);
  if (!settings) return settings.error();
  Result<Secrets> secrets =
      settings->replay_seed ? Secrets::from_replay_seed(*settings->replay_seed) : Secrets::from_kernel();
  if (!secrets) return secrets.error();
  auto device = make_device(*settings);
  if (!device) return device.error();
  if (Status shared = (*device)->check_sharing(); !shared) return shared.error();
  worker::set_threads(party_threads(*settings));

  TorchReferenceOptions options;
  options.module_path = settings->task.at("module").get<std::string>();
  options.class_name = settings->task.value("class", options.class_name);
  options.device = settings->device == "cuda" ? "cuda:" + std::to_string(settings->device_index) : "cpu";
  options.compat = settings->compat;
  options.training = settings->mode == "train";
  // Known to the candidate, and drawn apart from what is not. 32 bits fit every generator's seed.
  options.weight_seed = secrets->next("weights") & 0x7fffffff;
  options.probe_seed = secrets->next("describe");
  SteadyClock clock;
  process::DeviceTurns turns = turns_on(settings->device, settings->device_index, supervisor);
  turns.work();
  const double load_start = clock.now_ns();
  auto reference = TorchReference::load(options);
  if (!reference) return reference.error();
  const std::uint64_t least = kCopiesPerCall * (*reference)->call_bytes();
  if (least > settings->memory_budget_bytes) {
    return Error{ErrorKind::kMemory,
                 "One call with its copies takes " + std::to_string(least) + " bytes, " +
                     std::to_string(settings->memory_budget_bytes) + " are allowed.",
                 "", "task", ""};
  }

  EvalEvidence known;
  known.phases.push_back({"wait for the device", 1e9 * turns.waited_s()});
  known.phases.push_back({"load reference", clock.now_ns() - load_start});
  const Json interpreter = worker::describe_interpreter();
  known.torch_version = interpreter.value("torch", "");
  known.device = settings->device == "cpu" ? "cpu" : (*device)->name();
  known.compat = settings->compat;
  known.atol = (*reference)->tolerance().atol;
  known.rtol = (*reference)->tolerance().rtol;
  known.outputs_vary_for_equal_input = (*reference)->varies();
  known.not_comparable = (*reference)->not_comparable();

  SessionOptions session;
  session.candidate_setup = settings->candidate;
  session.baseline_setup = settings->task;
  if (!session.baseline_setup.contains("class")) session.baseline_setup["class"] = options.class_name;
  if (!session.candidate_setup.contains("class")) session.candidate_setup["class"] = "ModelNew";
  session.common_setup = {{"device", settings->device},
                          {"device_index", settings->device_index},
                          {"init_args", (*reference)->init_arguments()},
                          {"mode", settings->mode},
                          {"flags", {{"threads", party_threads(*settings)}}}};
  session.weight_seed = options.weight_seed;
  session.time_budget_ns = settings->time_budget_s * 1e9;
  session.memory_budget_bytes = settings->memory_budget_bytes;
  session.timeouts = {milliseconds(settings->load_timeout_s), milliseconds(settings->call_timeout_s)};

  SupervisorSource source(supervisor, session.timeouts.load + std::chrono::minutes(1));
  Result<EvalEvidence> evidence =
      run_session(session, {**device, clock, **reference, source, *secrets, turns}, std::move(known));
  if (!evidence) return evidence.error();
  return Json{
      {"kind", "result"},
      {"evidence", Json(*evidence)},
      {"seeds",
       {{"weight_seed", options.weight_seed}, {"secret", secrets->key_hex()}, {"replayed", secrets->replayed()}}}};
}

}  // namespace

process::DeviceTurns turns_on(const std::string& device, int index, process::Channel& supervisor) {
  // A supervisor that is gone is noticed by what is said to it next.
  process::DeviceTurns turns([&supervisor](const Json& message) { static_cast<void>(supervisor.send_json(message)); });
  turns.open(worker::device_identity(device, index));
  return turns;
}

Status run_referee_job(const Json& job, process::Channel& supervisor) {
  return send_last(supervisor, evaluate(job, supervisor));
}

}  // namespace kernel_audit::eval
