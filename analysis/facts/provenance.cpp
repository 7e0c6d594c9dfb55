#include "analysis/facts/provenance.h"

#include <algorithm>

namespace kernel_audit::analysis::facts {
namespace {

// Questions to an unchanged graph that are answered one by one before all are answered at once.
constexpr int kAskedBeforeAll = 8;

// Whether what a node's operands hold goes on to who uses the node.
bool passes_data(const Node& node, bool through_unknown) {
  if (node.kind == NodeKind::kUnknown && !through_unknown) return false;
  return node.kind != NodeKind::kMetadata && node.kind != NodeKind::kIdentity;
}

}  // namespace

void insert_into(NodeSet& set, NodeId id) {
  const auto at = std::lower_bound(set.begin(), set.end(), id);
  if (at == set.end() || *at != id) set.insert(at, id);
}

bool merge_into(NodeSet& set, const NodeSet& more) {
  if (more.empty()) return false;
  if (set.empty() || set.back() < more.front()) {
    set.insert(set.end(), more.begin(), more.end());
    return true;
  }
  if (std::includes(set.begin(), set.end(), more.begin(), more.end())) return false;
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

std::size_t MadeAtHash::operator()(const MadeAt& made) const {
  std::uint64_t hash = 0;
  for (const std::uint64_t part :
       {static_cast<std::uint64_t>(made.kind), static_cast<std::uint64_t>(made.where.function),
        static_cast<std::uint64_t>(made.where.block), static_cast<std::uint64_t>(made.where.index),
        static_cast<std::uint64_t>(made.context), static_cast<std::uint64_t>(made.discriminator)}) {
    hash = (hash ^ part) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 32U;
  }
  return static_cast<std::size_t>(hash);
}

NodeId Provenance::node(NodeKind kind, const StatementRef& where, ContextId context, std::int64_t discriminator) {
  const auto [it, fresh] =
      index_.try_emplace({static_cast<int>(kind), where, context, discriminator}, static_cast<NodeId>(nodes_.size()));
  if (fresh) {
    asked_ = 0;
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
  const bool grew = merge_into(slots[slot], more);
  if (grew) asked_ = 0;
  return grew;
}

void Provenance::add_operands(NodeId id, std::size_t slot, NodeSet more) {
  std::erase(more, id);
  if (!more.empty()) add_slot(id, slot, more);
}

ContextId Provenance::context(ContextId parent, const StatementRef& call) {
  const auto [it, fresh] = context_index_.try_emplace({0, call, parent, 0}, static_cast<ContextId>(contexts_.size()));
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
    for (const NodeSet& slot : node.slots) {
      for (const NodeId operand : slot) {
        if (!seen[static_cast<std::size_t>(operand)]) todo.push_back(operand);
      }
    }
  }
}

bool Provenance::reaches(const NodeSet& from, NodeKind kind, bool through_unknown) const {
  if (asked_ == 0) reached_.clear();
  if (++asked_ > kAskedBeforeAll) {
    const std::vector<bool>& reached = reached_by(kind, through_unknown);
    return std::any_of(from.begin(), from.end(), [&](NodeId id) { return reached[static_cast<std::size_t>(id)]; });
  }
  bool found = false;
  walk(from, [&](const Node& node, NodeId) {
    found = found || node.kind == kind;
    return !found && passes_data(node, through_unknown);
  });
  return found;
}

const std::vector<bool>& Provenance::reached_by(NodeKind kind, bool through_unknown) const {
  const auto [it, fresh] = reached_.try_emplace({kind, through_unknown});
  std::vector<bool>& reached = it->second;
  if (!fresh) return reached;
  reached.assign(nodes_.size(), false);
  std::vector<std::vector<NodeId>> users(nodes_.size());
  std::vector<NodeId> todo;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const auto id = static_cast<NodeId>(i);
    if (nodes_[i].kind == kind) {
      reached[i] = true;
      todo.push_back(id);
    }
    if (!passes_data(nodes_[i], through_unknown)) continue;
    for (const NodeSet& slot : nodes_[i].slots) {
      for (const NodeId operand : slot) users[static_cast<std::size_t>(operand)].push_back(id);
    }
  }
  while (!todo.empty()) {
    const NodeId id = todo.back();
    todo.pop_back();
    for (const NodeId user : users[static_cast<std::size_t>(id)]) {
      if (reached[static_cast<std::size_t>(user)]) continue;
      reached[static_cast<std::size_t>(user)] = true;
      todo.push_back(user);
    }
  }
  return reached;
}

}  // namespace kernel_audit::analysis::facts
