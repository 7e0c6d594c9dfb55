#include "auditor/executor/session.h"

#include <unistd.h>

#include <filesystem>

namespace kernel_audit::executor {
namespace {

namespace fs = std::filesystem;

Status set_old_journal_aside(const fs::path& path) {
  std::error_code problem;
  if (!fs::exists(path, problem)) return Ok{};
  for (int number = 1;; ++number) {
    const fs::path aside = path.parent_path() / ("journal." + std::to_string(number) + ".jsonl");
    if (fs::exists(aside, problem)) continue;
    fs::rename(path, aside, problem);
    if (problem)
      return Error{ErrorKind::kTool, "the old journal could not be moved: " + problem.message(), path.string(), "", ""};
    return Ok{};
  }
}

}  // namespace

StageRecord fault_record(const Error& error) {
  StageRecord record;
  record.status = to_string(error.kind);
  record.evidence = {{"message", error.describe()}};
  return record;
}

Result<std::unique_ptr<Session>> Session::open(const SessionOptions& options) {
  std::unique_ptr<Session> session(new Session(options));
  Result<Workspace> workspace = Workspace::create();
  if (!workspace) return workspace.error();
  session->workspace_.emplace(std::move(*workspace));
  const fs::path folder = options.out.empty() ? session->workspace_->root() : options.out;
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) {
    return Error{ErrorKind::kUsage, "the output folder could not be made: " + problem.message(), options.out, "--out",
                 "name a writable folder"};
  }
  const fs::path path = folder / "journal.jsonl";
  if (options.fresh) {
    if (Status status = set_old_journal_aside(path); !status) return status.error();
  }
  Result<journal::Journal> journal = journal::Journal::open(path.string());
  if (!journal) return journal.error();
  session->journal_.emplace(std::move(*journal));
  session->progress_ = terminal::make_progress(STDERR_FILENO, options.quiet);
  session->environment = host_environment();
  return session;
}

Result<std::string> Session::resolve_device(const std::string& wanted) {
  Result<Zygote*> zygote = zygotes.trusted();
  if (!zygote) return zygote.error();
  const Json& hello = (*zygote)->hello();
  const bool usable = hello.value("cuda_usable", false);
  if (wanted == "cuda" && !usable) {
    return Error{ErrorKind::kTool,
                 "CUDA cannot be used: " + hello.value("cuda_missing", std::string("no reason given")), "", "--device",
                 "see kernel-audit doctor, or use --device cpu"};
  }
  const std::string device = wanted == "auto" ? (usable ? "cuda" : "cpu") : wanted;
  note_worker(environment, hello, device);
  return device;
}

Status Session::begin(const Plan& plan) {
  journal::Record record;
  record.kind = "plan";
  record.status = "ok";
  record.evidence = to_json(plan, environment);
  return journal_->append(std::move(record));
}

bool Session::done(Stage stage, const Key& key) const {
  const journal::Record* last = journal_->last(stage, key);
  return last != nullptr && (last->status == "ok" || !options_.retry);
}

Status Session::record(Stage stage, const Key& key, StageRecord stage_record) {
  journal::Record record;
  record.kind = "evidence";
  record.stage = stage;
  record.key = key;
  record.status = std::move(stage_record.status);
  record.evidence = std::move(stage_record.evidence);
  if (Status status = journal_->append(std::move(record)); !status) return status;
  if (stage_record.seeds.is_null()) return Ok{};
  // Seeds are secret while an item runs; they are written when it has ended.
  journal::Record seeds;
  seeds.kind = "seeds";
  seeds.stage = stage;
  seeds.key = key;
  seeds.status = "ok";
  seeds.evidence = std::move(stage_record.seeds);
  return journal_->append(std::move(seeds));
}

Status Session::note(Json evidence) {
  journal::Record record;
  record.kind = "note";
  record.status = "ok";
  record.evidence = std::move(evidence);
  return journal_->append(std::move(record));
}

}  // namespace kernel_audit::executor
