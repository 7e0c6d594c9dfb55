// GitHub workflow commands: printed to a workflow's log, each becomes an annotation at its line. A finding inside a
// record has no line of the file on disk, so it is attached to the file alone and its message names the place.
#include "reports/model.h"
#include "reports/text/finding_text.h"
#include "reports/text/printable.h"
#include "reports/text/source_place.h"
#include "reports/text/summary.h"

namespace kernel_audit::reports {
namespace {

std::string escaped(const std::string& text, bool property) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '%':
        out += "%25";
        break;
      case '\r':
        out += "%0D";
        break;
      case '\n':
        out += "%0A";
        break;
      case ':':
        out += property ? "%3A" : ":";
        break;
      case ',':
        out += property ? "%2C" : ",";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string place(const SourceSpan& span, const Sources& sources, bool& whole) {
  const ArtifactName artifact = artifact_of(span.file);
  whole = artifact.inner.empty();
  std::string words = "file=" + escaped(printable(artifact.path), true);
  if (!whole || !span.known()) return words;
  words += ",line=" + std::to_string(span.line) + ",endLine=" + std::to_string(span.end_line);
  const CharacterColumns columns = character_columns(span, sources);
  // Columns are only taken for a range within one line.
  if (columns.begin > 0 && columns.end > 0 && span.line == span.end_line)
    words += ",col=" + std::to_string(columns.begin) + ",endColumn=" + std::to_string(columns.end);
  return words;
}

std::string annotation(const Finding& finding, const Item& item, const Sources& sources) {
  const char* level = finding.severity == Severity::kError     ? "error"
                      : finding.severity == Severity::kWarning ? "warning"
                                                               : "notice";
  std::string text = std::string("::") + level + " ";
  bool whole = true;
  if (!finding.span.file.empty()) text += place(finding.span, sources, whole) + ",";
  std::string message = printable(finding.message);
  if (!whole) message = printable(place_of(finding.span)) + ": " + message;
  if (finding.span.file.empty())
    message = printable(item.candidate.empty() ? item.task : item.candidate) + ": " + message;
  for (const FlowNote& note : finding.notes) {
    const std::string where = place_of(note.span);
    message += "\n" + where + (where.empty() ? "" : ": ") + printable(note.message);
  }
  return text + "title=" + escaped(printable(finding.code + " " + finding.slug), true) +
         "::" + escaped(message, false) + "\n";
}

}  // namespace

std::string render_github(const Report& report) {
  std::string text;
  for (const std::string& problem : report.problems) text += "::warning::" + escaped(printable(problem), false) + "\n";
  for (const Item& item : report.items) {
    bool shown = false;
    for (const StageResult& stage : item.stages) {
      for (const Finding& finding : stage.findings) {
        text += annotation(finding, item, report.sources);
        shown = shown || finding.effect != Effect::kNote;
      }
    }
    const bool passed = item.verdict == Verdict::kClean || item.verdict == Verdict::kKeep ||
                        item.verdict == Verdict::kConfirmed || item.verdict == Verdict::kNoSpeedup;
    if (shown || passed) continue;
    // No finding says why this one did not pass.
    text += "::warning title=" + escaped(to_string(item.verdict), true) + "::" +
            escaped(printable((item.candidate.empty() ? item.task : item.candidate) + ": " + reason_of(item)), false) +
            "\n";
  }
  for (const std::string& note : report.notes) text += "::notice::" + escaped(printable(note), false) + "\n";
  return text + counts_line(report) + "\n";
}

}  // namespace kernel_audit::reports
