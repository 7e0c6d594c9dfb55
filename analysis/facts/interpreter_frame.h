// One invocation of a function in the interpreter; private to the interpreter's files.
#pragma once

#include <algorithm>

#include "analysis/facts/interpreter.h"

namespace kernel_audit::analysis::facts {

// Begins the symbol of what torch.library.custom_op(name) gives; the name follows.
inline constexpr char kCustomOp[] = "torch.library.custom_op:";
// The same of torch.library.Library(namespace).
inline constexpr char kLibrary[] = "torch.library.Library:";

// The field in which an object of an own class keeps the elements that the class above it holds.
inline constexpr char kElements[] = "<elements>";

// The field of a framework's module that holds a child given to its constructor; names sort as places do.
inline std::string name_of_child(std::int64_t place) { return "#" + std::to_string(1'000'000 + place).substr(1); }

inline constexpr std::size_t kMaxDepth = 24;  // calls in flight

struct Interpreter::Frame {
  const Function* function = nullptr;
  Id id = kNone;
  ContextId context = 0;
  std::unordered_map<Id, Abstract> values;
  std::vector<std::optional<State>> entry_states;
  std::vector<int> visits;
  std::set<std::size_t> queue;                    // positions in reverse postorder
  std::vector<std::size_t> position;              // block → position
  std::map<Id, std::set<Id>> loops;               // header → successors that leave the loop
  std::vector<std::optional<State>> back_states;  // what came back to a header from its loop
  Abstract returned;
  Ways returned_ways;
  std::map<std::pair<Id, Id>, std::map<Id, Ways>> phi_ways;  // of a Phi, by the block that a way comes from
  std::unordered_map<Id, Id> made_in;                        // value → block, once a Phi asks
  std::optional<State> exit;
  NodeSet around;  // what around the candidate decides whether this was called
  bool is_entry = false;
  Abstract self;            // C++: the object that the method is called on
  bool raised = false;      // the statement just run can only raise
  bool once = false;        // no loops: every block runs once
  ObjectId generator = -1;  // whose body this is, when it is driven step by step
  bool alone = false;       // that object is the only one that it can be
  bool broken = false;      // a build that always fails ended one of its ways

  // Of a rehearsal (interpreter_rehearsal.h).
  bool in_order = false;                                // its blocks run one after the other, as they would
  bool forks = false;                                   // ways that do not meet may be followed one by one
  Id stop = kNone;                                      // block where ways that are followed together meet
  const Statement* step = nullptr;                      // of the `for` whose turn begins
  Abstract item;                                        // what that gives
  std::size_t packed = 0;                               // tuples made for those
  std::map<std::pair<Id, Id>, std::set<Id>> phi_taken;  // of a Phi, which operands the ways to it bring

  // f(*args, **kwargs): puts what the starred arguments hold in the places that it has in the call.
  void spread_arguments(Interpreter& run, const Statement& statement, const Abstract& callee,
                        std::vector<Abstract>& args, Keywords& keywords) const;

  // Whether a value is certainly a container without elements.
  static bool holds_nothing(const Interpreter& run, const Abstract& value) {
    return !value.objects.empty() && !value.open &&
           std::all_of(value.objects.begin(), value.objects.end(), [&](ObjectId id) {
             return run.object(id).kind == ObjectKind::kContainer && run.all_fields(id).nothing() &&
                    !run.grown_.contains(id);
           });
  }
};

// What stands for a call of torch.library that gives a library, or a decorator that binds an operator of one.
std::optional<std::string> operator_to_bind(const Interpreter& run, const std::string& callee,
                                            const std::vector<Abstract>& args);

// Whether nothing in the function that makes a value, nor what shares its variables, ever takes it.
bool never_taken(const Facts& facts, const Function& function, Id value);

// The call in the head of a loop of Python that takes the next element, or null.
const Statement* step_of(const Block& block);

// Whether numbers follow from what earlier calls left, from which object an argument is, or from what is around the
// candidate: with the same sizes they may be others in the next call.
inline bool varies_between_calls(const Provenance& graph, const NodeSet& numbers) {
  bool found = false;
  graph.walk(numbers, [&](const Node& node, NodeId) {
    found = found || node.kind == NodeKind::kState || node.kind == NodeKind::kSurroundings ||
            (node.kind == NodeKind::kIdentity && node.name != "none-check");
    return node.kind == NodeKind::kScalar;
  });
  return found;
}

// The class of the candidate with this name, template arguments aside, and that of an instance by the name of its type.
Id class_named(const Facts& facts, const std::string& type);
Id own_class(const Facts& facts, Id value);

}  // namespace kernel_audit::analysis::facts
