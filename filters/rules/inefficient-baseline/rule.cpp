// KA009 inefficient-baseline: the reference does work that its own mathematics does not need, or runs far from what
// the compiler or the device can do.
#include "filters/rules/rules.h"
#include "filters/rules/support.h"

namespace kernel_audit::filters {
namespace {

const RuleInfo kInfo = {"KA009",
                        "inefficient-baseline",
                        "A speedup would measure the waste of the reference",
                        Severity::kError,
                        Confidence::kHigh,
                        Stage::kFilters,
                        Effect::kDrop,
                        {63, 65}};

Metric with_unit(Metric metric, const char* unit) {
  metric.unit = unit;
  return metric;
}

// Needless share of the whole reference's FLOPs or bytes.
std::optional<double> needless_share(const Waste& waste, const CostEvidence& cost) {
  const std::optional<double>& total = waste.unit == "FLOP" ? cost.flops : cost.bytes;
  if (!total || !(*total > 0)) return std::nullopt;
  return (waste.spent - waste.needed) / std::max(*total, waste.spent);
}

// A broadcast that has the form of an output may be the output, which has to be written in full.
bool may_be_output(const Waste& waste, const TaskEvidence& evidence) {
  if (waste.kind != "materialised-broadcast") return false;
  for (const OperatorCall& call : evidence.calls) {
    if (call.position != waste.position || call.output_shapes.empty()) continue;
    for (const OutputStatistics& output : evidence.outputs) {
      if (output.shape == call.output_shapes[0]) return true;
    }
  }
  return false;
}

void judge_waste(const TaskEvidence& evidence, const Policy& policy, std::vector<Finding>& findings) {
  const CostEvidence& cost = *evidence.cost;
  const auto drop = threshold(policy, "filters.inefficient-baseline.drop_waste_share");
  const auto near = threshold(policy, "filters.inefficient-baseline.review_waste_share");
  for (const Waste& waste : cost.waste) {
    const auto share = needless_share(waste, cost);
    if (!share) continue;
    Finding finding = filter_finding(kInfo, policy,
                                     waste.explanation + " Call " + std::to_string(waste.position) + " " + waste.op +
                                         (waste.module.empty() ? "" : " (" + waste.module + ")") + " spends " +
                                         format_number(waste.spent) + " " + waste.unit + " where " +
                                         format_number(waste.needed) + " do, " + format_number(100 * *share) +
                                         " % of all " + waste.unit + " of the reference (" + waste.kind + ").");
    finding.evidence = {
        with_unit(measured("spent", waste.spent, "spent by this call", Hint::kPlain), waste.unit.c_str()),
        with_unit(measured("needed", waste.needed, "what the same result needs", Hint::kPlain), waste.unit.c_str()),
        measured("needless_share", *share, "share of the whole reference", Hint::kPercent)};
    if (!drop || *share < *drop) lower_to_review(finding);
    if ((near && *share < *near) || may_be_output(waste, evidence)) finding.effect = Effect::kNote;
    findings.push_back(std::move(finding));
  }
}

Metric duration(const char* id, double ms, const char* description) {
  Metric metric = measured(id, ms * 1e6, description, Hint::kDuration);
  metric.unit = "ns";
  return metric;
}

void judge_time(const TaskEvidence& evidence, const Policy& policy, std::vector<Finding>& findings) {
  const CostEvidence& cost = *evidence.cost;
  if (!cost.eager_ms) return;
  const auto least = threshold(policy, "filters.inefficient-baseline.least_ms");
  if (least && *cost.eager_ms < *least) return;  // launch overhead: too-short-to-measure judges that
  const auto compiled = threshold(policy, "filters.inefficient-baseline.review_compile_ratio");
  if (cost.compile_ms && *cost.compile_ms > 0 && compiled && *cost.eager_ms >= *compiled * *cost.compile_ms) {
    Finding& finding =
        findings.emplace_back(filter_finding(kInfo, policy,
                                             "Eager execution takes " + format_number(*cost.eager_ms) +
                                                 " ms and torch.compile " + format_number(*cost.compile_ms) + " ms, " +
                                                 format_number(*cost.eager_ms / *cost.compile_ms) + " times less."));
    finding.evidence = {duration("eager_time", *cost.eager_ms, "median of eager passes"),
                        duration("compile_time", *cost.compile_ms, "median of compiled passes")};
    lower_to_review(finding);
  }
  const auto far = threshold(policy, "filters.inefficient-baseline.review_roofline_ratio");
  const auto launch = threshold(policy, "filters.inefficient-baseline.launch_ms");
  if (launch && *cost.eager_ms < *launch * static_cast<double>(evidence.calls.size())) return;
  if (evidence.device == "cpu" || !far || !cost.eager_over_roofline || *cost.eager_over_roofline < *far) return;
  Finding& finding = findings.emplace_back(
      filter_finding(kInfo, policy,
                     "Eager execution takes " + format_number(*cost.eager_ms) + " ms, " +
                         format_number(*cost.eager_over_roofline) + " times the " + format_number(*cost.roofline_ms) +
                         " ms that the device's peaks allow for the least work and traffic."));
  finding.evidence = {duration("eager_time", *cost.eager_ms, "median of eager passes"),
                      duration("roofline_time", *cost.roofline_ms, "least work and traffic at the device's peaks")};
  lower_to_review(finding);
}

std::vector<Finding> check(const TaskEvidence& evidence, const Policy& policy) {
  if (const auto reason = not_measured(evidence, kCostProbe)) return {could_not_tell(kInfo, *reason)};
  if (!evidence.cost) return {};  // not asked for
  std::vector<Finding> findings;
  judge_waste(evidence, policy, findings);
  judge_time(evidence, policy, findings);
  return findings;
}

}  // namespace

Rule inefficient_baseline_rule() { return {kInfo, check}; }

}  // namespace kernel_audit::filters
