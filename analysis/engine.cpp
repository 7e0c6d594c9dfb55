#include "analysis/engine.h"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "analysis/facts/model.h"
#include "analysis/rules/rule.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"
#include "analysis/rules/task_call.h"

namespace kernel_audit::analysis {
namespace {

int rank(Effect effect) {
  switch (effect) {
    case Effect::kCheat:
      return 0;
    case Effect::kWrong:
      return 1;
    case Effect::kDrop:
      return 2;
    case Effect::kInconclusive:
      return 3;
    case Effect::kReview:
      return 4;
    case Effect::kNote:
      return 5;
  }
  return 6;
}

// What makes a result wrong or fast goes first; then that the framework takes part in it, of which more can be said
// where it is replayed, say, and that kernels do not run or do not write, where what does instead may be known; last
// what is wrong with the result, which rules of the group KA8xx tell.
int distance_from_cause(const Finding& finding) {
  if (finding.code.starts_with("KA8")) return 2;
  return finding.code == "KA103" || finding.code == "KA115" || finding.code == "KA531" ? 1 : 0;
}

// What decides whether a result is computed less precisely goes before that it is.
void put_gates_first(std::vector<Finding>& findings) {
  const auto is = [](const Finding& finding, std::initializer_list<std::string_view> codes) {
    return std::find(codes.begin(), codes.end(), finding.code) != codes.end();
  };
  const auto what =
      std::find_if(findings.begin(), findings.end(), [&](const Finding& each) { return is(each, {"KA421"}); });
  if (what == findings.end()) return;
  const auto same = [&](const Finding& each) { return each.effect == what->effect; };
  const auto end = std::find_if_not(what, findings.end(), same);
  std::stable_partition(what, end, [&](const Finding& each) { return is(each, {"KA412", "KA413"}); });
}

// Whether the rules that tell of what others compute have no more than a note for it.
bool others_allowed(const facts::Alternative& way, double share, const Policy& policy) {
  const auto noted = [&](const rules::Rule& rule) { return policy.effect(rule.info, share) == Effect::kNote; };
  const rules::Rule& of_framework =
      way.launches.empty() ? rules::framework_fallback() : rules::framework_beside_kernel();
  return (way.vendor.empty() || noted(rules::vendor_library())) && (share == 0 || noted(of_framework));
}

// Every way of returning must rest on authored code, or on what the policy allows beside it; ways taken only without a
// CUDA device, and ways for empty inputs beside a kernel that does the work, are left out.
void find_witness(const facts::Model& model, const Policy& policy, AnalysisResult& result) {
  bool all = !model.alternatives().empty() && model.run().limits.empty();
  bool any = false;
  for (const facts::Alternative& way : model.alternatives()) {
    if (rules::excused_by_device(way)) continue;
    const bool no_work = way.launches.empty() && way.framework.empty() && way.vendor.empty() && way.unknown.empty();
    if (no_work && rules::any_authored(model)) continue;
    const double share = rules::framework_share(model, way);
    const bool made = !way.launches.empty() || !way.vendor.empty() || share > 0;
    const bool authored = made && others_allowed(way, share, policy) && way.unknown.empty();
    all = all && authored;
    any = any || authored;
    for (const facts::NodeId id : way.launches) {
      const std::string name = model.name_of_node(id);
      if (std::find(result.witness.begin(), result.witness.end(), name) == result.witness.end())
        result.witness.push_back(name);
    }
  }
  result.opaque = std::any_of(model.facts().problems.begin(), model.facts().problems.end(),
                              [](const facts::Problem& problem) { return problem.blocks_clean; });
  result.has_witness = all && any && !result.opaque;
}

// The call of a candidate as its task makes it, rehearsed once a rule asks: a finding that rests on ways through the
// host code is none where that call takes other ways. The candidate itself says which sizes it is called with: of what
// is proven, how often loops turn by its settings is all that they may refute.
class Rehearsed {
 public:
  explicit Rehearsed(const facts::Model& model) : model_(model) {}

  void keep_what_happens(const rules::Rule& rule, const Policy& policy, std::vector<Finding>& findings) {
    if (!rests_on_ways(rule.info.code)) return;
    for (Call* call : {&by_settings_, &by_sizes_}) {
      const auto refutable = [&](const Finding& finding) {
        return accuses(finding) && (call == &by_sizes_) == (finding.effect == Effect::kReview);
      };
      if (std::none_of(findings.begin(), findings.end(), refutable)) continue;
      rehearse(*call);
      if (!acquits(*call)) continue;
      const std::vector<Finding> held = rule.check(*call->model, policy);
      if (std::none_of(held.begin(), held.end(), accuses)) std::erase_if(findings, refutable);
    }
  }

