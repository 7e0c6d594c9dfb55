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

std::vector<Metric> spread_metric(double spread) {
  return {
      measured("seed_std_max", spread, "largest per-element standard deviation over redrawn inputs, weights fixed")};
}

// True when the inputs together do not matter: then none of them does, and naming each adds nothing.
bool judge_all_inputs(const TaskEvidence& evidence, const Policy& policy, std::vector<Finding>& findings) {
  for (const Influence& influence : evidence.influences) {
    if (influence.kind != "all-inputs") continue;
    if (!influence.seed_std_max) {
      findings.push_back(could_not_tell(kInfo, influence.missing));
      return false;
    }
    const double spread = *influence.seed_std_max, scale = influence.output_scale.value_or(0);
    const double tolerance = tolerance_at(evidence, scale);
    const auto drop = threshold(policy, "filters.input-influence.drop_tolerance");
    const auto near = threshold(policy, "filters.input-influence.review_relative");
    const std::string fact =
        "Redrawing all inputs under fixed weights moves the output by a standard deviation of at most " +
        format_number(spread) + ", ";
    if (drop && spread <= *drop * tolerance) {
      findings.push_back(filter_finding(
          kInfo, policy, fact + "within the benchmark's tolerance of " + format_number(tolerance) + "."));
      findings.back().evidence = spread_metric(spread);
      return true;
    }
    if (near && spread <= *near * scale) {
      findings.push_back(filter_finding(
          kInfo, policy, fact + "which is " + format_number(100 * spread / scale) + " % of its mean magnitude."));
      findings.back().evidence = spread_metric(spread);
      lower_to_review(findings.back());
    }
    return false;
  }
  return false;
}

// Does any variation of `subject` move the output by more than the benchmark notices?
bool has_influence(const Subject& subject, const TaskEvidence& evidence, const Policy& policy) {
  const auto drop = threshold(policy, "filters.input-influence.drop_tolerance");
  for (const Influence* influence : subject.measured) {
    if (!drop || *influence->max_change > *drop * tolerance_at(evidence, influence->output_scale.value_or(0)))
      return true;
  }
  return false;
}

std::string amount(double change) {
  return change == 0 ? "leaves the output unchanged"
                     : "changes the output by at most " + format_number(change) + ", within the benchmark's tolerance";
}

void judge_input(const Subject& subject, const TaskEvidence& evidence, const Policy& policy,
                 std::vector<Finding>& findings) {
  if (subject.measured.empty()) {
    findings.push_back(
        could_not_tell(kInfo, "input '" + subject.name + "' could not be varied: " + subject.missing.front()->missing));
    return;
  }
  if (has_influence(subject, evidence, policy)) return;
  const double change = subject.largest_change();
  findings.push_back(filter_finding(
      kInfo, policy,
      "Varying input '" + subject.name + "' alone (" + variations(subject) + ") " + amount(change) + "."));
  findings.back().evidence = {measured("max_change", change, "largest |change| of the output")};
}

// Parameters and buffers without influence, in one finding for each kind. They may be dead by design (a bias
// before a normalisation, running statistics in train mode), so they never drop a task.
void judge_state(const std::vector<Subject>& subjects, const std::string& kind, const TaskEvidence& evidence,
                 const Policy& policy, std::vector<Finding>& findings) {
  std::string names;
  double change = 0;
  int dead = 0;
  for (const Subject& subject : subjects) {
    if (subject.kind != kind || subject.measured.empty() || has_influence(subject, evidence, policy)) continue;
    names += (dead++ > 0 ? ", '" : "'") + subject.name + "'";
    change = std::max(change, subject.largest_change());
  }
  if (dead == 0) return;
  findings.push_back(filter_finding(kInfo, policy,
                                    "Varying " + kind + (dead > 1 ? "s " : " ") + names +
                                        (dead == 1          ? " alone "
                                         : kind == "buffer" ? ", each alone or all together, "
                                                            : ", each alone, ") +
                                        amount(change) + "."));
  Finding& finding = findings.back();
  finding.evidence = {measured("max_change", change, "largest |change| of the output")};
  lower_to_review(finding);
  if (kind == "buffer") finding.effect = Effect::kNote;
}

std::vector<Subject> subjects_of(const TaskEvidence& evidence) {
  std::vector<Subject> subjects;
  std::map<std::pair<std::string, std::string>, std::size_t> index;
  for (const Influence& influence : evidence.influences) {
    if (influence.kind == "all-inputs") continue;
    const auto [found, added] = index.try_emplace({influence.kind, influence.name}, subjects.size());
    if (added) subjects.push_back({influence.kind, influence.name, {}, {}});
    Subject& subject = subjects[found->second];
    (influence.max_change ? subject.measured : subject.missing).push_back(&influence);
  }
  return subjects;
}

std::vector<Finding> check(const TaskEvidence& evidence, const Policy& policy) {
  if (const auto reason = not_measured(evidence, kInfluenceProbe)) return {could_not_tell(kInfo, *reason)};
  if (const auto limit = threshold(policy, "filters.input-influence.absolute")) {
    return published(evidence, policy, *limit);
  }
  std::vector<Finding> findings;
  const bool none_matters = judge_all_inputs(evidence, policy, findings);
  const std::vector<Subject> subjects = subjects_of(evidence);
  for (const Subject& subject : subjects) {
    if (subject.kind == "input" && !none_matters) judge_input(subject, evidence, policy, findings);
  }
  judge_state(subjects, "parameter", evidence, policy, findings);
  judge_state(subjects, "buffer", evidence, policy, findings);
  if (const auto reason = evidence.missing.find(kParameterInfluence); reason != evidence.missing.end()) {
    findings.push_back(could_not_tell(kInfo, "parameters were not varied: " + reason->second));
  }
  return findings;
}

}  // namespace

Rule input_influence_rule() { return {kInfo, check}; }

}  // namespace kernel_audit::filters
