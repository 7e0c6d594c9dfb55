#include "filters/engine.h"

#include "filters/presets.h"
#include "filters/rules/rule.h"

namespace kernel_audit::filters {
namespace {

Metric metric(const char* id, const char* unit, Hint hint, const char* description) {
  Metric result;
  result.id = id;
  result.unit = unit;
  result.hint = hint;
  result.origin = Origin::kRefereeMemory;
  result.description = description;
  return result;
}

std::string reason(const TaskEvidence& evidence, const std::string& probe, const std::string& otherwise) {
  for (const std::string& key : {std::string(kWholeTask), probe}) {
    const auto found = evidence.missing.find(key);
    if (found != evidence.missing.end()) return found->second;
  }
  return otherwise;
}

void fill(Metric& target, const std::optional<double>& value, const std::string& missing) {
  target.value = value;
  if (!value) target.missing_reason = missing;
}

}  // namespace

std::vector<Finding> judge(const TaskEvidence& evidence, const Policy& policy) {
  std::vector<Finding> findings;
  if (evidence.missing.contains(kWholeTask)) return findings;
  for (const Rule& rule : registry()) {
    if (!rule_enabled(policy, rule.info.slug)) continue;
    for (Finding& finding : rule.check(evidence, policy)) {
      finding.severity = severity_of(rule.info, finding.effect);
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}

StageSummary summarize(const TaskEvidence& evidence, const Policy& policy) {
  StageSummary summary;
  const auto whole = evidence.missing.find(kWholeTask);
  summary.ran = whole == evidence.missing.end();
  if (!summary.ran) summary.reason = whole->second;
  summary.findings = judge(evidence, policy);
  return summary;
}

StageSummary summarize_fault(const Error& error) {
  StageSummary summary;
  summary.reason = error.describe();
  return summary;
}

std::vector<Metric> metrics(const TaskEvidence& evidence) {
  std::vector<Metric> list;
  const auto bytes = [&](const char* id, std::uint64_t value, const char* description) {
    Metric& entry = list.emplace_back(metric(id, "bytes", Hint::kBytes, description));
    fill(entry, value ? std::optional<double>(static_cast<double>(value)) : std::nullopt,
         reason(evidence, kSeedsProbe, "there are none"));
  };
  Metric& forward =
      list.emplace_back(metric("forward_time", "ns", Hint::kDuration,
                               "median of the reference's forward passes while probing, not a benchmark"));
  fill(forward, evidence.forward_ms ? std::optional<double>(*evidence.forward_ms * 1e6) : std::nullopt,
       reason(evidence, kSeedsProbe, "no forward pass was timed"));
  bytes("input_bytes", evidence.input_bytes, "bytes of all inputs");
  bytes("parameter_bytes", evidence.parameter_bytes, "bytes of parameters and buffers");
  bytes("output_bytes", evidence.output_bytes, "bytes of all outputs");
  bytes("peak_resident_bytes", evidence.peak_resident_bytes, "largest resident size of the probing process");

  // The worst output stands for the task: smallest magnitude and spread.
  Metric largest = metric("output_magnitude_max", "1", Hint::kPlain, "largest |output| over all seeds");
  Metric spread = metric("seed_std_max", "1", Hint::kError, "largest per-element standard deviation over seeds");
  Metric axis = metric("axis_std_min", "1", Hint::kError,
                       "smallest over the output's axes of the largest standard deviation along it");
  const auto lower = [](Metric& target, const std::optional<double>& value) {
    if (value && (!target.value || *value < *target.value)) target.value = value;
  };
  for (const OutputStatistics& output : evidence.outputs) {
    if (output.minimum && output.maximum) lower(largest, std::max(-*output.minimum, *output.maximum));
    lower(spread, output.seed_std_max);
    for (std::size_t i = 1; i < output.axis_std_max.size(); ++i) lower(axis, output.axis_std_max[i]);
  }
  Metric impact = metric("input_std_max", "1", Hint::kError,
                         "largest per-element standard deviation over redrawn inputs, weights fixed");
  std::string impact_missing = reason(evidence, kInfluenceProbe, "not measured");
  for (const Influence& influence : evidence.influences) {
    if (influence.kind != "all-inputs") continue;
    lower(impact, influence.seed_std_max);
    if (!influence.seed_std_max) impact_missing = influence.missing;
  }
  const std::string no_value = reason(evidence, kSeedsProbe, "no finite value");
  for (Metric* entry : {&largest, &spread, &axis}) {
    if (!entry->value) entry->missing_reason = no_value;
  }
  if (!impact.value) impact.missing_reason = impact_missing;
  for (Metric* entry : {&largest, &spread, &axis, &impact}) list.push_back(*entry);
  return list;
}

}  // namespace kernel_audit::filters
