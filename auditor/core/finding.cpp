#include "auditor/core/finding.h"

#include <utility>

#include "auditor/core/names.h"

namespace kernel_audit {
namespace {

constexpr Names<Stage, 3> kStages = {
    {{Stage::kFilters, "filters"}, {Stage::kAnalysis, "analysis"}, {Stage::kEval, "eval"}}};
constexpr Names<Severity, 3> kSeverities = {
    {{Severity::kNote, "note"}, {Severity::kWarning, "warning"}, {Severity::kError, "error"}}};
constexpr Names<Confidence, 3> kConfidences = {
    {{Confidence::kLow, "low"}, {Confidence::kMedium, "medium"}, {Confidence::kHigh, "high"}}};
constexpr Names<Effect, 6> kEffects = {{{Effect::kNote, "note"},
                                        {Effect::kReview, "review"},
                                        {Effect::kInconclusive, "inconclusive"},
                                        {Effect::kDrop, "drop"},
                                        {Effect::kCheat, "cheat"},
                                        {Effect::kWrong, "wrong"}}};
constexpr Names<Topic, 8> kTopics = {{{Topic::kNone, "none"},
                                      {Topic::kFrameworkCompute, "framework_compute"},
                                      {Topic::kVendorLibraries, "vendor_libraries"},
                                      {Topic::kTorchCompile, "torch_compile"},
                                      {Topic::kCudaGraphs, "cuda_graphs"},
                                      {Topic::kReducedPrecision, "reduced_precision"},
                                      {Topic::kSideStreams, "side_streams"},
                                      {Topic::kBackendFlags, "backend_flags"}}};

}  // namespace

const char* to_string(Stage stage) { return name_of(kStages, stage); }
const char* to_string(Severity severity) { return name_of(kSeverities, severity); }
const char* to_string(Confidence confidence) { return name_of(kConfidences, confidence); }
const char* to_string(Effect effect) { return name_of(kEffects, effect); }
const char* to_string(Topic topic) { return name_of(kTopics, topic); }
std::optional<Topic> topic_from_string(const std::string& text) { return value_of(kTopics, text); }
std::optional<Stage> stage_from_string(const std::string& text) { return value_of(kStages, text); }
std::optional<Severity> severity_from_string(const std::string& text) { return value_of(kSeverities, text); }
std::optional<Confidence> confidence_from_string(const std::string& text) { return value_of(kConfidences, text); }
std::optional<Effect> effect_from_string(const std::string& text) { return value_of(kEffects, text); }

Severity severity_of(const RuleInfo& rule, Effect effect) {
  if (effect == rule.effect) return rule.severity;
  switch (effect) {
    case Effect::kNote:
      return Severity::kNote;
    case Effect::kReview:
    case Effect::kInconclusive:
      return Severity::kWarning;
    case Effect::kDrop:
    case Effect::kCheat:
    case Effect::kWrong:
      break;
  }
  return Severity::kError;
}

Finding make_finding(const RuleInfo& rule, std::string message) {
  Finding finding;
  finding.code = rule.code;
  finding.slug = rule.slug;
  finding.severity = rule.severity;
  finding.confidence = rule.confidence;
  finding.effect = rule.effect;
  // Analysis reads the source; what stages 1 and 3 report rests on memory of our own unless the rule says otherwise.
  finding.origin = rule.stage == Stage::kAnalysis ? Origin::kSource : Origin::kRefereeMemory;
  finding.message = std::move(message);
  return finding;
}

}  // namespace kernel_audit
