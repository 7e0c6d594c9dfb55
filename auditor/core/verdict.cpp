#include "auditor/core/verdict.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "auditor/core/names.h"

namespace kernel_audit {
namespace {

constexpr Names<Verdict, 13> kVerdicts = {{{Verdict::kNotRun, "not-run"},
                                           {Verdict::kBroken, "broken"},
                                           {Verdict::kWrong, "wrong"},
                                           {Verdict::kCheat, "cheat"},
                                           {Verdict::kInvalidTask, "invalid-task"},
                                           {Verdict::kInconclusive, "inconclusive"},
                                           {Verdict::kReview, "review"},
                                           {Verdict::kNoSpeedup, "no-speedup"},
                                           {Verdict::kConfirmed, "confirmed"},
                                           {Verdict::kClean, "clean"},
                                           {Verdict::kKeep, "keep"},
                                           {Verdict::kDrop, "drop"},
                                           {Verdict::kNotComparable, "not-comparable"}}};

const Finding* first_with(const StageSummary& stage, Effect effect) {
  const auto found = std::find_if(stage.findings.begin(), stage.findings.end(),
                                  [effect](const Finding& finding) { return finding.effect == effect; });
  return found == stage.findings.end() ? nullptr : &*found;
}

std::string or_else(const std::string& reason, const char* fallback) { return reason.empty() ? fallback : reason; }

struct Present {
  Stage stage;
  const StageSummary* summary;
};

std::vector<Present> present_stages(const VerdictInputs& inputs) {
  std::vector<Present> present;
  if (inputs.filters) present.push_back({Stage::kFilters, &*inputs.filters});
  if (inputs.analysis) present.push_back({Stage::kAnalysis, &*inputs.analysis});
  if (inputs.eval) present.push_back({Stage::kEval, &*inputs.eval});
  return present;
}

// Verdicts that findings lead to, and the reason texts of those that need none.
struct EffectVerdict {
  Effect effect;
  Verdict verdict;
};
constexpr std::array<EffectVerdict, 3> kDecidingEffects = {
    {{Effect::kWrong, Verdict::kWrong}, {Effect::kCheat, Verdict::kCheat}, {Effect::kDrop, Verdict::kInvalidTask}}};

std::optional<Decision> by_effect(const std::vector<Present>& stages, Effect effect, Verdict verdict) {
  for (const auto& [stage, summary] : stages) {
    if (const Finding* finding = first_with(*summary, effect)) return Decision{verdict, finding->message};
  }
  return std::nullopt;
}

// Why a comparison that ran still proves nothing; empty when it does not stop here.
std::string unproven_speedup(const StageSummary* eval) {
  if (eval == nullptr) return "No speedup was measured: the measurement was not asked for.";
  if (!eval->speedup || !eval->speedup_interval) return or_else(eval->reason, "The speedup could not be established.");
  const Interval& interval = *eval->speedup_interval;
  if (!std::isfinite(*eval->speedup) || !std::isfinite(interval.low) || !std::isfinite(interval.high) ||
      interval.low > interval.high) {
    return "The interval of the speedup is not a pair of finite ordered numbers.";
  }
  return "";
}

}  // namespace

const char* to_string(Verdict verdict) { return name_of(kVerdicts, verdict); }
std::optional<Verdict> verdict_from_string(const std::string& text) { return value_of(kVerdicts, text); }

Verdict filter_verdict(const StageSummary& filters) {
  // A reference that cannot be run leaves the task unmeasured; it is no candidate's fault.
  if (!filters.ran || filters.broken) return Verdict::kNotRun;
  for (const Effect effect : {Effect::kDrop, Effect::kCheat, Effect::kWrong}) {
    if (first_with(filters, effect)) return Verdict::kDrop;
  }
  for (const Effect effect : {Effect::kInconclusive, Effect::kReview}) {
    if (first_with(filters, effect)) return Verdict::kReview;
  }
  return Verdict::kKeep;
}

Verdict lint_verdict(const StageSummary& analysis) {
  if (!analysis.ran) return Verdict::kNotRun;  // there is no source to read
  for (const Effect effect : {Effect::kCheat, Effect::kWrong}) {
    if (first_with(analysis, effect)) return Verdict::kCheat;
  }
  if (analysis.broken || first_with(analysis, Effect::kInconclusive)) return Verdict::kInconclusive;
  for (const Effect effect : {Effect::kReview, Effect::kDrop}) {
    if (first_with(analysis, effect)) return Verdict::kReview;
  }
  return analysis.has_witness ? Verdict::kClean : Verdict::kInconclusive;
}

Decision decide(const VerdictInputs& inputs) {
  const std::vector<Present> stages = present_stages(inputs);
  const StageSummary* analysis = inputs.analysis ? &*inputs.analysis : nullptr;
  const StageSummary* eval = inputs.eval ? &*inputs.eval : nullptr;
  if (stages.empty()) return {Verdict::kNotRun, "No stage was asked for."};
  std::optional<Decision> unfiltered;  // hides nothing that the other stages prove against the candidate
  for (const auto& [stage, summary] : stages) {
    if (summary->ran && !(stage == Stage::kFilters && summary->broken)) continue;
    const Decision not_run = {Verdict::kNotRun, or_else(summary->reason, "A stage that was asked for did not run.")};
    if (stage != Stage::kFilters) return not_run;
    unfiltered = not_run;
  }
  if (eval && eval->broken) return {Verdict::kBroken, or_else(eval->reason, "The candidate did not build or crashed.")};
  for (const auto& [effect, verdict] : kDecidingEffects) {
    if (auto decision = by_effect(stages, effect, verdict)) return *decision;
  }
  if (unfiltered) return *unfiltered;
  if (eval && eval->not_comparable) {
    return {Verdict::kNotComparable, or_else(eval->reason, "Reference and candidate cannot be put on equal footing.")};
  }
  if (auto decision = by_effect(stages, Effect::kInconclusive, Verdict::kInconclusive)) return *decision;
  if (analysis && analysis->broken) {
    return {Verdict::kInconclusive, or_else(analysis->reason, "The source could not be analysed.")};
  }
  if (std::string reason = unproven_speedup(eval); !reason.empty()) return {Verdict::kInconclusive, reason};
  if (auto decision = by_effect(stages, Effect::kReview, Verdict::kReview)) return *decision;
  // After review: a finding to review is the better reason why a value has no witness.
  if (analysis && !analysis->has_witness) {
    return {Verdict::kInconclusive, "The source analysis has no witness that every returned value is authored work."};
  }
  if (!(eval->speedup_interval->low > 1)) {
    return {Verdict::kNoSpeedup, "The interval of the proven speedup does not lie above 1."};
  }
  return {Verdict::kConfirmed, "The whole interval of the proven speedup lies above 1."};
}

Verdict final_verdict(const VerdictInputs& inputs) { return decide(inputs).verdict; }

int exit_code(const ExitInputs& inputs) {
  if (inputs.interrupted) return 130;
  if (inputs.tool_error) return 2;
  int code = inputs.gate_failed ? 1 : 0;
  for (const Verdict verdict : inputs.verdicts) {
    switch (verdict) {
      case Verdict::kBroken:
      case Verdict::kWrong:
      case Verdict::kCheat:
      case Verdict::kInvalidTask:
      case Verdict::kDrop:
        return 1;
      case Verdict::kNotRun:
      case Verdict::kInconclusive:
      case Verdict::kReview:
      case Verdict::kNotComparable:
        if (code == 0) code = 3;
        break;
      case Verdict::kNoSpeedup:
      case Verdict::kConfirmed:
      case Verdict::kClean:
      case Verdict::kKeep:
        break;
    }
  }
  return code;
}

}  // namespace kernel_audit
