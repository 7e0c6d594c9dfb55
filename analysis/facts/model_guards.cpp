// Guards: what decides whether a place is reached, and what those conditions look at.
#include <algorithm>

#include "analysis/facts/call_chain.h"
#include "analysis/facts/failures.h"
#include "analysis/facts/model.h"

namespace kernel_audit::analysis::facts {
namespace {

bool about_device(const std::string& name) {
  return name.ends_with("is_cuda") || name.ends_with(".device") || name.ends_with("::device") ||
         name.ends_with("is_available") || name.ends_with("device_count") || name.ends_with("is_cpu") ||
         name.ends_with("get_device");
}

}  // namespace

const std::vector<Guard>& Model::guards_of(const StatementRef& where, ContextId context) const {
  const auto [known, fresh] = guards_of_.try_emplace({where, context});
  std::vector<Guard>& guards = known->second;
  if (!fresh) return guards;
  for (const CallSite& site : call_chain(*graph_, where, context)) {
    const StatementRef& at = site.where;
    if (at.function != kNone && at.block != kNone &&
        static_cast<std::size_t>(at.block) < function(at.function).blocks.size()) {
      const Function& here = function(at.function);
      const FlowGraph& flow = interpreter_->flow(at.function);
      // In a handler, or after one that swallowed the exception.
      for (std::size_t b = 0; b < here.blocks.size(); ++b) {
        const Id block = static_cast<Id>(b);
        if (here.blocks[b].handler_of == kNone || !flow.reachable(block) || !flow.dominates(block, at.block)) continue;
        Guard guard;
        guard.kind = GuardKind::kHandler;
        guard.function = at.function;
        guard.block = block;
        if (!here.blocks[b].statements.empty()) guard.span = here.blocks[b].statements.front().span;
        guards.push_back(guard);
        break;
      }
      for (const Id decider : flow.deciders(at.block)) guards.push_back(guard_at(at.function, decider, at.block));
    }
  }
  return guards;
}

const Guard& Model::guard_at(Id function_id, Id block_id, Id guarded) const {
  const std::tuple<Id, Id, Id> asked{function_id, block_id, guarded};
  auto known = guards_.find(asked);
  if (known == guards_.end()) known = guards_.emplace(asked, find_guard(function_id, block_id, guarded)).first;
  return known->second;
}

Guard Model::find_guard(Id function_id, Id block_id, Id guarded) const {
  const Block& block = function(function_id).blocks[static_cast<std::size_t>(block_id)];
  Guard guard;
  guard.function = function_id;
  guard.block = block_id;
  guard.span = facts_.values[static_cast<std::size_t>(block.condition)].span;
  if (!guard.span.known() && !block.statements.empty()) guard.span = block.statements.back().span;
  bool device = false, none_check = false, identity = false, shape = false, contents = false, state = false;
  // Decided by what earlier calls left, though each call finds a constant there: is it there already?
  if (interpreter_->settled.contains({function_id, block_id})) none_check = true;
  const auto found = interpreter_->conditions.find({function_id, block_id});
  if (found != interpreter_->conditions.end()) {
    graph_->walk(found->second, [&](const Node& node, NodeId id) {
      switch (node.kind) {
        case NodeKind::kIdentity:
          (node.name == "none-check" ? none_check : identity) = true;
          return false;
        case NodeKind::kMetadata:
          (about_device(node.name) ? device : shape) = true;
          return false;
        case NodeKind::kArgument:
          contents = true;
          return false;
        case NodeKind::kSurroundings:
          guard.surroundings = id;
          return false;
        case NodeKind::kState:
          state = true;
          return false;
        default:
          return true;
      }
    });
  }
  // The strongest reason first: what it looks at decides what the guard is about.
  guard.kind = guard.surroundings >= 0 ? GuardKind::kSurroundings
               : identity              ? GuardKind::kIdentity
               : none_check            ? GuardKind::kNoneCheck
               : contents              ? GuardKind::kContents
               : state                 ? GuardKind::kState
               : shape                 ? GuardKind::kShape
               : device                ? GuardKind::kDevice
                                       : GuardKind::kSetting;
  // The only side from which `guarded` is reached.
  const FlowGraph& flow = interpreter_->flow(function_id);
  const auto leads = [&](const Edge& edge) {
    return edge.to == guarded || flow.dominates(edge.to, guarded) || flow.post_dominates(guarded, edge.to);
  };
  std::optional<bool> side;
  for (const Edge& edge : block.successors) {
    if (edge.kind != EdgeKind::kTrue && edge.kind != EdgeKind::kFalse) continue;
    bool other_leads = false;
    for (const Edge& other : block.successors) {
      if (other.kind != edge.kind && other.kind != EdgeKind::kException)
        other_leads = other_leads || flow.post_dominates(guarded, other.to);
    }
    if (leads(edge) && !other_leads) side = edge.kind == EdgeKind::kTrue;
  }
  if (!side) return guard;
  if (guard.kind == GuardKind::kDevice) {
    const auto cuda_when = cuda_side(function_id, block.condition, 0);
    guard.device_excused = cuda_when && *cuda_when != *side;
  } else if (only_after_failure(facts_, function(function_id), flow, block_id, *side)) {
    guard.kind = GuardKind::kHandler;
  }
  return guard;
}

// Does the value being true mean that the tensor is on a CUDA device? Only simple forms are decided.
std::optional<bool> Model::cuda_side(Id function_id, Id value, int depth) const {
  if (depth > 4) return std::nullopt;
  const auto constant_text = [&](Id id) -> std::string {
    if (id == kNone) return "";
    const auto& constant = facts_.values[static_cast<std::size_t>(id)].constant;
    return constant && constant->is_string() ? constant->get<std::string>() : "";
  };
  for (const Block& block : function(function_id).blocks) {
    for (const Statement& s : block.statements) {
      if (s.result != value) continue;
      if (s.kind == StatementKind::kLoad && s.location.storage != kNone) {
        const Storage& storage = facts_.storages[static_cast<std::size_t>(s.location.storage)];
        if (storage.name == "is_cuda") return true;
        if (storage.name == "is_cpu") return false;
        if (storage.kind != StorageKind::kLocal) return std::nullopt;
        // A local that is stored once.
        Id source = kNone;
        int stores = 0;
        for (const Block& other : function(function_id).blocks) {
          for (const Statement& store : other.statements) {
            if (store.kind == StatementKind::kStore && store.location.storage == s.location.storage &&
                !store.location.element) {
              source = store.value;
              ++stores;
            }
          }
        }
        if (stores == 1 && source != kNone) return cuda_side(function_id, source, depth + 1);
        return std::nullopt;
      }
      if (s.kind != StatementKind::kCall) return std::nullopt;
      if (s.callee.ends_with("is_cuda") || s.callee == "torch.cuda.is_available") return true;
      if (s.callee.ends_with("is_cpu")) return false;
      if (s.callee == "operator.not_" && !s.args.empty() && s.args[0] != kNone) {
        const auto inner = cuda_side(function_id, s.args[0], depth + 1);
        if (inner) return !*inner;
        return std::nullopt;
      }
      if ((s.callee == "operator.eq" || s.callee == "operator.ne") && s.args.size() == 2) {
        const std::string text = constant_text(s.args[0]) + constant_text(s.args[1]);
        const bool equal = s.callee == "operator.eq";
        if (text == "cuda") return equal;
        if (text == "cpu") return !equal;
      }
      return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace kernel_audit::analysis::facts
