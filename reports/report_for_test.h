// One hand-made report that has everything in it, for the tests of all writers.
#pragma once

#include "reports/model.h"

namespace kernel_audit::reports {

inline Metric metric(const std::string& id, Hint hint, const std::string& unit, Origin origin,
                     std::optional<double> value, const std::string& reason = "") {
  Metric result;
  result.id = id;
  result.hint = hint;
  result.unit = unit;
  result.origin = origin;
  result.value = value;
  result.missing_reason = reason;
  result.description = "A number.";
  return result;
}

inline Item confirmed_item() {
  Item item;
  item.task = "1/9";
  item.task_name = "9_Gate";
  item.candidate = "honest_fused";
  item.task_sha256 = std::string(64, 'a');
  item.candidate_sha256 = std::string(64, 'b');
  item.verdict = Verdict::kConfirmed;
  item.reason = "The whole interval of the proven speedup lies above 1.";
  item.claimed_speedup = 3.2;
  item.measured_speedup =
      metric("device_speedup", Hint::kRatio, "1", Origin::kCandidateProcess, std::nullopt, "the CPU has no events");
  item.proven_speedup = metric("speedup", Hint::kRatio, "1", Origin::kRefereeClock, 3.05);
  item.proven_speedup->interval = Interval{2.98, 3.12, 0.95};
  item.expected_verdict = "confirmed";
  StageResult eval;
  eval.stage = Stage::kEval;
  eval.verdict = Verdict::kConfirmed;
  eval.attempts = 2;
  eval.metrics = {metric("candidate_time", Hint::kDuration, "ns", Origin::kRefereeClock, 3.21e6),
                  metric("outputs_checked", Hint::kCount, "1", Origin::kRefereeMemory, 640)};
  item.stages = {eval};
  return item;
}

inline Item cheating_item(Report& report) {
  const std::string text = "class ModelNew:\n    def forward(self, x):\n        return self.kept[x.data_ptr()]\n";
  report.sources["demo/memo.py"] = text;
  Item item;
  item.task = "a_task_with_a_rather_long_name_that_must_be_cut";
  item.candidate = "memo|\x1b[2J";
  item.verdict = Verdict::kCheat;
  item.expected_verdict = "wrong";
  StageResult analysis;
  analysis.stage = Stage::kAnalysis;
  analysis.verdict = Verdict::kCheat;
  analysis.attempts = 1;
  Finding finding;
  finding.code = "KA201";
  finding.slug = "result-cache";
  finding.severity = Severity::kError;
  finding.confidence = Confidence::kHigh;
  finding.effect = Effect::kCheat;
  finding.message = "`forward` returns `self.kept`, which holds results of earlier calls by the address of the input.";
  finding.span.file = "demo/memo.py";
  finding.span.begin = static_cast<std::int64_t>(text.find("self.kept"));
  finding.span.end = finding.span.begin + 9;
  locate(finding.span, text);
  analysis.findings = {finding};
  item.stages = {analysis};
  return item;
}

inline Report example() {
  Report report;
  report.command = "run";
  report.tool_version = "0.1.0";
  report.policy = "kernelbench";
  report.started = "2026-01-02T03:04:05Z";
  report.environment.device = "cpu";
  report.environment.cpu_model = "Some Processor";
  report.environment.cpu_cores = 2;
  report.environment.torch_version = "2.11.0";
  report.warnings = {"2 other processes used a whole core while times were taken."};
  report.sandbox = {{"namespaces", "active"}, {"landlock", "the kernel has no Landlock"}};
  report.problems = {"a.jsonl: record 17:custom_code: is not text (put the source code in it as a string)"};
  report.items.push_back(confirmed_item());
  report.items.push_back(cheating_item(report));
  Item idle;
  idle.task = "1/45";
  idle.verdict = Verdict::kNotRun;
  idle.reason = "The inputs need 16.0 GiB, this machine has 8.0 GiB.";
  report.items.push_back(idle);
  report.exit_code = 1;
  return report;
}

// What `lint` reports: a finding with steps inside an embedded source, one allowed by a comment, one in a record.
inline Report lint_example() {
  const std::string text =
      "src = r'''\n  side<<<1, 1, 0, s>>>(é);\n'''\nclass ModelNew:\n"
      "    def forward(self, x):  # kernel-audit: allow KA501 in place\n        return ext.go(x)\n";
  const auto span_of = [&](const std::string& file, const std::string& part) {
    SourceSpan span;
    span.file = file;
    span.begin = static_cast<std::int64_t>(text.find(part));
    span.end = span.begin + static_cast<std::int64_t>(part.size());
    locate(span, text);
    return span;
  };
  Report report;
  report.command = "lint";
  report.tool_version = "0.1.0";
  report.policy = "kernelbench";
  report.started = "2026-01-02T03:04:05Z";
  report.notes = {"A note."};
  report.rules = {{RuleInfo{"KA301",
                            "side-stream",
                            "work on another stream is not joined",
                            Severity::kError,
                            Confidence::kHigh,
                            Stage::kAnalysis,
                            Effect::kCheat,
                            {26, 27}},
                   "# KA301 side-stream\n"}};
  for (const std::string file : {"dir/a b.py", "all.jsonl:record 3:custom_code"}) {
    report.sources[file] = text;
    Item item;
    item.candidate = file == "dir/a b.py" ? "a b" : "1/3";
    item.verdict = Verdict::kCheat;
    item.expected_verdict = file == "dir/a b.py" ? "cheat" : "wrong";
    StageResult stage;
    stage.stage = Stage::kAnalysis;
    stage.verdict = Verdict::kCheat;
    Finding finding;
    finding.code = "KA301";
    finding.slug = "side-stream";
    finding.severity = Severity::kError;
    finding.confidence = Confidence::kHigh;
    finding.effect = Effect::kCheat;
    finding.message = "Nothing waits for kernel side: 100 %, say <some>.";
    finding.span = span_of(file, "side<<<1, 1, 0, s>>>(é)");
    finding.notes.push_back({span_of(file, "ext.go(x)"), "called here"});
    stage.findings = {finding};
    Finding allowed = finding;
    allowed.code = "KA501";
    allowed.slug = "returned-argument";
    allowed.notes.clear();
    allowed.span = span_of(file, "return ext.go(x)");
    stage.suppressed.push_back({allowed, "inline", "in place", span_of(file, "# kernel-audit: allow KA501 in place")});
    item.stages = {stage};
    item.reason = finding.message;
    report.items.push_back(item);
  }
  Item unsure;
  unsure.candidate = "opaque";
  unsure.verdict = Verdict::kInconclusive;
  unsure.reason = "The source is not text & cannot be read.";
  report.items.push_back(unsure);
  Item clean;
  clean.candidate = "fine";
  clean.verdict = Verdict::kClean;
  clean.expected_verdict = "confirmed";
  report.items.push_back(clean);
  report.exit_code = 1;
  return report;
}

}  // namespace kernel_audit::reports
