// JUnit XML: one test case per item. What makes the exit code 1 is a failure, what could not be decided is skipped with
// its reason, so that a CI server shows both and fails for the first alone.
#include "reports/model.h"
#include "reports/text/finding_text.h"
#include "reports/text/printable.h"
#include "reports/text/source_place.h"
#include "reports/text/summary.h"

namespace kernel_audit::reports {
namespace {

// XML 1.0 has no form for most control characters: printable() has made them visible before.
std::string xml(const std::string& text, bool keep_lines = false) {
  std::string out;
  for (const char c : printable(text, keep_lines)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

enum class Outcome { kPassed, kFailed, kError, kSkipped };

Outcome outcome_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kWrong:
    case Verdict::kCheat:
    case Verdict::kInvalidTask:
    case Verdict::kDrop:
      return Outcome::kFailed;
    case Verdict::kBroken:
      return Outcome::kError;
    case Verdict::kNotRun:
    case Verdict::kInconclusive:
    case Verdict::kReview:
    case Verdict::kNotComparable:
      return Outcome::kSkipped;
    case Verdict::kNoSpeedup:
    case Verdict::kConfirmed:
    case Verdict::kClean:
    case Verdict::kKeep:
      break;
  }
  return Outcome::kPassed;
}

std::string findings_text(const Item& item, const Sources& sources) {
  std::string text;
  for (const StageResult& stage : item.stages) {
    for (const Finding& finding : stage.findings) text += render_finding(finding, sources);
    for (const SuppressedFinding& each : stage.suppressed) text += suppressed_line(each) + "\n";
  }
  return text;
}

std::string file_of(const Item& item) {
  for (const StageResult& stage : item.stages) {
    for (const Finding& finding : stage.findings) {
      if (!finding.span.file.empty()) return artifact_of(finding.span.file).path;
    }
  }
  return "";
}

std::string test_case(const Item& item, const Report& report) {
  const std::string name = item.candidate.empty() ? item.task : item.candidate;
  const std::string file = file_of(item);
  std::string text = "    <testcase classname=\"kernel-audit." + xml(report.command) + "\" name=\"" + xml(name) + "\"";
  if (!file.empty()) text += " file=\"" + xml(file) + "\"";
  text += ">\n";
  const std::string verdict = to_string(item.verdict);
  const std::string message = " message=\"" + xml(verdict + ": " + reason_of(item)) + "\"";
  const std::string details = xml(findings_text(item, report.sources), true);
  switch (outcome_of(item.verdict)) {
    case Outcome::kFailed:
      text += "      <failure type=\"" + verdict + "\"" + message + ">" + details + "</failure>\n";
      break;
    case Outcome::kError:
      text += "      <error type=\"" + verdict + "\"" + message + ">" + details + "</error>\n";
      break;
    case Outcome::kSkipped:
      text += "      <skipped" + message + "/>\n";
      [[fallthrough]];
    case Outcome::kPassed:
      if (!details.empty()) text += "      <system-out>" + details + "</system-out>\n";
      break;
  }
  return text + "    </testcase>\n";
}

}  // namespace

std::string render_junit(const Report& report) {
  int failures = 0, errors = 0, skipped = 0;
  std::string cases;
  for (const Item& item : report.items) {
    const Outcome outcome = outcome_of(item.verdict);
    failures += outcome == Outcome::kFailed ? 1 : 0;
    errors += outcome == Outcome::kError ? 1 : 0;
    skipped += outcome == Outcome::kSkipped ? 1 : 0;
    cases += test_case(item, report);
  }
  const std::string counts = " tests=\"" + std::to_string(report.items.size()) + "\" failures=\"" +
                             std::to_string(failures) + "\" errors=\"" + std::to_string(errors) + "\" skipped=\"" +
                             std::to_string(skipped) + "\"";
  std::string problems;
  for (const std::string& problem : report.problems) problems += problem + "\n";
  for (const std::string& note : report.notes) problems += "note: " + note + "\n";
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"kernel-audit\"" + counts +
         ">\n  <testsuite name=\"kernel-audit " + xml(report.command) + "\"" + counts +
         (report.started.empty() ? "" : " timestamp=\"" + xml(report.started) + "\"") + ">\n    <properties>\n" +
         "      <property name=\"tool_version\" value=\"" + xml(report.tool_version) + "\"/>\n" +
         "      <property name=\"policy\" value=\"" + xml(report.policy) + "\"/>\n    </properties>\n" + cases +
         (problems.empty() ? "" : "    <system-err>" + xml(problems, true) + "</system-err>\n") +
         "  </testsuite>\n</testsuites>\n";
}

}  // namespace kernel_audit::reports
