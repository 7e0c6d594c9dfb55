#include "auditor/executor/lint_stage.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "analysis/extract_client.h"
#include "auditor/core/cores.h"
#include "auditor/executor/interrupt.h"
#include "auditor/executor/lint_cache.h"
#include "auditor/executor/paths.h"

namespace kernel_audit::executor {
namespace {

const char* language_name(tasks::Language language) {
  switch (language) {
    case tasks::Language::kPython:
      return "python";
    case tasks::Language::kCuda:
      return "cuda";
    case tasks::Language::kCpp:
      break;
  }
  return "cpp";
}

analysis::ExtractRequest request_of(const tasks::Candidate& candidate) {
  analysis::ExtractRequest request;
  request.name = candidate.name;
  for (const tasks::SourceFile& file : candidate.files) {
    request.files.push_back(
        {file.file, file.path.empty() ? file.file : file.path, language_name(file.language), file.text});
  }
  return request;
}

int job_count(int asked, std::size_t items) {
  const int jobs = asked > 0 ? asked : usable_cores();
  return static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(jobs), std::max<std::size_t>(1, items)));
}

// The candidates of one `lint`, handed to the jobs one by one.
class LintRun {
 public:
  LintRun(const std::vector<const tasks::Candidate*>& candidates, const analysis::ExtractOptions& extract,
          const LintCache* cache, const Policy& policy, terminal::Progress& progress)
      : candidates_(candidates), extract_(extract), cache_(cache), policy_(policy), progress_(progress) {
    results_.resize(candidates.size());
  }

  Result<std::vector<Linted>> run(int jobs) {
    std::vector<std::thread> threads;
    for (int i = 1; i < jobs; ++i) threads.emplace_back([this] { work(); });
    work();
    for (std::thread& thread : threads) thread.join();
    if (failure_) return *failure_;
    return std::move(results_);
  }

 private:
  void work() {
    analysis::Extractor extractor(extract_);
    bool started = false;  // only when the cache lacks something
    while (!interrupted()) {
      const std::size_t index = next_++;
      if (index >= candidates_.size()) return;
      const tasks::Candidate& candidate = *candidates_[index];
      Linted& linted = results_[index];
      std::optional<analysis::AnalysisResult> known = cache_ == nullptr ? std::nullopt : cache_->find(candidate);
      if (known) {
        linted.result = std::move(*known);
      } else {
        if (!started) {
          if (Status status = extractor.start(); !status) return fail(status.error());
        }
        started = true;
        lint(extractor, candidate, linted);
        if (cache_ != nullptr && !linted.fault) cache_->store(candidate, linted.result);
      }
      linted.done = true;
      const std::lock_guard lock(mutex_);
      progress_.end_item(candidate.name, linted.fault ? to_string(linted.fault->kind) : "ok");
    }
  }

  void lint(analysis::Extractor& extractor, const tasks::Candidate& candidate, Linted& linted) const {
    const Result<analysis::facts::Facts> facts = extractor.extract(request_of(candidate));
    if (facts) {
      linted.result = analysis::analyze(*facts, policy_);
    } else {
      linted.fault = facts.error();
    }
  }

  // No extractor for this job: what it took is lost, so the whole run fails.
  void fail(const Error& error) {
    const std::lock_guard lock(mutex_);
    failure_ = error;
    next_ = candidates_.size();
  }

  const std::vector<const tasks::Candidate*>& candidates_;
  const analysis::ExtractOptions& extract_;
  const LintCache* cache_;
  const Policy& policy_;
  terminal::Progress& progress_;
  std::mutex mutex_;  // guards progress_ and failure_
  std::atomic<std::size_t> next_{0};
  std::optional<Error> failure_;
  std::vector<Linted> results_;  // each job writes its own elements
};

}  // namespace

Result<std::vector<Linted>> lint_all(const std::vector<const tasks::Candidate*>& candidates, const LintOptions& options,
                                     const Policy& policy, terminal::Progress& progress) {
  Result<std::string> binary = sibling_binary("kernel-audit-extract");
  if (!binary) return binary.error();
  analysis::ExtractOptions extract;
  extract.binary = *binary;
  extract.python = options.python;
  std::optional<LintCache> cache;
  if (!options.cache.empty()) {
    Result<LintCache> opened = LintCache::open(options.cache, *binary, options.python, policy);
    if (!opened) return opened.error();
    cache = std::move(*opened);
  }
  progress.start("lint", static_cast<int>(candidates.size()));
  LintRun run(candidates, extract, cache ? &*cache : nullptr, policy, progress);
  Result<std::vector<Linted>> results = run.run(job_count(options.jobs, candidates.size()));
  progress.finish();
  return results;
}

Status extract_all(Session& session, const std::vector<LintWork>& work, const std::string& python, int jobs) {
  if (work.empty()) return Ok{};
  Result<std::string> binary = sibling_binary("kernel-audit-extract");
  if (!binary) return binary.error();
  analysis::ExtractOptions options;
  options.binary = *binary;
  options.python = python;
  options.processes = job_count(jobs, work.size());
  std::vector<analysis::ExtractRequest> requests;
  for (const LintWork& item : work) requests.push_back(request_of(*item.candidate));

  session.progress().start("lint", static_cast<int>(work.size()));
  Status recorded = Ok{};
  const Status extracted = analysis::extract_candidates(
      options, requests, [&](std::size_t index, const Result<analysis::facts::Facts>& answer) {
        StageRecord record;
        if (answer) {
          record.evidence = *answer;
        } else {
          record = fault_record(answer.error());
        }
        const std::string outcome = record.status;
        recorded = session.record(Stage::kAnalysis, work[index].key, std::move(record));
        session.progress().end_item(work[index].candidate->name, outcome);
        return recorded.ok() && !interrupted();
      });
  session.progress().finish();
  return extracted.ok() ? recorded : extracted;
}

}  // namespace kernel_audit::executor
