// The report as Markdown: the same order as at the terminal, for pull requests and notes. Text of candidates is
// escaped, source lines stand in fenced blocks.
#include <algorithm>

#include "reports/model.h"
#include "reports/text/finding_text.h"
#include "reports/text/format.h"
#include "reports/text/printable.h"
#include "reports/text/summary.h"

namespace kernel_audit::reports {
namespace {

std::string with_origin(const Metric& metric) {
  const bool known = format_cell(metric) != "n/a";
  return markdown_text(format_metric(metric)) + (known ? ", according to the " + origin_words(metric.origin) : "");
}

bool has_speedup(const Report& report) {
  return std::any_of(report.items.begin(), report.items.end(), [](const Item& item) {
    return item.claimed_speedup || item.measured_speedup || item.proven_speedup;
  });
}

// What only a run on a machine has: lint reads sources, filter asks for no speedup.
bool measures(const Report& report) { return report.command != "lint"; }

constexpr const char* kColumns =
    "\n*Claimed* is the speedup that came with the candidate, *measured* the ratio of device times as the candidate's "
    "own process reports them, *proven* the ratio by the referee's clock, which alone carries a verdict; two numbers "
    "in "
    "brackets are a confidence interval at the level given. `–`: there is none, `n/a`: it could not be had, and the "
    "evidence says why.\n";

std::string title_of(const Item& item) {
  std::string title = item.task;
  if (!item.task_name.empty() && item.task_name != item.task) title += " " + item.task_name;
  if (!item.candidate.empty()) title += (title.empty() ? "" : " · ") + item.candidate;
  return markdown_text(title);
}

void write_list(std::string& text, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) text += "- " + markdown_text(line) + "\n";
}

void write_table(std::string& text, const Report& report) {
  bool labels = false;
  for (const Item& item : report.items) labels = labels || label_applies(report, item);
  const bool speedups = measures(report) && has_speedup(report);
  text += std::string("\n| verdict |") + (labels ? " label |" : "") + " item |" +
          (speedups ? " claimed | measured | proven |" : "") + " why |\n| --- |" + (labels ? " --- |" : "") + " --- |" +
          (speedups ? " ---: | ---: | ---: |" : "") + " --- |\n";
  for (const Item& item : report.items) {
    text += "| **" + std::string(to_string(item.verdict)) + "** | ";
    if (labels) text += markdown_text(label_applies(report, item) ? *item.expected_verdict : "–") + " | ";
    text += title_of(item) + " | ";
    if (speedups) {
      text += number_of_claim(item) + " | " + format_cell(item.measured_speedup) + " | " +
              format_cell(item.proven_speedup) + " | ";
    }
    text += markdown_text(reason_of(item)) + " |\n";
  }
  if (speedups) text += kColumns;
}

// A verdict that findings or numbers speak for: what could not be shown beside them is no reason for it.
bool decided(Verdict verdict) {
  return verdict != Verdict::kNotRun && verdict != Verdict::kBroken && verdict != Verdict::kInconclusive &&
         verdict != Verdict::kNotComparable;
}

void write_stage(std::string& text, const StageResult& stage, const Report& report) {
  text += "\n**" + std::string(to_string(stage.stage)) + "**: " + to_string(stage.verdict);
  if (stage.attempts > 1) text += " (" + std::to_string(stage.attempts) + " attempts)";
  if (!stage.reason.empty() && !decided(stage.verdict)) text += ". " + markdown_text(stage.reason);
  text += '\n';
  for (const Finding& finding : stage.findings)
    text += "\n" + markdown_code(render_finding(finding, report.sources), "text");
  for (const SuppressedFinding& each : stage.suppressed) text += "\n- " + markdown_text(suppressed_line(each)) + "\n";
  if (stage.metrics.empty()) return;
  text += "\n| number | value | according to |\n| --- | --- | --- |\n";
  for (const Metric& metric : stage.metrics) {
    text += "| " + markdown_text(label_of(metric)) + " | " + markdown_text(format_metric(metric)) + " | " +
            origin_words(metric.origin) + " |\n";
  }
}

void write_item(std::string& text, const Item& item, const Report& report) {
  text += "\n### " + title_of(item) + ": " + to_string(item.verdict) + "\n";
  if (const std::string reason = reason_of(item); !reason.empty()) text += "\n" + markdown_text(reason) + "\n";
  if (label_missed(report, item)) {
    text += "\nThe label says " + markdown_text(*item.expected_verdict) + ".\n";
  }
  if (item.claimed_speedup || item.measured_speedup || item.proven_speedup) text += '\n';
  if (item.claimed_speedup) text += "- claimed speedup: " + number_of_claim(item) + ", as it came with the candidate\n";
  if (item.measured_speedup) text += "- measured speedup: " + with_origin(*item.measured_speedup) + "\n";
  if (item.proven_speedup) text += "- proven speedup: " + with_origin(*item.proven_speedup) + "\n";
  for (const StageResult& stage : item.stages) write_stage(text, stage, report);
}

}  // namespace

std::string render_markdown(const Report& report) {
  std::string text = "# kernel-audit " + markdown_text(report.command) + "\n\n";
  text +=
      markdown_text("Version " + report.tool_version + ", policy " + report.policy + ", started " + report.started) +
      ".  \n";
  if (measures(report)) {
    text += "Measured on: " + markdown_text(environment_line(report.environment)) + ".\n";
    const std::vector<std::string> lines = caveats(report);
    text += "\n## What weakens the numbers below\n\n";
    if (lines.empty()) text += "Nothing disturbed the measurements as far as is known.\n";
    write_list(text, lines);
  } else {
    text += "Read from the sources alone: nothing was run or measured.\n";
  }
  if (!report.notes.empty()) text += "\n## Notes\n\n";
  write_list(text, report.notes);
  if (!report.problems.empty()) text += "\n## Inputs that could not be read\n\n";
  write_list(text, report.problems);
  text += "\n## Verdicts\n\n" + markdown_text(counts_line(report)) + ". ";
  if (const std::string labels = labels_line(report); !labels.empty()) text += markdown_text(labels) + ". ";
  text += "Exit code " + std::to_string(report.exit_code) + ".\n";
  if (const auto levels = level_lines(report); !levels.empty()) {
    text += '\n';
    write_list(text, levels);
  }
  if (!report.items.empty()) write_table(text, report);
  text += "\n## Evidence\n";
  for (const Item& item : report.items) write_item(text, item, report);
  return text;
}

}  // namespace kernel_audit::reports
