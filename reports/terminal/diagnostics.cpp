// What `lint` prints: the findings of each candidate as compilers print them, with the steps of the evidence, one line
// of verdict per candidate, and a summary. Nothing about the machine: lint measures nothing.
#include "reports/model.h"
#include "reports/text/finding_text.h"
#include "reports/text/printable.h"
#include "reports/text/summary.h"

namespace kernel_audit::reports {
namespace {

const char* color_of(Verdict verdict) {
  if (verdict == Verdict::kCheat) return "\x1b[1;31m";
  return verdict == Verdict::kClean ? "\x1b[1;32m" : "\x1b[1;33m";
}

std::string counted(std::size_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

// A reason that repeats a finding printed right above it says nothing new.
bool is_message_of_a_finding(const Item& item, const std::string& reason) {
  for (const StageResult& stage : item.stages) {
    for (const Finding& finding : stage.findings) {
      if (finding.message == reason) return true;
    }
  }
  return false;
}

// "read with it: lib/ops.py, lib/memo.py and 3 more", for a candidate of several files.
std::string files_line(const Item& item) {
  constexpr std::size_t kMost = 8;
  std::string names;
  for (std::size_t i = 1; i < item.files.size() && i <= kMost; ++i)
    names += (i == 1 ? "" : ", ") + printable(item.files[i]);
  if (names.empty()) return {};
  if (item.files.size() > kMost + 1) names += " and " + std::to_string(item.files.size() - kMost - 1) + " more";
  return "  read with it: " + names + "\n";
}

}  // namespace

std::string render_diagnostics(const Report& report, bool color) {
  const auto painted = [color](const std::string& words, const char* code) {
    return color ? code + words + "\x1b[0m" : words;
  };
  std::string text;
  for (const std::string& problem : report.problems) {
    text += painted("warning", "\x1b[1;33m") + ": " + printable(problem) + "\n";
  }
  std::size_t findings = 0, suppressed[3] = {0, 0, 0};
  for (const Item& item : report.items) {
    std::string below;
    for (const StageResult& stage : item.stages) {
      findings += stage.findings.size();
      for (const Finding& finding : stage.findings) text += render_finding(finding, report.sources, color) + "\n";
      for (const SuppressedFinding& each : stage.suppressed) {
        ++suppressed[each.by == "inline" ? 0 : each.by == "baseline" ? 1 : 2];
        if (each.by == "inline") below += "  " + suppressed_line(each) + "\n";
      }
    }
    text +=
        painted(printable(item.candidate), "\x1b[1m") + ": " + painted(to_string(item.verdict), color_of(item.verdict));
    const std::string reason = item.verdict == Verdict::kClean ? item.reason : reason_of(item);
    if (!reason.empty() && !is_message_of_a_finding(item, reason)) text += ": " + printable(reason);
    if (label_missed(report, item)) text += " (NOT MET: the label says " + printable(*item.expected_verdict) + ")";
    text += "\n" + files_line(item) + below;
  }
  text += (text.empty() ? "" : "\n") + counts_line(report) + "; " + counted(findings, "finding", "findings");
  const char* words[3] = {" allowed by comments", " in the baseline", " not selected"};
  for (std::size_t i = 0; i < 3; ++i) {
    if (suppressed[i] > 0) text += ", " + std::to_string(suppressed[i]) + words[i];
  }
  text += "; policy " + printable(report.policy) + "\n";
  if (const std::string labels = labels_line(report); !labels.empty()) text += labels + "\n";
  for (const std::string& note : report.notes) text += "note: " + printable(note) + "\n";
  return text;
}

}  // namespace kernel_audit::reports
