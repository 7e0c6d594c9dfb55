// SARIF 2.1.0 (OASIS): one run, the rules that were hit with their documentation, one result per finding with its flow,
// findings that were set aside as suppressed results, and what could not be decided as notifications of the invocation.
#include <algorithm>
#include <map>

#include "auditor/core/json.h"
#include "reports/model.h"
#include "reports/text/printable.h"
#include "reports/text/source_place.h"
#include "reports/text/summary.h"

namespace kernel_audit::reports {
namespace {

const char* level_of(Severity severity) {
  return severity == Severity::kError ? "error" : severity == Severity::kWarning ? "warning" : "note";
}

Json message(const std::string& text) { return {{"text", printable(text, true)}}; }

class SarifWriter {
 public:
  explicit SarifWriter(const Report& report) : report_(report) {}

  std::string write() {
    Json results = Json::array(), notifications = Json::array();
    for (const std::string& problem : report_.problems) notifications.push_back(notification("warning", problem));
    for (const Item& item : report_.items) {
      bool explained = false;
      for (const StageResult& stage : item.stages) {
        for (const Finding& finding : stage.findings) {
          results.push_back(result(finding, item));
          explained = explained || finding.effect != Effect::kNote;
        }
        for (const SuppressedFinding& each : stage.suppressed) {
          if (each.by == "selection") continue;  // not asked for: no result at all
          Json suppressed = result(each.finding, item);
          Json suppression = {{"kind", each.by == "inline" ? "inSource" : "external"}};
          if (!each.reason.empty()) suppression["justification"] = printable(each.reason);
          if (each.place.known()) suppression["location"] = location(each.place);
          suppressed["suppressions"] = Json::array({std::move(suppression)});
          results.push_back(std::move(suppressed));
        }
      }
      if (!explained && undecided(item.verdict)) {
        notifications.push_back(notification(
            "warning", name_of(item) + ": " + std::string(to_string(item.verdict)) + ". " + reason_of(item)));
      }
    }
    for (const std::string& note : report_.notes) notifications.push_back(notification("note", note));
    Json run = {
        {"tool", {{"driver", driver()}}},
        {"columnKind", "unicodeCodePoints"},
        {"invocations", Json::array({{{"executionSuccessful", report_.exit_code != 2 && report_.exit_code != 130},
                                      {"exitCode", report_.exit_code},
                                      {"toolExecutionNotifications", std::move(notifications)}}})},
        {"artifacts", artifacts_},
        {"results", std::move(results)},
        {"properties", {{"command", report_.command}, {"policy", report_.policy}}}};
    const Json log = {
        {"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"},
        {"version", "2.1.0"},
        {"runs", Json::array({std::move(run)})}};
    return dump_json(log, 2) + "\n";
  }

 private:
  static std::string name_of(const Item& item) { return item.candidate.empty() ? item.task : item.candidate; }
  static bool undecided(Verdict verdict) {
    return verdict == Verdict::kInconclusive || verdict == Verdict::kNotRun || verdict == Verdict::kReview ||
           verdict == Verdict::kNotComparable || verdict == Verdict::kBroken;
  }

  static Json notification(const char* level, const std::string& text) {
    return {{"level", level}, {"message", message(text)}};
  }

  // Rules in the order in which results name them.
  std::size_t rule_index(const Finding& finding) {
    const auto [it, is_new] = rule_indexes_.emplace(finding.code, rules_.size());
    if (!is_new) return it->second;
    Json rule = {{"id", finding.code}, {"name", finding.slug}};
    const auto known = std::find_if(report_.rules.begin(), report_.rules.end(),
                                    [&](const RuleText& text) { return text.info.code == finding.code; });
    if (known != report_.rules.end()) {
      rule["shortDescription"] = {{"text", known->info.summary}};
      if (!known->documentation.empty()) {
        const std::string documentation(known->documentation);
        rule["help"] = {{"text", documentation}, {"markdown", documentation}};
      }
      rule["defaultConfiguration"] = {{"level", level_of(known->info.severity)}};
      rule["properties"] = {{"precision", to_string(known->info.confidence)},
                            {"effect", to_string(known->info.effect)},
                            {"catalogue", known->info.catalogue}};
    }
    rules_.push_back(std::move(rule));
    return it->second;
  }

