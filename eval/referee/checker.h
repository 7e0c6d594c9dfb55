// Keeps the account of every output comparison: refused ones in full, of the accepted ones a count and the
// worst, and what a recheck found. Knows no clock and no party.
#pragma once

#include "auditor/core/result.h"
#include "eval/evidence.h"
#include "eval/referee/reference.h"

namespace kernel_audit::eval {

class Checker {
 public:
  Checker(Reference& reference, EvalEvidence& evidence) : reference_(reference), evidence_(evidence) {}

  // Compares every output of the window that was received last. `oracle_call`: the call whose outputs are held
  // against fp64 although the benchmark accepts them, −1 for none.
  Status check_window(const ProvenWindow& window, int oracle_call);

  // One call's outputs, copied a second time: `call` of the window that was checked last.
  Status check_again(const ProvenWindow& window, int call);

 private:
  static constexpr std::size_t kMostKept = 200;  // refused ones; the rest is counted only
  void add(CheckResult check);
  void keep(const CheckResult& check);

  Reference& reference_;
  EvalEvidence& evidence_;
  bool any_refused_ = false;
  std::size_t kept_ = 0;
  std::optional<std::size_t> worst_[3];  // index of the worst accepted check by party
};

}  // namespace kernel_audit::eval
