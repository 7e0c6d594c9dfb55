// The semantic model of one candidate: what rules ask. Built once per Facts; it owns the results of the
// abstract interpreter and answers in terms of places, guards and provenance: is this function reached
// from forward, what is a returned value made of, which guards decide that, does it depend on what an
// argument holds, what did an earlier call leave behind, which work was not joined.
#pragma once

#include <memory>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

#include "analysis/facts/facts.h"
#include "analysis/facts/interpreter.h"
#include "analysis/facts/provenance.h"
#include "auditor/core/finding.h"

namespace kernel_audit::analysis::facts {

// What a branch that decides about something looks at.
enum class GuardKind {
  kHandler,       // an exception handler
  kDevice,        // is there a CUDA device, is the tensor on it
  kNoneCheck,     // is something there already
  kIdentity,      // which object it is: is, id, data_ptr, _version
  kShape,         // shape, dtype, contiguity of an argument
  kContents,      // what an argument holds
  kSurroundings,  // environment, clock, call stack, main program, files
  kState,         // a counter or flag that earlier calls changed
  kSetting,       // constants, configuration, the training flag
};
const char* describe(GuardKind kind);

struct Guard {
  GuardKind kind = GuardKind::kSetting;
  Id function = kNone;
  Id block = kNone;
  SourceSpan span;
  NodeId surroundings = -1;     // kSurroundings: what it looks at
  bool device_excused = false;  // kDevice, and this side is the one without a CUDA device
};

// One way a returned tensor can have been produced.
struct Alternative {
  NodeId node = -1;
  StatementRef returned;                 // the return statement
  std::size_t part = 0;                  // which of the values that it returns
  std::vector<NodeId> launches;          // authored kernels and host loops it is made of
  std::vector<NodeId> framework;         // framework compute on argument contents it is made of
  std::vector<NodeId> constant_compute;  // framework compute that no argument's contents reach
  std::vector<NodeId> vendor;
  std::vector<NodeId> unknown;
  std::vector<NodeId> replays;
  bool depends_on_contents = false;  // of a forward argument, in this call or (through state) an earlier one
  bool is_argument = false;          // an argument itself, at most copied
  bool in_handler = false;
  std::vector<Guard> guards;  // that decide about this way, handlers included

  // Whether both are ways to one value: a launch that makes another output says nothing of this one.
  bool same_value(const Alternative& other) const { return returned == other.returned && part == other.part; }
};

// State that an earlier call left behind and that reaches the returned value.
struct StateUse {
  NodeId state = -1;
  StatementRef returned;
  bool direct = false;          // returned as it is (views and copies aside)
  bool beside_current = false;  // what is computed from it takes the same arguments of this call as well
  bool refreshed = false;       // on another path the same place holds something computed from this call's arguments
  bool depends_on_contents = false;  // what was left behind derives from an argument's contents
  std::vector<StateStore> stored;    // stores that put it there, in forward
  std::vector<Guard> guards;
};

class Model {
 public:
  // With a call of the task's: of what that alone does.
  explicit Model(const Facts& facts, const std::optional<TaskCall>& rehearsed = {});
  ~Model();

  const Facts& facts() const { return facts_; }
  const Value& value(Id id) const;  // one of which nothing is known for kNone
  const Provenance& provenance() const { return *graph_; }
  const Interpreter& run() const { return *interpreter_; }
  // Which parameters a kernel of the candidate reads and writes.
  const Interpreter::KernelAccess& access(Id kernel) const { return interpreter_->kernel_access(kernel); }

  bool has_entry() const { return facts_.entry_function != kNone; }
  bool ran_forward() const { return interpreter_->ran_forward; }
  bool reached(Id function, Phase phase) const;
  const std::vector<EntryReturn>& returns() const { return interpreter_->returns; }
  const std::vector<Alternative>& alternatives() const { return alternatives_; }
  const std::vector<StateUse>& state_uses() const { return state_uses_; }
  // Statements of kind kLaunch anywhere in the candidate, and those that forward reaches.
  const std::vector<StatementRef>& launches() const { return launches_; }

  const Statement* statement(const StatementRef& ref) const;
  // The kernel of a launch that was run, also when it goes through a handle; kNone when it is not known.
  Id kernel_of(const StatementRef& launch) const;
  SourceSpan span(const StatementRef& ref) const;
  SourceSpan span_of(NodeId node) const;
  const Function& function(Id id) const { return facts_.functions[static_cast<std::size_t>(id)]; }
  // Of a function of the Facts, which stands there itself and is no copy.
  Id id_of(const Function& function) const { return static_cast<Id>(&function - facts_.functions.data()); }
  bool native(Id function) const;  // C++ or CUDA
  // Guards of a place, along the whole chain of calls that leads to it.
  const std::vector<Guard>& guards_of(const StatementRef& where, ContextId context) const;
  // What rules have worked out of this model and ask for again, kept with it: one of each type.
  template <typename T>
  T& kept() const {
    std::shared_ptr<void>& slot = kept_[std::type_index(typeid(T))];
    if (!slot) slot = std::make_shared<T>();
    return *static_cast<T*>(slot.get());
  }
  // "at::matmul", "kernel fused_kernel", "torch.nn.Linear".
  std::string name_of_node(NodeId node) const;
  // The call sites from forward to a node, as flow notes.
  void add_call_notes(NodeId node, std::vector<FlowNote>& notes) const;

 private:
  void collect_launches();
  void collect_alternatives();
  void expand(NodeId node, NodeSet& out, std::vector<bool>& seen) const;
  Alternative describe_alternative(NodeId node, const StatementRef& returned) const;
  void collect_state_uses();
  // Arguments of this call that each alternative of a set derives from, other than by way of state, as bits.
  std::uint32_t current_arguments(const NodeSet& from);
  const Guard& guard_at(Id function, Id block, Id guarded) const;
  Guard find_guard(Id function, Id block, Id guarded) const;
  std::optional<bool> cuda_side(Id function, Id value, int depth) const;

  const Facts& facts_;
  std::unique_ptr<Provenance> graph_;
  std::unique_ptr<Interpreter> interpreter_;
  std::vector<Alternative> alternatives_;
  std::vector<StateUse> state_uses_;
  std::map<NodeId, std::uint32_t> current_arguments_;       // by node
  mutable std::map<std::tuple<Id, Id, Id>, Guard> guards_;  // what guard_at has answered
  mutable std::map<std::pair<StatementRef, ContextId>, std::vector<Guard>> guards_of_;
  mutable std::map<std::type_index, std::shared_ptr<void>> kept_;
  std::vector<StatementRef> launches_;
};

}  // namespace kernel_audit::analysis::facts