  // What only shows when no other sizes are thought of: the framework or nothing at all makes the result of that call.
  // Where something accuses already, a person looks anyway.
  void add_what_happens(const Policy& policy, std::vector<Finding>& findings) {
    if (std::any_of(findings.begin(), findings.end(), accuses)) return;
    rehearse(by_sizes_);
    if (!by_sizes_.model || !by_sizes_.model->run().limits.empty()) return;
    for (const rules::Rule& rule : rules::registry()) {
      if (!tells_of_the_result(rule.info.code)) continue;
      for (Finding& finding : rule.check(*by_sizes_.model, policy)) {
        if (finding.effect != Effect::kCheat && finding.effect != Effect::kReview) continue;
        rules::soften_to_review(finding);
        finding.notes.push_back({finding.span, "so it is with what get_inputs makes"});
        findings.push_back(std::move(finding));
      }
    }
  }

 private:
  static bool accuses(const Finding& finding) { return finding.effect != Effect::kNote; }
  static bool tells_of_the_result(std::string_view code) {
    return code == "KA101" || code == "KA115" || code == "KA531";
  }
  struct Call {
    bool asked = false;
    std::unique_ptr<facts::Model> model;
  };
  static bool rests_on_ways(std::string_view code) {
    return code == "KA201" || code == "KA231" || code == "KA531" || code == "KA832";
  }
  void rehearse(Call& call) {
    if (std::exchange(call.asked, true)) return;
    auto task = rules::task_call(model_);
    if (!task) return;
    if (&call == &by_settings_) task->shapes.clear();
    call.model = std::make_unique<facts::Model>(model_.facts(), task);
  }
  // A call that launches nothing acquits nobody, nor does one whose result could not be followed.
  static bool acquits(const Call& call) {
    if (!call.model || !call.model->run().limits.empty()) return false;
    const auto& ways = call.model->alternatives();
    return std::any_of(ways.begin(), ways.end(), [](const auto& way) { return !way.launches.empty(); }) &&
           std::all_of(ways.begin(), ways.end(), [](const auto& way) { return way.unknown.empty(); });
  }

  const facts::Model& model_;
  Call by_settings_, by_sizes_;
};

}  // namespace

AnalysisResult analyze(const facts::Facts& facts, const Policy& policy) {
  const facts::Model model(facts);
  AnalysisResult result;
  result.directives = facts.directives;
  Rehearsed rehearsed(model);
  for (const rules::Rule& rule : rules::registry()) {
    std::vector<Finding> found = rule.check(model, policy);
    rehearsed.keep_what_happens(rule, policy, found);
    for (Finding& finding : found) {
      const auto same = [&](const Finding& other) {  // of another instance of a template
        return other.code == finding.code && other.message == finding.message && other.span.file == finding.span.file &&
               other.span.begin == finding.span.begin;
      };
      if (std::any_of(result.findings.begin(), result.findings.end(), same)) continue;
      finding.severity = severity_of(rule.info, finding.effect);
      if (finding.effect == Effect::kInconclusive) result.inconclusive.push_back(finding.message);
      result.findings.push_back(std::move(finding));
    }
  }
  rehearsed.add_what_happens(policy, result.findings);
  std::stable_sort(result.findings.begin(), result.findings.end(), [](const Finding& a, const Finding& b) {
    if (rank(a.effect) != rank(b.effect)) return rank(a.effect) < rank(b.effect);
    if (const int l = distance_from_cause(a), r = distance_from_cause(b); l != r) return l < r;
    return std::tie(a.span.file, a.span.begin) < std::tie(b.span.file, b.span.begin);
  });
  put_gates_first(result.findings);
  find_witness(model, policy, result);
  return result;
}

StageSummary summarize(const AnalysisResult& result) {
  StageSummary summary;
  summary.ran = true;
  summary.has_witness = result.has_witness;
  summary.findings = result.findings;
  if (!result.inconclusive.empty()) {
    summary.reason = result.inconclusive.front();
  } else if (!result.has_witness) {
    summary.reason = "Not every returned value could be shown to come from a kernel of the candidate.";
  }
  return summary;
}

StageSummary summarize_fault(const Error& error) {
  StageSummary summary;
  summary.ran = true;
  summary.broken = true;
  summary.reason = (error.file.empty() ? "" : error.file + ": ") + error.message;
  return summary;
}

}  // namespace kernel_audit::analysis
