// What values are made of: a graph of producing operations. A node is one operation at one place in
// one calling context; its slots are the operands, each a set of alternatives (different paths may
// have produced it). Views are not nodes: they are the same contents. The graph can have cycles
// (loops, state that feeds itself), and its slots only ever grow.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/facts/facts.h"

namespace kernel_audit::analysis::facts {

using NodeId = std::int32_t;
using NodeSet = std::vector<NodeId>;  // sorted, unique

void insert_into(NodeSet& set, NodeId id);
bool merge_into(NodeSet& set, const NodeSet& more);  // true when `set` grew

// Place of a statement.
struct StatementRef {
  Id function = kNone;
  Id block = kNone;
  Id index = kNone;
  auto operator<=>(const StatementRef&) const = default;
  bool known() const { return function != kNone; }
};

using ContextId = std::int32_t;  // 0: called by nobody

// What names a node or an object: its kind, the statement that makes it, the calling context and a discriminator.
struct MadeAt {
  int kind = 0;
  StatementRef where;
  ContextId context = 0;
  std::int64_t discriminator = 0;
  bool operator==(const MadeAt&) const = default;
};
struct MadeAtHash {
  std::size_t operator()(const MadeAt& made) const;
};

// A chain of call sites, outermost first when walked to the root.
struct Context {
  ContextId parent = -1;
  StatementRef call;  // the call statement in the caller
};

enum class NodeKind {
  kArgument,       // contents of an argument of the entry's forward
  kConfiguration,  // argument of __init__: sizes and settings
  kWeights,        // a module's parameter or buffer
  kConstant,       // contents that come from no tensor
  kAllocation,     // undefined contents
  kRandom,
  kLaunch,        // authored device kernel
  kNativeLoop,    // authored host code that stores elements through a pointer
  kFramework,     // framework compute or movement
  kVendor,        // vendor library
  kCopy,          // same contents elsewhere, possibly in another dtype
  kPartial,       // slot 0: contents before, slot 1: what a part was overwritten with
  kReplay,        // captured graph replayed: slot 0 what was captured, slot 1 current inputs
  kScalar,        // host arithmetic
  kMetadata,      // shape, dtype, device, … of the operands: not their contents
  kIdentity,      // which object the operands are: id, is, data_ptr, _version
  kState,         // what an earlier call left behind: slot 0
  kSurroundings,  // what the process around it says (surroundings.h); `name` is where it was read
  kUnknown,       // `name` says why
};
const char* to_string(NodeKind kind);

enum class Phase { kImport, kInit, kForward };

struct Node {
  NodeKind kind = NodeKind::kUnknown;
  std::string name;    // canonical callee, kernel name, storage name, or the reason why unknown
  std::string family;  // of compute
  StatementRef where;
  ContextId context = 0;
  Phase phase = Phase::kForward;
  Id storage = kNone;          // kState: where it was kept, when known
  bool movement_only = false;  // framework operation that only moves elements
  bool unclassified = false;   // framework operation that the tables do not know
  Id kernel = kNone;           // kLaunch: kernel function, when known
  int argument = -1;           // kArgument: position
  std::vector<NodeSet> slots;
};

class Provenance {
 public:
  // The node of this kind, place, context and discriminator; made when it is not there yet.
  NodeId node(NodeKind kind, const StatementRef& where, ContextId context, std::int64_t discriminator);
  Node& at(NodeId id) { return nodes_[static_cast<std::size_t>(id)]; }
  const Node& at(NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }
  bool add_slot(NodeId id, std::size_t slot, const NodeSet& more);
  // The same, the node itself left out: what it writes may be among what it reads.
  void add_operands(NodeId id, std::size_t slot, NodeSet more);
  std::size_t size() const { return nodes_.size(); }

  ContextId context(ContextId parent, const StatementRef& call);
  const Context& context_at(ContextId id) const { return contexts_[static_cast<std::size_t>(id)]; }
  int depth(ContextId id) const;

  // Visits every node reachable from `from` once, `from` included; `descend` decides whether to go
  // on below a node.
  void walk(const NodeSet& from, const std::function<bool(const Node&, NodeId)>& descend) const;

  // Whether contents of an argument, of a weight, … reach `from` through data (not through metadata or identity).
  // `through_unknown`: also through calls that were not resolved, which may or may not have used their operands.
  bool reaches(const NodeSet& from, NodeKind kind, bool through_unknown = true) const;

 private:
  // Nodes by number: whether the kind reaches them.
  const std::vector<bool>& reached_by(NodeKind kind, bool through_unknown) const;

  std::vector<Node> nodes_;
  std::unordered_map<MadeAt, NodeId, MadeAtHash> index_;
  std::vector<Context> contexts_{Context{}};
  std::unordered_map<MadeAt, ContextId, MadeAtHash> context_index_;
  // Answers of `reaches` for every node, from when the graph has not changed for a while until it does again.
  mutable std::map<std::pair<NodeKind, bool>, std::vector<bool>> reached_;
  mutable int asked_ = 0;  // since the last change
};

}  // namespace kernel_audit::analysis::facts
