// The report for a person at a terminal: first what makes the numbers untrustworthy, then the table of verdicts, then
// the evidence item by item. Colour only when asked for; fits itself to the width.
#include <algorithm>

#include "reports/model.h"
#include "reports/text/finding_text.h"
#include "reports/text/format.h"
#include "reports/text/printable.h"
#include "reports/text/summary.h"
#include "reports/text/table.h"

namespace kernel_audit::reports {
namespace {

constexpr int kUnlimited = 100000;
constexpr int kNarrowest = 40;
constexpr std::size_t kShortestName = 8;
constexpr std::size_t kLongestName = 28;
constexpr std::size_t kReasonColumns = 28;  // with less room than this, the reason goes below its row

const char* color_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kBroken:
    case Verdict::kWrong:
    case Verdict::kCheat:
    case Verdict::kInvalidTask:
    case Verdict::kDrop:
      return "\x1b[31m";
    case Verdict::kConfirmed:
    case Verdict::kClean:
    case Verdict::kKeep:
      return "\x1b[32m";
    case Verdict::kNotRun:
    case Verdict::kInconclusive:
    case Verdict::kReview:
    case Verdict::kNoSpeedup:
    case Verdict::kNotComparable:
      break;
  }
  return "\x1b[33m";
}

class TerminalWriter {
 public:
  TerminalWriter(const Report& report, bool color, int width)
      : report_(report),
        color_(color),
        width_(static_cast<std::size_t>(width <= 0 ? kUnlimited : std::max(width, kNarrowest))) {}

  std::string write() {
    head();
    table();
    for (const Item& item : report_.items) details(item);
    foot();
    return std::move(text_);
  }

 private:
  std::string painted(const std::string& text, const char* code) const {
    return color_ ? code + text + "\x1b[0m" : text;
  }

  // Wraps at blanks; lines after the first begin with `hang` blanks.
  void paragraph(const std::string& first_indent, const std::string& words, std::size_t hang) {
    std::string line = first_indent;
    bool fresh = true;
    for (std::size_t at = 0; at <= words.size();) {
      const std::size_t end = std::min(words.find(' ', at), words.size());
      const std::string word = words.substr(at, end - at);
      if (!fresh && display_width(line) + 1 + display_width(word) > width_) {
        text_ += line + "\n";
        line = std::string(hang, ' ');
        fresh = true;
      }
      line += (fresh ? "" : " ") + word;
      fresh = false;
      at = end + 1;
    }
    text_ += line + "\n";
  }

  void head() {
    text_ += "kernel-audit " + report_.tool_version + " " + report_.command;
    if (!report_.policy.empty()) text_ += ", policy " + report_.policy;
    if (!report_.started.empty()) text_ += ", started " + report_.started;
    text_ += '\n';
    paragraph("", printable(environment_line(report_.environment)), 2);
    const std::vector<std::string> lines = caveats(report_);
    text_ += lines.empty() ? "Nothing known makes the numbers of this machine untrustworthy.\n"
                           : painted("What makes the numbers of this machine untrustworthy:", "\x1b[1m") + "\n";
    for (const std::string& line : lines) paragraph("  - ", printable(line), 4);
    for (const std::string& line : report_.notes) paragraph("note: ", printable(line), 6);
    if (!report_.problems.empty()) text_ += painted("Inputs that could not be read:", "\x1b[1m") + "\n";
    for (const std::string& line : report_.problems) paragraph("  - ", printable(line), 4);
  }

  // Columns that no item has anything for are left out; `name_width` bounds the names.
  TextTable table_of(std::size_t name_width) const {
    const auto any = [&](auto has) { return std::any_of(report_.items.begin(), report_.items.end(), has); };
    const bool tasks = any([](const Item& item) { return !item.task.empty(); });
    const bool candidates = any([](const Item& item) { return !item.candidate.empty(); });
    const bool claims = any([](const Item& item) { return item.claimed_speedup.has_value(); });
    const bool measured = any([](const Item& item) { return item.measured_speedup || item.proven_speedup; });
    const bool labels = any([this](const Item& item) { return label_applies(report_, item); });
    std::vector<Column> columns = {{"verdict"}};
    if (labels) columns.push_back({"label"});
    if (tasks) columns.push_back({"task"});
    if (candidates) columns.push_back({"candidate"});
    if (claims) columns.push_back({"claimed", true});
    if (measured) columns.push_back({"measured", true});
    if (measured) columns.push_back({"proven", true});
    TextTable table(std::move(columns));
    for (const Item& item : report_.items) {
      std::vector<std::string> cells = {to_string(item.verdict)};
      if (labels) cells.push_back(label_cell(item));
      if (tasks) cells.push_back(clip_middle(printable(task_title(item)), name_width));
      if (candidates) cells.push_back(clip_middle(printable(item.candidate), name_width));
      if (claims) cells.push_back(number_of_claim(item));
      if (measured) cells.push_back(format_cell(item.measured_speedup));
      if (measured) cells.push_back(format_cell(item.proven_speedup));
      table.add(std::move(cells));
    }
    return table;
  }

