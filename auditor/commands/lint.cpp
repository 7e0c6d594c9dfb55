// `kernel-audit lint`: candidates from files, folders, patterns, records or standard input; without --out nothing is
// kept but what --cache and --write-baseline name.
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <set>

#include "auditor/commands/baseline.h"
#include "auditor/commands/measure.h"
#include "auditor/commands/output.h"
#include "auditor/commands/path_pattern.h"
#include "auditor/commands/rule_catalogue.h"
#include "auditor/executor/interrupt.h"
#include "auditor/executor/lint_stage.h"
#include "auditor/executor/report_builder.h"
#include "reports/text/printable.h"
#include "reports/text/source_place.h"
#include "tasks/loaders/loader.h"
#include "tasks/loaders/text_file.h"

namespace kernel_audit::commands {
namespace {

namespace fs = std::filesystem;

std::string now_text() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

// What is named, patterns replaced by what they match, each once; what exists as it is written is no pattern.
Result<std::vector<std::string>> named_paths(const std::vector<std::string>& named) {
  std::vector<std::string> paths;
  std::set<std::string> seen;
  std::error_code ignored;
  for (const std::string& name : named) {
    if (name == "-" && !fs::exists(name, ignored))
      return Error{ErrorKind::kUsage, "standard input is not read by this name", name, "", "use --stdin"};
    const bool pattern = is_pattern(name) && !fs::exists(name, ignored);
    const std::vector<std::string> matches = pattern ? paths_matching(name) : std::vector<std::string>{name};
    if (matches.empty()) return Error{ErrorKind::kUsage, "nothing matches this pattern", name, "", "check the path"};
    for (const std::string& path : matches) {
      if (seen.insert(path.empty() ? path : fs::absolute(path, ignored).lexically_normal().string()).second)
        paths.push_back(path);
    }
  }
  return paths;
}

// The same source, by whatever name and way it was given, is linted once.
void drop_repeated(std::vector<tasks::Candidate>& candidates) {
  std::set<std::string> seen;
  std::erase_if(candidates, [&](const tasks::Candidate& candidate) {
    if (candidate.files.empty()) return false;
    const reports::ArtifactName name = reports::artifact_of(candidate.files.front().file);
    std::error_code ignored;
    const std::string real = fs::weakly_canonical(name.path, ignored).string();
    return !seen.insert(real + '\n' + name.inner + '\n' + candidate.code_sha256).second;
  });
}

// Up to `most` bytes; less after an interrupt.
std::string standard_input(std::size_t most) {
  constexpr int kTickMs = 100;
  std::string text;
  char buffer[65536];
  while (text.size() < most && !executor::interrupted()) {
    pollfd descriptor{STDIN_FILENO, POLLIN, 0};
    if (::poll(&descriptor, 1, kTickMs) <= 0) continue;
    const ssize_t got = ::read(STDIN_FILENO, buffer, std::min(sizeof buffer, most - text.size()));
    if (got == 0 || (got < 0 && errno != EINTR)) break;
    if (got > 0) text.append(buffer, static_cast<std::size_t>(got));
  }
  return text;
}

Result<tasks::Candidate> candidate_of_stdin(const std::string& name) {
  const auto refused = [](const std::string& message, const std::string& remedy) {
    return Error{ErrorKind::kUsage, message, "standard input", "--stdin", remedy};
  };
  tasks::SourceFile file;
  file.file = file.path = name;
  file.language = *tasks::language_of(name);
  const std::size_t most = tasks::Limits{}.source_bytes;
  file.text = standard_input(most + 1);
  if (file.text.empty()) return refused("nothing came in", "for example kernel-audit lint --stdin < kernel.py");
  if (file.text.size() > most)
    return refused("more than " + std::to_string(most) + " bytes came in", "split the source");
  if (const auto fault = tasks::text_fault(file.text)) return refused(*fault, "save the file as UTF-8 text");
  tasks::Candidate candidate;
  candidate.name = fs::path(name).stem().string();
  candidate.files.push_back(std::move(file));
  candidate.code_sha256 = tasks::code_digest(candidate.files);
  return candidate;
}

// What --only-candidates takes for a file that a hook names; folders and records say themselves what they hold.
bool is_source_file(const std::string& path) {
  std::error_code ignored;
  const std::string ending = fs::path(path).extension().string();
  return fs::is_regular_file(path, ignored) && ending != ".json" && ending != ".jsonl";
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

// A record without code is not there to be linted; `run` lists it as not-run.
void tell_skipped(const std::vector<tasks::Candidate>& candidates) {
  constexpr std::size_t kMost = 5;
  std::vector<std::string> names;
  for (const tasks::Candidate& candidate : candidates) {
    if (candidate.files.empty()) names.push_back(candidate.name);
  }
  if (names.empty()) return;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, names.size()); ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kMost) text += " and " + std::to_string(names.size() - kMost) + " more";
  std::cerr << "kernel-audit: note: " << names.size() << (names.size() == 1 ? " record holds" : " records hold")
            << " no code and " << (names.size() == 1 ? "is" : "are") << " left out: " << reports::printable(text)
            << "\n";
}

Status load(Options& options, Inputs& inputs) {
  std::vector<tasks::Candidate>& candidates = inputs.candidates.candidates;
  std::vector<WorkItem> unread;  // what could not be loaded is listed as not-run
  if (options.from_stdin) {
    Result<tasks::Candidate> given = candidate_of_stdin(options.stdin_filename);
    if (!given) return given.error();
    candidates.push_back(std::move(*given));
  }
  const Result<std::vector<std::string>> paths = named_paths(options.candidates);
  if (!paths) return paths.error();
  if (Status loaded = load_named(*paths, options, inputs, unread); !loaded) return loaded;
  drop_repeated(candidates);
  tasks::finish_names(candidates);
  for (const tasks::Candidate& candidate : candidates) {
    WorkItem item{executor::item_of(nullptr, &candidate), nullptr, &candidate};
    if (item.planned.note.empty()) inputs.items.push_back(std::move(item));
  }
  tell_skipped(candidates);
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

// Files of which it is known what is found in them. What is found in a file that a candidate brings along depends on
// which others bring it, and these may not have been named.
std::vector<std::string> files_looked_at(const std::vector<const tasks::Candidate*>& candidates,
                                         const std::vector<executor::Linted>& linted) {
  std::set<std::string> known, unknown;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const std::vector<tasks::SourceFile>& read = candidates[i]->files;
    if (linted[i].done && !linted[i].fault) {
      known.insert(read.front().file);
    } else {
      for (const tasks::SourceFile& file : read) unknown.insert(file.file);
    }
  }
  std::erase_if(known, [&](const std::string& file) { return unknown.contains(file); });
  return {known.begin(), known.end()};
}

void note_gone(reports::Report& report, Baseline& baseline, const std::vector<std::string>& files,
               const Options& options) {
  // What comments and the selection set aside is still there.
  for (const reports::Item& item : report.items) {
    for (const reports::StageResult& stage : item.stages) {
      for (const SuppressedFinding& each : stage.suppressed) {
        if (each.by != "baseline") baseline.take(each.finding, report.sources);
      }
    }
  }
  const auto looked_for = [&](const std::string& code) {
    const DocumentedRule* rule = find_rule(code);
    const std::string slug = rule == nullptr ? "" : rule->info.slug;
    return (options.select.empty() || analysis::selected(code, slug, options.select)) &&
           !analysis::selected(code, slug, options.ignore);
  };
  const int gone = baseline.gone(files, looked_for);
  if (gone == 0) return;
  report.notes.push_back(gone == 1 ? "1 finding of the baseline is no longer there; to forget it, write the baseline "
                                     "anew over all that it is for."
                                   : std::to_string(gone) +
                                         " findings of the baseline are no longer there; to forget them, write the "
                                         "baseline anew over all that it is for.");
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
  if (!options.write_baseline.empty() && !executor::interrupted()) {
    std::optional<Baseline> none;
    Baseline fresh(options.write_baseline);
    note_all(report_without(none), fresh);
    if (Status written = fresh.write(); !written) return usage_error(written.error());
    baseline = std::move(fresh);
  }
  reports::Report report = report_without(baseline);
  if (!options.write_baseline.empty() && executor::interrupted())
    report.notes.push_back("The baseline was not written, because not all was linted.");
  if (const std::size_t left = inputs.candidates.left_out.size(); left > 0) {
    report.notes.push_back(left == 1 ? inputs.candidates.left_out.front() + " is part of no candidate and was left out."
                                     : std::to_string(left) + " files are part of no candidate and were left out.");
  }
  if (baseline) note_gone(report, *baseline, files_looked_at(candidates, *linted), options);
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
  const Status loaded = load(options, inputs);
  if (executor::interrupted()) return executor::kInterruptedExit;
  if (!loaded) return usage_error(loaded.error());
  if (options.out.empty() || inputs.items.empty()) return lint_at_once(options, inputs);
  return measure("lint", {.lint = true}, options, inputs);
}

}  // namespace kernel_audit::commands
