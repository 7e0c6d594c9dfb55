// Where forward comes to when it is called with what the candidate's own get_inputs makes: loops that then do not turn
// and branches that are then not taken keep it from launches that other sizes would bring.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "analysis/rules/host_numbers.h"

namespace kernel_audit::analysis::rules {

class ReachedWork {
 public:
  ReachedWork(const facts::Model& model, HostNumbers& numbers) : model_(model), numbers_(numbers) {}
  // The block whose condition keeps forward from a place, along the calls that lead there; nothing when it may come
  // there.
  struct Bar {
    facts::Id function = facts::kNone;
    facts::Id block = facts::kNone;
    bool loop = false;
  };
  std::optional<Bar> barred_by(const facts::StatementRef& place, facts::ContextId innermost);
  // Whether the grid of a launch has no blocks.
  bool launches_nothing(const facts::StatementRef& where, facts::ContextId context);

 private:
  std::optional<Bar> barred_within(facts::Id function, facts::Id block, int frame);

  const facts::Model& model_;
  HostNumbers& numbers_;
};

}  // namespace kernel_audit::analysis::rules