  void table() {
    if (report_.items.empty()) return;
    std::size_t name_width = std::max(kLongestName, width_ / 5);
    TextTable table = table_of(name_width);
    while (table.width() > width_ && name_width > kShortestName) table = table_of(--name_width);
    const std::size_t used = table.width() + 2;
    const bool beside = used + kReasonColumns <= width_;
    const auto pad = [&](const std::string& line) {
      return line + std::string(used - std::min(used, display_width(line)), ' ');
    };
    text_ += "\n" + painted(beside ? pad(table.header()) + "why" : table.header(), "\x1b[1m") + "\n";
    for (std::size_t i = 0; i < table.rows(); ++i) {
      const Item& item = report_.items[i];
      const std::string reason = printable(reason_of(item));
      std::string row = table.row(i);
      if (beside && !reason.empty()) row = pad(row) + clip_end(reason, width_ - used);
      const std::string verdict = to_string(item.verdict);
      text_ += painted(verdict, color_of(item.verdict)) + row.substr(verdict.size()) + "\n";
      if (!beside && !reason.empty()) text_ += "    " + clip_end(reason, width_ - 4) + "\n";
    }
  }

  static std::string task_title(const Item& item) {
    if (item.task_name.empty() || item.task_name == item.task) return item.task;
    return item.task + " " + item.task_name;
  }

  std::string label_cell(const Item& item) const {
    if (!label_applies(report_, item)) return "–";
    return label_missed(report_, item) ? "NOT MET: " + printable(*item.expected_verdict) : "met";
  }

  void details(const Item& item) {
    const auto has_findings = [](const StageResult& stage) { return !stage.findings.empty(); };
    const bool plain = item.verdict == Verdict::kKeep || item.verdict == Verdict::kClean;
    if (plain && std::none_of(item.stages.begin(), item.stages.end(), has_findings)) return;
    std::string title = task_title(item);
    if (!item.candidate.empty()) title += (title.empty() ? "" : " · ") + item.candidate;
    text_ += "\n" + painted(printable(title), "\x1b[1m") + ": " +
             painted(to_string(item.verdict), color_of(item.verdict)) + "\n";
    if (const std::string reason = reason_of(item); !reason.empty()) paragraph("  ", printable(reason), 2);
    if (label_missed(report_, item)) {
      text_ += "  the label says " + printable(*item.expected_verdict) + "\n";
    }
    if (item.claimed_speedup) text_ += "  claimed speedup: " + number_of_claim(item) + ", says the claim\n";
    speedup("measured speedup", item.measured_speedup);
    speedup("proven speedup", item.proven_speedup);
    for (const StageResult& stage : item.stages) stage_details(stage);
  }

  void speedup(const std::string& label, const std::optional<Metric>& metric) {
    if (!metric) return;
    paragraph("  ", label + ": " + printable(format_metric(*metric)) + ", says the " + origin_words(metric->origin), 4);
  }

  void stage_details(const StageResult& stage) {
    text_ += std::string("  ") + to_string(stage.stage) + ": " + to_string(stage.verdict);
    if (stage.attempts > 1) text_ += " (" + std::to_string(stage.attempts) + " attempts)";
    text_ += '\n';
    if (!stage.reason.empty()) paragraph("    ", printable(stage.reason), 4);
    for (const Finding& finding : stage.findings) {
      const std::string lines = render_finding(finding, report_.sources);
      for (std::size_t at = 0; at < lines.size();) {
        const std::size_t end = lines.find('\n', at);
        text_ += "    " + lines.substr(at, end - at) + "\n";
        at = end + 1;
      }
    }
    for (const Metric& metric : stage.metrics) {
      paragraph("    ",
                printable(label_of(metric)) + ": " + printable(format_metric(metric)) + ", says the " +
                    origin_words(metric.origin),
                6);
    }
  }

  void foot() {
    text_ += "\n" + counts_line(report_) + "\n";
    for (const std::string& line : level_lines(report_)) text_ += "  " + line + "\n";
    if (const std::string labels = labels_line(report_); !labels.empty()) text_ += labels + "\n";
    text_ += "exit code " + std::to_string(report_.exit_code) + "\n";
  }

  const Report& report_;
  bool color_;
  std::size_t width_;
  std::string text_;
};

}  // namespace

std::string render_terminal(const Report& report, bool color, int width) {
  return TerminalWriter(report, color, width).write();
}

}  // namespace kernel_audit::reports
