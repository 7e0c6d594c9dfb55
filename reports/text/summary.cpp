#include "reports/text/summary.h"

#include <algorithm>
#include <map>

#include "reports/text/format.h"

namespace kernel_audit::reports {

std::vector<std::pair<Verdict, int>> verdict_counts(const Report& report) {
  std::map<Verdict, int> counts;
  for (const Item& item : report.items) ++counts[item.verdict];
  return {counts.begin(), counts.end()};
}

std::string counts_line(const Report& report) {
  std::string line = std::to_string(report.items.size()) + (report.items.size() == 1 ? " item" : " items");
  bool first = true;
  for (const auto& [verdict, count] : verdict_counts(report)) {
    line += (first ? ": " : ", ") + std::to_string(count) + " " + to_string(verdict);
    first = false;
  }
  return line;
}

std::string labels_line(const Report& report) {
  int labelled = 0, met = 0;
  for (const Item& item : report.items) {
    if (!item.expected_verdict) continue;
    ++labelled;
    if (*item.expected_verdict == to_string(item.verdict)) ++met;
  }
  if (labelled == 0) return "";
  return std::to_string(met) + " of " + std::to_string(labelled) + " labelled items got the verdict of their label";
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