  std::size_t artifact_index(const std::string& file) {
    const auto known = artifact_indexes_.find(file);
    if (known != artifact_indexes_.end()) return known->second;
    const ArtifactName name = artifact_of(file);
    Json artifact;
    if (name.inner.empty()) {
      artifact["location"] = {{"uri", uri_of(name.path)}};
    } else {
      const std::size_t parent = artifact_index(name.path);
      artifact["location"] = {{"uri", "/" + uri_of(name.inner)}};
      artifact["parentIndex"] = parent;
      // The record's code is no file of its own: without its text nobody could show the place.
      if (const auto source = report_.sources.find(file); source != report_.sources.end())
        artifact["contents"] = {{"text", source->second}};
    }
    const std::size_t index = artifacts_.size();
    artifacts_.push_back(std::move(artifact));
    artifact_indexes_.emplace(file, index);
    return index;
  }

  Json location(const SourceSpan& span) {
    const std::size_t index = artifact_index(span.file);
    Json physical = {{"artifactLocation", {{"uri", artifacts_[index]["location"]["uri"]}, {"index", index}}}};
    if (span.known()) {
      Json region = {{"startLine", span.line},
                     {"endLine", std::max(span.end_line, span.line)},
                     {"byteOffset", span.begin},
                     {"byteLength", std::max<std::int64_t>(span.end - span.begin, 0)}};
      const CharacterColumns columns = character_columns(span, report_.sources);
      if (columns.begin > 0) region["startColumn"] = columns.begin;
      if (columns.end > 0) region["endColumn"] = columns.end;
      physical["region"] = std::move(region);
    }
    return {{"physicalLocation", std::move(physical)}};
  }

  Json result(const Finding& finding, const Item& item) {
    const std::size_t index = rule_index(finding);
    const bool open = finding.effect == Effect::kInconclusive;  // the tool could not tell: no failure of the candidate
    Json json = {
        {"ruleId", finding.code},
        {"ruleIndex", index},
        {"kind", open ? "open" : "fail"},
        {"level", open ? "none" : level_of(finding.severity)},
        {"message", message(finding.message)},
        {"partialFingerprints", {{"kernelAuditFinding/v1", fingerprint(finding, finding.span.file, report_.sources)}}},
        {"properties",
         {{"item", name_of(item)},
          {"verdict", to_string(item.verdict)},
          {"effect", to_string(finding.effect)},
          {"confidence", to_string(finding.confidence)},
          {"origin", to_string(finding.origin)},
          {"evidence", finding.evidence}}}};
    json["locations"] = Json::array();
    if (!finding.span.file.empty()) json["locations"].push_back(location(finding.span));
    Json steps = Json::array();
    for (const FlowNote& note : finding.notes) {
      if (note.span.file.empty()) continue;
      Json step = location(note.span);
      step["message"] = message(note.message);
      steps.push_back({{"location", std::move(step)}});
    }
    if (!steps.empty()) {
      json["codeFlows"] = Json::array({{{"threadFlows", Json::array({{{"locations", std::move(steps)}}})}}});
    }
    return json;
  }

  Json driver() {
    // A version that is no semantic version may not stand under semanticVersion.
    return {{"name", "kernel-audit"},
            {"organization", "kernel-audit"},
            {"version", report_.tool_version.empty() ? "unknown" : report_.tool_version},
            {"rules", rules_}};
  }

  const Report& report_;
  Json rules_ = Json::array();
  Json artifacts_ = Json::array();
  std::map<std::string, std::size_t> rule_indexes_;
  std::map<std::string, std::size_t> artifact_indexes_;
};

}  // namespace

std::string render_sarif(const Report& report) { return SarifWriter(report).write(); }

}  // namespace kernel_audit::reports
