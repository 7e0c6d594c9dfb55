// KA004 input-influence: an input, all inputs together, or a parameter does not move the output.
#include <map>
#include <utility>

#include "filters/rules/rules.h"
#include "filters/rules/support.h"

namespace kernel_audit::filters {
namespace {

const RuleInfo kInfo = {"KA004",          "input-influence", "Output does not depend on an input",
                        Severity::kError, Confidence::kHigh, Stage::kFilters,
                        Effect::kDrop,    {63, 66, 73}};

// All variations of one input, parameter or buffer.
struct Subject {
  std::string kind, name;
  std::vector<const Influence*> measured, missing;
  double largest_change() const {
    double largest = 0;
    for (const Influence* influence : measured) largest = std::max(largest, *influence->max_change);
    return largest;
  }
};

std::string variations(const Subject& subject) {
  std::string list;
  for (const Influence* influence : subject.measured) list += (list.empty() ? "" : ", ") + influence->variation;
  return list;
}

std::vector<Finding> published(const TaskEvidence& evidence, const Policy& policy, double limit) {
  for (const Influence& influence : evidence.influences) {
    if (influence.kind != "all-inputs") continue;
    if (!influence.seed_std_max) {
      if (influence.missing == kUndefinedSpread) return {};  // published: NaN < limit is false
      return {could_not_tell(kInfo, influence.missing)};
    }
    if (*influence.seed_std_max >= limit) return {};
    Finding finding = filter_finding(
        kInfo, policy,
        "With fixed weights no element of the output has a standard deviation over redrawn inputs above " +
            format_number(*influence.seed_std_max) + ", below the absolute limit of " + format_number(limit) + ".");
    finding.evidence = {measured("seed_std_max", *influence.seed_std_max,
                                 "largest per-element standard deviation over redrawn inputs, weights fixed")};
    return {finding};
  }
  return {could_not_tell(kInfo, "the inputs were not redrawn under fixed weights")};
}

void judge_all_inputs(const TaskEvidence& evidence, const Policy& policy, std::vector<Finding>& findings) {
  for (const Influence& influence : evidence.influences) {
    if (influence.kind != "all-inputs") continue;
    if (!influence.seed_std_max) {
      findings.push_back(could_not_tell(kInfo, influence.missing));
      continue;
    }
    const double spread = *influence.seed_std_max, scale = influence.output_scale.value_or(0);
    const double tolerance = tolerance_at(evidence, scale);
    const auto drop = threshold(policy, "filters.input-influence.drop_tolerance");
    const auto near = threshold(policy, "filters.input-influence.review_relative");
    const bool is_degenerate = drop && spread <= *drop * tolerance;
    if (!is_degenerate && !(near && spread <= *near * scale)) continue;
    Finding finding = filter_finding(
        kInfo, policy,
        "Redrawing all inputs under fixed weights moves the output by a standard deviation of at most " +
            format_number(spread) +
            (is_degenerate ? ", within the benchmark's tolerance of " + format_number(tolerance) + "."
                           : ", which is " + format_number(100 * spread / scale) + " % of its mean magnitude."));
    finding.evidence = {
        measured("seed_std_max", spread, "largest per-element standard deviation over redrawn inputs, weights fixed")};
    if (!is_degenerate) lower_to_review(finding);
    findings.push_back(std::move(finding));
  }
}

void judge_subject(const Subject& subject, const TaskEvidence& evidence, const Policy& policy,
                   std::vector<Finding>& findings) {
  if (subject.measured.empty()) {
    if (subject.kind == "buffer") return;  // counters and the like; no rule rests on them
    findings.push_back(could_not_tell(
        kInfo, subject.kind + " '" + subject.name + "' could not be varied: " +
                   (subject.missing.empty() ? "no variation applies" : subject.missing.front()->missing)));
    return;
  }
  const double change = subject.largest_change();
  const double scale = subject.measured.front()->output_scale.value_or(0);
  const auto drop = threshold(policy, "filters.input-influence.drop_tolerance");
  if (!drop || change > *drop * tolerance_at(evidence, scale)) return;
  const std::string amount = change == 0 ? "leaves the output unchanged"
                                         : "changes the output by at most " + format_number(change) +
                                               ", within the benchmark's tolerance of " +
                                               format_number(tolerance_at(evidence, scale));
  Finding finding = filter_finding(
      kInfo, policy,
      "Varying " + subject.kind + " '" + subject.name + "' alone (" + variations(subject) + ") " + amount + ".");
  finding.evidence = {measured("max_change", change, "largest |change| of the output")};
  // An input that nothing shows is a hole in the task. A parameter or a buffer may be dead by design (a bias
  // before a normalisation, running statistics in train mode).
  if (subject.kind == "parameter") lower_to_review(finding);
  if (subject.kind == "buffer") {
    finding.effect = Effect::kNote;
    finding.severity = Severity::kNote;
  }
  findings.push_back(std::move(finding));
}

std::vector<Finding> check(const TaskEvidence& evidence, const Policy& policy) {
  if (const auto reason = not_measured(evidence, kInfluenceProbe)) return {could_not_tell(kInfo, *reason)};
  if (const auto limit = threshold(policy, "filters.input-influence.absolute")) {
    return published(evidence, policy, *limit);
  }
  std::vector<Finding> findings;
  judge_all_inputs(evidence, policy, findings);
  std::vector<Subject> subjects;
  std::map<std::pair<std::string, std::string>, std::size_t> index;
  for (const Influence& influence : evidence.influences) {
    if (influence.kind == "all-inputs") continue;
    const auto [found, added] = index.try_emplace({influence.kind, influence.name}, subjects.size());
    if (added) subjects.push_back({influence.kind, influence.name, {}, {}});
    Subject& subject = subjects[found->second];
    (influence.max_change ? subject.measured : subject.missing).push_back(&influence);
  }
  for (const Subject& subject : subjects) judge_subject(subject, evidence, policy, findings);
  if (const auto reason = evidence.missing.find(kParameterInfluence); reason != evidence.missing.end()) {
    findings.push_back(could_not_tell(kInfo, "parameters were not varied: " + reason->second));
  }
  return findings;
}

}  // namespace

Rule input_influence_rule() { return {kInfo, check}; }

}  // namespace kernel_audit::filters
