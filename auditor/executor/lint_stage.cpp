#include "auditor/executor/lint_stage.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
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

// The candidates of one `lint`, handed to the jobs one by one. Rules cannot be stopped: after an interrupt, jobs that
// are still at work are left to the end of the process, and touch nothing of their caller's any more.
class LintRun : public std::enable_shared_from_this<LintRun> {
 public:
  LintRun(const std::vector<const tasks::Candidate*>& candidates, analysis::ExtractOptions extract,
          std::optional<LintCache> cache, const Policy& policy, terminal::Progress& progress)
      : candidates_(candidates),
        extract_(std::move(extract)),
        cache_(std::move(cache)),
        policy_(policy),
        progress_(progress),
        results_(candidates.size()) {}

  Result<std::vector<Linted>> run(int jobs) {
    std::vector<std::thread> threads;
    running_ = jobs;
    for (int i = 0; i < jobs; ++i) threads.emplace_back([self = shared_from_this()] { self->work_to_the_end(); });
    std::unique_lock lock(mutex_);
    std::optional<Clock::time_point> last;
    while (running_ > 0 && !abandoned_) {
      ended_.wait_for(lock, kTick);
      if (interrupted() && !last) last = Clock::now() + kGrace;
      abandoned_ = last && Clock::now() >= *last;
    }
    std::vector<Linted> results = std::move(results_);
    const std::optional<Error> failure = failure_;
    const bool all = running_ == 0;
    lock.unlock();
    for (std::thread& thread : threads) all ? thread.join() : thread.detach();
    if (failure) return *failure;
    return results;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kTick{50}, kGrace{300};

  void work_to_the_end() {
    work();
    const std::lock_guard lock(mutex_);
    --running_;
    ended_.notify_one();
  }

  void work() {
    analysis::Extractor extractor(extract_);
    bool started = false;  // only when the cache lacks something
    while (!interrupted()) {
      const std::size_t index = next_++;
      if (index >= candidates_.size()) return;
      const tasks::Candidate& candidate = *candidates_[index];
      Linted linted;
      std::optional<analysis::AnalysisResult> known = cache_ ? cache_->find(candidate) : std::nullopt;
      if (known) {
        linted.result = std::move(*known);
      } else {
        if (!started) {
          if (Status status = extractor.start(); !status) return fail(status.error());
        }
        started = true;
        lint(extractor, candidate, linted);
        if (interrupted()) return;  // the fault may be of the interrupt, the candidate may be gone
        if (cache_ && !linted.fault) cache_->store(candidate, linted.result);
      }
      linted.done = true;
      const std::lock_guard lock(mutex_);
      if (abandoned_) return;
      progress_.end_item(candidate.name, linted.fault ? to_string(linted.fault->kind) : "ok");
      results_[index] = std::move(linted);
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

  const std::vector<const tasks::Candidate*> candidates_;
  const analysis::ExtractOptions extract_;
  const std::optional<LintCache> cache_;
  const Policy policy_;
  terminal::Progress& progress_;
  std::mutex mutex_;  // guards all below but next_
  std::condition_variable ended_;
  int running_ = 0;
  bool abandoned_ = false;
  std::optional<Error> failure_;
  std::vector<Linted> results_;
  std::atomic<std::size_t> next_{0};
};

}  // namespace

Result<std::vector<Linted>> lint_all(const std::vector<const tasks::Candidate*>& candidates, const LintOptions& options,
                                     const Policy& policy, terminal::Progress& progress) {
  Result<std::string> binary = sibling_binary("kernel-audit-extract");
  if (!binary) return binary.error();
  analysis::ExtractOptions extract;
  extract.binary = *binary;
  extract.python = options.python;
  extract.cancelled = interrupted;
  std::optional<LintCache> cache;
  if (!options.cache.empty()) {
    Result<LintCache> opened = LintCache::open(options.cache, *binary, options.python, policy);
    if (!opened) return opened.error();
    cache = std::move(*opened);
  }
  progress.start("lint", static_cast<int>(candidates.size()));
  const auto run = std::make_shared<LintRun>(candidates, extract, std::move(cache), policy, progress);
  Result<std::vector<Linted>> results = run->run(job_count(options.jobs, candidates.size()));
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
  options.cancelled = interrupted;
  std::vector<analysis::ExtractRequest> requests;
  for (const LintWork& item : work) requests.push_back(request_of(*item.candidate));

  session.progress().start("lint", static_cast<int>(work.size()));
  Status recorded = Ok{};
  const Status extracted = analysis::extract_candidates(
      options, requests, [&](std::size_t index, const Result<analysis::facts::Facts>& answer) {
        StageRecord record;
        if (interrupted() && !answer) return false;  // called off: no fault of the candidate
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
