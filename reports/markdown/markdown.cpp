// The report as Markdown: the same order as at the terminal, for pull requests and notes. Text of candidates is
// escaped, source lines stand in fenced blocks.
#include "reports/model.h"
#include "reports/text/finding_text.h"
#include "reports/text/format.h"
#include "reports/text/printable.h"
#include "reports/text/summary.h"

namespace kernel_audit::reports {
namespace {

std::string with_origin(const Metric& metric) {
  return markdown_text(format_metric(metric)) + " (" + origin_words(metric.origin) + ")";
}

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
  text += std::string("\n| verdict |") + (labels ? " label |" : "") +
          " item | claimed | measured | proven | why |\n| --- |" + (labels ? " --- |" : "") +
          " --- | ---: | ---: | ---: | --- |\n";
  for (const Item& item : report.items) {
    text += "| **" + std::string(to_string(item.verdict)) + "** | ";
    if (labels) text += markdown_text(label_applies(report, item) ? *item.expected_verdict : "–") + " | ";
    text += title_of(item) + " | " + number_of_claim(item) + " | " + format_cell(item.measured_speedup) + " | " +
            format_cell(item.proven_speedup) + " | " + markdown_text(reason_of(item)) + " |\n";
  }
}

void write_stage(std::string& text, const StageResult& stage, const Report& report) {
  text += "\n**" + std::string(to_string(stage.stage)) + "**: " + to_string(stage.verdict);
  if (stage.attempts > 1) text += " (" + std::to_string(stage.attempts) + " attempts)";
  if (!stage.reason.empty()) text += ". " + markdown_text(stage.reason);
  text += '\n';
  for (const Finding& finding : stage.findings)
    text += "\n" + markdown_code(render_finding(finding, report.sources), "text");
  for (const SuppressedFinding& each : stage.suppressed) text += "\n- " + markdown_text(suppressed_line(each)) + "\n";
  if (stage.metrics.empty()) return;
  text += "\n| number | value | says |\n| --- | --- | --- |\n";
  for (const Metric& metric : stage.metrics) {
    text += "| " + markdown_text(label_of(metric)) + " | " + markdown_text(format_metric(metric)) + " | " +
            origin_words(metric.origin) + " |\n";
  }
}

void write_item(std::string& text, const Item& item, const Report& report) {
  text += "\n### " + title_of(item) + ": " + to_string(item.verdict) + "\n\n" + markdown_text(reason_of(item)) + "\n";
  if (label_missed(report, item)) {
    text += "\nThe label says " + markdown_text(*item.expected_verdict) + ".\n";
  }
  if (item.claimed_speedup || item.measured_speedup || item.proven_speedup) text += '\n';
  if (item.claimed_speedup) text += "- claimed speedup: " + number_of_claim(item) + " (the claim)\n";
  if (item.measured_speedup) text += "- measured speedup: " + with_origin(*item.measured_speedup) + "\n";
  if (item.proven_speedup) text += "- proven speedup: " + with_origin(*item.proven_speedup) + "\n";
  for (const StageResult& stage : item.stages) write_stage(text, stage, report);
}

}  // namespace

std::string render_markdown(const Report& report) {
  std::string text = "# kernel-audit " + markdown_text(report.command) + "\n\n";
  text +=
      markdown_text("Version " + report.tool_version + ", policy " + report.policy + ", started " + report.started) +
      ".  \n" + markdown_text(environment_line(report.environment)) + ".\n";
  const std::vector<std::string> lines = caveats(report);
  text += "\n## What makes the numbers of this machine untrustworthy\n\n";
  if (lines.empty()) text += "Nothing that is known.\n";
  write_list(text, lines);
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
