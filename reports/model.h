// The result model: what every report writer renders. It knows verdicts, findings and metrics, and
// nothing of how a stage came to them. `auditor/commands` fills it from the journal × policy.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "auditor/core/environment.h"
#include "auditor/core/finding.h"
#include "auditor/core/json.h"
#include "auditor/core/metric.h"
#include "auditor/core/verdict.h"

namespace kernel_audit::reports {

inline constexpr int kSchemaVersion = 1;

struct StageResult {
  Stage stage = Stage::kFilters;
  Verdict verdict = Verdict::kNotRun;  // what the stage alone says
  std::string reason;                  // for not-run, broken, inconclusive
  int attempts = 0;
  std::vector<Finding> findings;
  std::vector<Metric> metrics;
  std::vector<SuppressedFinding> suppressed;  // lint only: taken out of `findings` and of the verdict
};

// A rule that the report may name, for formats that carry descriptions of their rules.
struct RuleText {
  RuleInfo info;
  std::string_view documentation;  // Markdown, compiled in
};

struct Item {
  std::string task;  // Task::key(), may be empty (lint of a bare file)
  std::string task_name;
  std::string candidate;  // empty for `filter`
  std::string task_sha256;
  std::string candidate_sha256;
  std::vector<std::string> files;  // what was read of the candidate, its entry first
  Verdict verdict = Verdict::kNotRun;
  std::string reason;  // one sentence: why this verdict
  std::optional<double> claimed_speedup;
  std::optional<Metric> measured_speedup;  // device time, candidate process
  std::optional<Metric> proven_speedup;    // referee clock
  std::vector<StageResult> stages;
  std::optional<std::string> expected_verdict;  // demo: the label
};

struct Report {
  std::string command;  // "run", "filter", "lint", "eval"
  std::string tool_version;
  std::string policy;
  std::string started;  // RFC 3339
  Environment environment;
  std::vector<std::string> warnings;           // what makes this machine's numbers untrustworthy, first
  std::map<std::string, std::string> sandbox;  // layer → "active" or why not
  std::vector<std::string> notes;              // what a reader should know beside the verdicts, one sentence each
  std::vector<std::string> problems;           // inputs that could not be read, as Error::describe() says it
  std::vector<Item> items;
  std::map<std::string, std::string> sources;  // SourceSpan::file → text, for excerpts; not part of results.json
  std::vector<RuleText> rules;                 // every rule there is, sorted by code; not part of results.json
  int exit_code = 0;
};

std::string render_terminal(const Report& report, bool color, int width);
std::string render_json(const Report& report);  // results.json, schema in reports/schema/
std::string render_markdown(const Report& report);
// For `lint` in a terminal or an editor: each finding as compilers print it, then one line per candidate.
std::string render_diagnostics(const Report& report, bool color);
std::string render_sarif(const Report& report);   // SARIF 2.1.0
std::string render_github(const Report& report);  // workflow commands that GitHub shows as annotations
std::string render_junit(const Report& report);   // one test case per item

}  // namespace kernel_audit::reports
