#include "analysis/facts/provenance.h"

#include <algorithm>

namespace kernel_audit::analysis::facts {

void insert_into(NodeSet& set, NodeId id) {
  const auto at = std::lower_bound(set.begin(), set.end(), id);
  if (at == set.end() || *at != id) set.insert(at, id);
}

bool merge_into(NodeSet& set, const NodeSet& more) {
  if (more.empty() || std::includes(set.begin(), set.end(), more.begin(), more.end())) return false;
  NodeSet merged;
  merged.reserve(set.size() + more.size());
  std::set_union(set.begin(), set.end(), more.begin(), more.end(), std::back_inserter(merged));
  set = std::move(merged);
  return true;
}

const char* to_string(NodeKind kind) {
  switch (kind) {
    case NodeKind::kArgument:
      return "argument";
    case NodeKind::kConfiguration:
      return "configuration";
    case NodeKind::kWeights:
      return "weights";
    case NodeKind::kConstant:
      return "constant";
    case NodeKind::kAllocation:
      return "allocation";
    case NodeKind::kRandom:
      return "random";
    case NodeKind::kLaunch:
      return "launch";
    case NodeKind::kNativeLoop:
      return "native-loop";
    case NodeKind::kFramework:
      return "framework";
    case NodeKind::kVendor:
      return "vendor";
    case NodeKind::kCopy:
      return "copy";
    case NodeKind::kPartial:
      return "partial";
    case NodeKind::kReplay:
      return "replay";
    case NodeKind::kScalar:
      return "scalar";
    case NodeKind::kSurroundings:
      return "surroundings";
    case NodeKind::kMetadata:
      return "metadata";
    case NodeKind::kIdentity:
      return "identity";
    case NodeKind::kState:
      return "state";
    case NodeKind::kUnknown:
      return "unknown";
  }
  return "unknown";
}

NodeId Provenance::node(NodeKind kind, const StatementRef& where, ContextId context, std::int64_t discriminator) {
  const auto [it, fresh] =
      index_.try_emplace({kind, where, context, discriminator}, static_cast<NodeId>(nodes_.size()));
  if (fresh) {
    Node made;
    made.kind = kind;
    made.where = where;
    made.context = context;
    nodes_.push_back(std::move(made));
  }
  return it->second;
}

bool Provenance::add_slot(NodeId id, std::size_t slot, const NodeSet& more) {
  auto& slots = at(id).slots;
  if (slots.size() <= slot) slots.resize(slot + 1);
  return merge_into(slots[slot], more);
}

ContextId Provenance::context(ContextId parent, const StatementRef& call) {
  const auto [it, fresh] = context_index_.try_emplace({parent, call}, static_cast<ContextId>(contexts_.size()));
  if (fresh) contexts_.push_back(Context{parent, call});
  return it->second;
}

int Provenance::depth(ContextId id) const {
  int depth = 0;
  for (; id > 0; id = context_at(id).parent) ++depth;
  return depth;
}

void Provenance::walk(const NodeSet& from, const std::function<bool(const Node&, NodeId)>& descend) const {
  std::vector<bool> seen(nodes_.size(), false);
  std::vector<NodeId> todo(from.rbegin(), from.rend());
  while (!todo.empty()) {
    const NodeId id = todo.back();
    todo.pop_back();
    if (seen[static_cast<std::size_t>(id)]) continue;
    seen[static_cast<std::size_t>(id)] = true;
    const Node& node = at(id);
    if (!descend(node, id)) continue;
    for (const NodeSet& slot : node.slots) todo.insert(todo.end(), slot.begin(), slot.end());
  }
}

bool Provenance::reaches(const NodeSet& from, NodeKind kind, bool through_unknown) const {
  bool found = false;
  walk(from, [&](const Node& node, NodeId) {
    if (node.kind == kind) found = true;
    if (node.kind == NodeKind::kUnknown && !through_unknown) return false;
    return !found && node.kind != NodeKind::kMetadata && node.kind != NodeKind::kIdentity;
  });
  return found;
}

}  // namespace kernel_audit::analysis::facts
