#include "reports/text/summary.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "reports/text/format.h"

namespace kernel_audit::reports {

namespace {

using Counts = std::map<Verdict, int>;

std::string counts_text(const Counts& counts) {
  int total = 0;
  std::string list;
  for (const auto& [verdict, count] : counts) {
    total += count;
    list += (list.empty() ? ": " : ", ") + std::to_string(count) + " " + to_string(verdict);
  }
  return std::to_string(total) + (total == 1 ? " item" : " items") + list;
}

// 3 of "3/17"; 0 for a task without number.
int level_of(const std::string& task) {
  int level = 0, id = 0;
  const char* end = task.data() + task.size();
  const auto [slash, problem] = std::from_chars(task.data(), end, level);
  if (problem != std::errc() || slash == end || *slash != '/') return 0;
  const auto [stop, second_problem] = std::from_chars(slash + 1, end, id);
  return second_problem == std::errc() && stop == end && level > 0 ? level : 0;
}

}  // namespace

std::vector<std::pair<Verdict, int>> verdict_counts(const Report& report) {
  Counts counts;
  for (const Item& item : report.items) ++counts[item.verdict];
  return {counts.begin(), counts.end()};
}

std::string counts_line(const Report& report) {
  Counts counts;
  for (const Item& item : report.items) ++counts[item.verdict];
  return counts_text(counts);
}

std::vector<std::string> level_lines(const Report& report) {
  if (report.command != "filter") return {};
  std::map<int, Counts> levels;
  for (const Item& item : report.items) ++levels[level_of(item.task)][item.verdict];
  if (levels.size() == 1 && levels.begin()->first == 0) return {};
  std::vector<std::string> lines;
  for (const auto& [level, counts] : levels) {
    lines.push_back((level == 0 ? "no level" : "level " + std::to_string(level)) + ": " + counts_text(counts));
  }
  return lines;
}

bool label_applies(const Report& report, const Item& item) {
  if (!item.expected_verdict) return false;
  const std::optional<Verdict> label = verdict_from_string(*item.expected_verdict);
  if (!label) return true;  // a label that nothing meets is shown as missed, not hidden
  const bool of_lint = label == Verdict::kCheat || label == Verdict::kInconclusive || label == Verdict::kReview ||
                       label == Verdict::kClean;
  const bool of_filter =
      label == Verdict::kNotRun || label == Verdict::kDrop || label == Verdict::kReview || label == Verdict::kKeep;
  if (report.command == "lint") return of_lint;
  if (report.command == "filter") return of_filter;
  if (report.command == "eval") return label != Verdict::kInvalidTask;
  return true;
}

bool label_missed(const Report& report, const Item& item) {
  return label_applies(report, item) && *item.expected_verdict != to_string(item.verdict);
}

std::string labels_line(const Report& report) {
  int labelled = 0, met = 0, beyond = 0;
  for (const Item& item : report.items) {
    if (!item.expected_verdict) continue;
    if (!label_applies(report, item)) {
      ++beyond;
      continue;
    }
    ++labelled;
    if (!label_missed(report, item)) ++met;
  }
  std::string line;
  if (labelled > 0) {
    line = std::to_string(met) + " of " + std::to_string(labelled) + " labelled items got the verdict of their label";
  }
  if (beyond > 0) {
    line += (line.empty() ? "" : "; ") + std::to_string(beyond) + (beyond == 1 ? " label is one" : " labels are ones") +
            " that " + report.command + " alone cannot meet";
  }
  return line;
}

std::vector<std::string> caveats(const Report& report) {
  std::vector<std::string> lines = report.warnings;
  for (const auto& [layer, status] : report.sandbox) {
    if (status != "active") lines.push_back("sandbox layer " + layer + " is not active: " + status);
  }
  return lines;
}

std::string environment_line(const Environment& environment) {
  std::string line = environment.device.empty() ? "no device used" : environment.device;
  if (!environment.device_driver.empty()) line += ", driver " + environment.device_driver;
  if (!environment.cpu_model.empty()) line += ", " + environment.cpu_model;
  if (environment.cpu_cores > 0) {
    line += ", " + std::to_string(environment.cpu_cores) + (environment.cpu_cores == 1 ? " core" : " cores");
  }
  const std::pair<const char*, const std::string&> parts[] = {
      {"torch", environment.torch_version}, {"CUDA", environment.cuda_version}, {"Python", environment.python_version}};
  for (const auto& [name, version] : parts) {
    if (!version.empty()) line += std::string(", ") + name + " " + version;
  }
  return line;
}

std::string reason_of(const Item& item) {
  if (!item.reason.empty()) return item.reason;
  for (const StageResult& stage : item.stages) {
    if (!stage.reason.empty()) return stage.reason;
  }
  for (const StageResult& stage : item.stages) {
    if (!stage.findings.empty()) return stage.findings.front().message;
  }
  return "";
}

std::string number_of_claim(const Item& item) {
  return item.claimed_speedup ? format_value(*item.claimed_speedup, Hint::kRatio, "1") : "–";
}

}  // namespace kernel_audit::reports
