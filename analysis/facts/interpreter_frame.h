// One invocation of a function in the interpreter; private to the interpreter's files.
#pragma once

#include "analysis/facts/interpreter.h"

namespace kernel_audit::analysis::facts {

struct Interpreter::Frame {
  const Function* function = nullptr;
  Id id = kNone;
  ContextId context = 0;
  std::unordered_map<Id, Abstract> values;
  std::vector<std::optional<State>> entry_states;
  std::vector<int> visits;
  std::set<std::size_t> queue;        // positions in reverse postorder
  std::vector<std::size_t> position;  // block → position
  Abstract returned;
  std::optional<State> exit;
  bool is_entry = false;
};

}  // namespace kernel_audit::analysis::facts
