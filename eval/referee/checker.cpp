#include "eval/referee/checker.h"

#include "eval/guards/text.h"

namespace kernel_audit::eval {

void Checker::keep(const CheckResult& check) {
  if (kept_ >= kMostKept) return;
  ++kept_;
  evidence_.checks.push_back(check);
}

void Checker::add(CheckResult check) {
  const bool refused = guards::refused(check);
  if (check.party == Party::kCandidate) {
    ++evidence_.checks_total;
    if (!refused) ++evidence_.checks_accepted;
    if (refused) any_refused_ = true;
    if (!any_refused_) ++evidence_.accepted_before_failure;
  }
  if (check.oracle_ran) ++evidence_.oracle_checks;
  if (refused || !check.benchmark_accepts) {
    keep(check);
    return;
  }
  auto& worst = worst_[static_cast<int>(check.party)];
  if (!worst) {
    worst = evidence_.checks.size();
    evidence_.checks.push_back(check);
  } else if (check.max_abs_error > evidence_.checks[*worst].max_abs_error) {
    evidence_.checks[*worst] = check;
  }
}

Status Checker::check_window(const ProvenWindow& window, int oracle_call) {
  const int outputs = static_cast<int>(reference_.outputs().size());
  for (int call = 0; call < window.calls; ++call) {
    for (int output = 0; output < outputs; ++output) {
      Result<CheckResult> check = reference_.compare(call, output, call == oracle_call);
      if (!check) return check.error();
      check->party = window.party;
      check->round = window.round;
      check->call = call;
      check->output = output;
      check->mode = window.mode;
      add(*check);
    }
  }
  return Ok{};
}

Status Checker::check_again(const ProvenWindow& window, int call) {
  for (int output = 0; output < static_cast<int>(reference_.outputs().size()); ++output) {
    Result<RecheckResult> again = reference_.compare_recheck(call, output);
    if (!again) return again.error();
    ++evidence_.rechecks;
    if (again->same) continue;
    CheckResult* known = nullptr;
    for (CheckResult& check : evidence_.checks) {
      if (check.party == window.party && check.round == window.round && check.call == call && check.output == output) {
        known = &check;
      }
    }
    if (known == nullptr) {  // it was accepted, and only counted
      CheckResult check;
      check.party = window.party;
      check.round = window.round;
      check.call = call;
      check.output = output;
      check.mode = window.mode;
      check.benchmark_accepts = true;
      evidence_.checks.push_back(check);
      known = &evidence_.checks.back();
    }
    known->changed_after_return = true;
    known->right_on_recheck = guards::refused(*known) && again->right;
  }
  return Ok{};
}

}  // namespace kernel_audit::eval
