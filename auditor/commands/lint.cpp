// `kernel-audit lint`: candidates from files, folders, patterns, records or standard input; without --out nothing is
// kept but what --cache and --write-baseline name.
#include <glob.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <iostream>

#include "auditor/commands/baseline.h"
#include "auditor/commands/measure.h"
#include "auditor/commands/output.h"
#include "auditor/executor/interrupt.h"
#include "auditor/executor/lint_stage.h"
#include "auditor/executor/report_builder.h"
#include "tasks/loaders/loader.h"
#include "tasks/loaders/text_file.h"

namespace kernel_audit::commands {
namespace {

std::string now_text() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

// A pattern that the shell left alone; what exists as it is written is no pattern.
std::vector<std::string> expanded(const std::string& path) {
  std::error_code ignored;
  if (path.find_first_of("*?[") == std::string::npos || std::filesystem::exists(path, ignored)) return {path};
  std::vector<std::string> found;
  glob_t matches{};
  if (::glob(path.c_str(), 0, nullptr, &matches) == 0)
    found.assign(matches.gl_pathv, matches.gl_pathv + matches.gl_pathc);
  ::globfree(&matches);
  return found;  // empty: nothing matches
}

Result<tasks::Candidate> candidate_of_stdin(const std::string& name) {
  const auto refused = [](const std::string& message, const std::string& remedy) {
    return Error{ErrorKind::kUsage, message, "standard input", "--stdin", remedy};
  };
  tasks::SourceFile file;
  file.file = file.path = name;
  file.language = *tasks::language_of(name);
  const std::size_t most = tasks::Limits{}.source_bytes;
  for (char c; file.text.size() <= most && std::cin.get(c);) file.text += c;
  if (file.text.empty()) return refused("nothing came in", "for example kernel-audit lint --stdin < kernel.py");
  if (file.text.size() > most)
    return refused("more than " + std::to_string(most) + " bytes came in", "split the source");
  if (const auto fault = tasks::text_fault(file.text)) return refused(*fault, "save the file as UTF-8 text");
  tasks::Candidate candidate;
  candidate.name = std::filesystem::path(name).stem().string();
  candidate.files.push_back(std::move(file));
  candidate.code_sha256 = tasks::code_digest(candidate.files);
  return candidate;
}

// What --only-candidates takes for a file that a hook names; folders and records say themselves what they hold.
bool is_source_file(const std::string& path) {
  std::error_code ignored;
  const std::string ending = std::filesystem::path(path).extension().string();
  return std::filesystem::is_regular_file(path, ignored) && ending != ".json" && ending != ".jsonl";
}

Status load_named(const std::vector<std::string>& paths, Options& options, Inputs& inputs,
                  std::vector<WorkItem>& unread) {
  std::vector<std::string> sources;
  const auto take = [&](Result<tasks::CandidateSet> loaded) -> Status {
    if (!loaded) return loaded.error();
    list_problems(loaded->problems, false, unread);
    for (tasks::Candidate& candidate : loaded->candidates) inputs.candidates.candidates.push_back(std::move(candidate));
    inputs.candidates.left_out = std::move(loaded->left_out);
    return Ok{};
  };
  for (const std::string& path : paths) {
    if (options.only_candidates && is_source_file(path)) {
      sources.push_back(path);
    } else if (Status taken = take(tasks::load_candidates(path, options.load)); !taken) {
      return taken;
    }
  }
  return sources.empty() ? Ok{} : take(tasks::load_candidates_with(sources, options.load));
}

Status load(Options& options, Inputs& inputs) {
  std::vector<tasks::Candidate>& candidates = inputs.candidates.candidates;
  std::vector<WorkItem> unread;  // what could not be loaded is listed as not-run
  if (options.from_stdin) {
    Result<tasks::Candidate> given = candidate_of_stdin(options.stdin_filename);
    if (!given) return given.error();
    candidates.push_back(std::move(*given));
  }
  std::vector<std::string> paths;
  for (const std::string& named : options.candidates) {
    const std::vector<std::string> matches = expanded(named);
    if (matches.empty()) return Error{ErrorKind::kUsage, "nothing matches this pattern", named, "", "check the path"};
    paths.insert(paths.end(), matches.begin(), matches.end());
  }
  if (Status loaded = load_named(paths, options, inputs, unread); !loaded) return loaded;
  for (const tasks::Candidate& candidate : candidates) {
    WorkItem item{executor::item_of(nullptr, &candidate), nullptr, &candidate};
    // A record without code is not there to be linted; `run` lists it as not-run.
    if (item.planned.note.empty()) inputs.items.push_back(std::move(item));
  }
  const std::size_t skipped = candidates.size() - inputs.items.size();
  if (skipped != 0) std::cerr << "kernel-audit: note: " << skipped << " records hold no code\n";
  if (inputs.items.empty() && inputs.candidates.left_out.empty()) {
    return Error{ErrorKind::kUsage, "there is no candidate among the inputs",
                 options.candidates.empty() ? "" : options.candidates.front(), "", "name a .py, .cu or .cpp file"};
  }
  inputs.items.insert(inputs.items.end(), unread.begin(), unread.end());
  return Ok{};
}

// The same report once more without what it holds: what is left is noted first, then left out.
void note_all(const reports::Report& report, Baseline& baseline) {
  for (const reports::Item& item : report.items) {
    for (const reports::StageResult& stage : item.stages) {
      for (const Finding& finding : stage.findings) baseline.add(finding, report.sources);
    }
  }
}

int lint_at_once(Options& options, Inputs& inputs) {
  Result<Policy> policy = load_policy(options.policy, options.policy_settings);
  if (!policy) return usage_error(policy.error());
  std::optional<Baseline> baseline;
  if (!options.baseline.empty()) {
    Result<Baseline> read = Baseline::read(options.baseline);
    if (!read) return usage_error(read.error());
    baseline = std::move(*read);
  }
  executor::Plan plan;
  plan.command = "lint";
  std::vector<const tasks::Candidate*> candidates;
  Baseline::Sources sources;
  for (const WorkItem& item : inputs.items) {
    plan.items.push_back(item.planned);
    if (item.candidate == nullptr) continue;  // could not be loaded; these come last
    candidates.push_back(item.candidate);
    for (const tasks::SourceFile& file : item.candidate->files) sources[file.file] = file.text;
  }
  // A linter in an editor or a hook is quiet: progress is for a person who waits.
  const auto progress = terminal::make_progress(STDERR_FILENO, options.quiet || ::isatty(STDERR_FILENO) == 0);
  Result<std::vector<executor::Linted>> linted =
      executor::lint_all(candidates, {options.python, options.jobs, options.cache}, *policy, *progress);
  if (!linted) return usage_error(linted.error());

  const auto report_without = [&](std::optional<Baseline>& known) {
    executor::LintView view;
    view.results = &*linted;
    view.set_aside.select = options.select;
    view.set_aside.ignore = options.ignore;
    if (known) view.set_aside.in_baseline = [&](const Finding& finding) { return known->take(finding, sources); };
    reports::Report report = executor::build_report(plan, executor::host_environment(), {}, *policy, view);
    report.sources = sources;
    report.started = now_text();
    return report;
  };
  if (!options.write_baseline.empty()) {
    std::optional<Baseline> none;
    Baseline fresh(options.write_baseline);
    note_all(report_without(none), fresh);
    if (Status written = fresh.write(); !written) return usage_error(written.error());
    baseline = std::move(fresh);
  }
  reports::Report report = report_without(baseline);
  if (const std::size_t left = inputs.candidates.left_out.size(); left > 0) {
    report.notes.push_back(left == 1 ? inputs.candidates.left_out.front() + " is part of no candidate and was left out."
                                     : std::to_string(left) + " files are part of no candidate and were left out.");
  }
  if (baseline && baseline->unused() > 0) {
    report.notes.push_back(std::to_string(baseline->unused()) +
                           " findings of the baseline are no longer there; write it anew to forget them.");
  }
  return finish(report, "", options.format, executor::interrupted());
}

}  // namespace

int lint_command(const Arguments& arguments) {
  OptionGroups groups;
  groups.candidates = groups.lint = true;
  groups.positional = "candidates";
  const HelpText help{"lint CANDIDATES… [OPTIONS]",
                      "Static analysis of candidates (Python, CUDA, C++, also embedded in Python): framework "
                      "fallbacks, cached results, side\n"
                      "streams. Verdicts: cheat, inconclusive, review, clean. Runs no code of the candidate and needs "
                      "neither torch nor a GPU.\n"
                      "A comment `# kernel-audit: allow KA301 reason` (or `// …`) sets a finding of its line aside.",
                      "  kernel-audit lint my_kernel.py\n"
                      "  kernel-audit lint runs/my_run/ --format sarif > results.sarif\n"
                      "  kernel-audit lint 'kernels/*.py' --select KA2,KA3 --baseline lint-baseline.json\n"
                      "  kernel-audit lint --stdin --stdin-filename kernel.cu < kernel.cu\n"
                      "  kernel-audit lint cuda_l1/a100.jsonl --level 1 --out out\n"};
  Result<std::optional<Options>> parsed = parse_options(arguments, groups, help);
  if (!parsed) return usage_error(parsed.error());
  if (!parsed->has_value()) return 0;
  Options& options = **parsed;
  if (options.candidates.empty() && !options.from_stdin) {
    return usage_error(
        {ErrorKind::kUsage, "no candidates were named", "", "CANDIDATES", "name files, folders or JSONL"});
  }
  for (const auto& [name, given] : {std::pair("--baseline", !options.baseline.empty()),
                                    {"--write-baseline", !options.write_baseline.empty()},
                                    {"--cache", !options.cache.empty()},
                                    {"--select", !options.select.empty()},
                                    {"--ignore", !options.ignore.empty()}}) {
    if (options.out.empty() || !given) continue;
    return usage_error({ErrorKind::kUsage, "the journal of --out holds everything that is found", "", name,
                        "leave out one of the two"});
  }
  Inputs inputs;
  if (Status loaded = load(options, inputs); !loaded) return usage_error(loaded.error());
  if (options.out.empty() || inputs.items.empty()) return lint_at_once(options, inputs);
  return measure("lint", {.lint = true}, options, inputs);
}

}  // namespace kernel_audit::commands
