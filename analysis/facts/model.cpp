#include "analysis/facts/model.h"

#include <algorithm>

#include "analysis/facts/call_chain.h"

namespace kernel_audit::analysis::facts {

const char* describe(GuardKind kind) {
  switch (kind) {
    case GuardKind::kHandler:
      return "an exception handler";
    case GuardKind::kDevice:
      return "a test for a CUDA device";
    case GuardKind::kNoneCheck:
      return "a test whether something is there already";
    case GuardKind::kIdentity:
      return "a comparison of which object or address it is";
    case GuardKind::kShape:
      return "a test of shape, dtype or layout";
    case GuardKind::kContents:
      return "a test of what an argument holds";
    case GuardKind::kSurroundings:
      return "what runs the candidate";
    case GuardKind::kState:
      return "a counter or flag that earlier calls changed";
    case GuardKind::kSetting:
      return "a setting";
  }
  return "a condition";
}

Model::Model(const Facts& facts, const std::optional<TaskCall>& rehearsed)
    : facts_(facts),
      graph_(std::make_unique<Provenance>()),
      interpreter_(std::make_unique<Interpreter>(facts, *graph_, rehearsed)) {
  interpreter_->run();
  collect_launches();
  collect_alternatives();
  collect_state_uses();
}

Model::~Model() = default;

bool Model::reached(Id function, Phase phase) const { return interpreter_->executed.contains({function, phase}); }

const Statement* Model::statement(const StatementRef& ref) const {
  if (ref.function == kNone || ref.block == kNone || ref.index < 0) return nullptr;
  const auto& blocks = function(ref.function).blocks;
  if (static_cast<std::size_t>(ref.block) >= blocks.size()) return nullptr;
  const auto& statements = blocks[static_cast<std::size_t>(ref.block)].statements;
  if (static_cast<std::size_t>(ref.index) >= statements.size()) return nullptr;
  return &statements[static_cast<std::size_t>(ref.index)];
}

Id Model::kernel_of(const StatementRef& launch) const {
  const Statement* found = statement(launch);
  if (found == nullptr) return kNone;
  if (found->launch && found->launch->kernel_function != kNone) return found->launch->kernel_function;
  const auto handle = interpreter_->handle_kernels.find(launch);
  return handle == interpreter_->handle_kernels.end() ? kNone : handle->second;
}

SourceSpan Model::span(const StatementRef& ref) const {
  if (const Statement* found = statement(ref)) return found->span;
  if (ref.function != kNone) return function(ref.function).name_span;
  return {};
}

SourceSpan Model::span_of(NodeId id) const { return span(graph_->at(id).where); }

bool Model::native(Id id) const {
  const Id unit = function(id).unit;
  return unit != kNone && facts_.units[static_cast<std::size_t>(unit)].language != UnitLanguage::kPython;
}

void Model::collect_launches() {
  for (std::size_t f = 0; f < facts_.functions.size(); ++f) {
    const auto& blocks = facts_.functions[f].blocks;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      for (std::size_t s = 0; s < blocks[b].statements.size(); ++s) {
        if (blocks[b].statements[s].kind == StatementKind::kLaunch) {
          launches_.push_back({static_cast<Id>(f), static_cast<Id>(b), static_cast<Id>(s)});
        }
      }
    }
  }
}

std::string Model::name_of_node(NodeId id) const {
  const Node& node = graph_->at(id);
  switch (node.kind) {
    case NodeKind::kLaunch:
      return "kernel " + (node.name.empty() || node.name == "?" ? "of unknown name" : node.name);
    case NodeKind::kNativeLoop:
      return "host loop in " + node.name;
    case NodeKind::kArgument:
      return "argument " + node.name;
    default:
      if (node.kind != NodeKind::kUnknown && node.name.starts_with("?."))  // a method of what turned out to be a tensor
        return "torch.Tensor" + node.name.substr(1);
      return node.name.empty() ? to_string(node.kind) : node.name;
  }
}

void Model::add_call_notes(NodeId id, std::vector<FlowNote>& notes) const {
  const std::vector<CallSite> chain = call_chain(*graph_, graph_->at(id).where, graph_->at(id).context);
  for (std::size_t i = chain.size() - 1; i > 0; --i) {  // without the place itself
    const StatementRef& call = chain[i].where;
    if (statement(call) == nullptr) continue;
    notes.push_back({span(call), "called from " + function(call.function).qualified_name + " here"});
  }
}

// Ways through copies and replays: the value is what was copied.
void Model::expand(NodeId id, NodeSet& out, std::vector<bool>& seen) const {
  if (seen[static_cast<std::size_t>(id)]) return;
  seen[static_cast<std::size_t>(id)] = true;
  const Node& node = graph_->at(id);
  if (node.kind == NodeKind::kCopy && !node.slots.empty() && !node.slots[0].empty()) {
    for (const NodeId inner : node.slots[0]) expand(inner, out, seen);
    return;
  }
  insert_into(out, id);
}

void Model::collect_alternatives() {
  for (const EntryReturn& returned : interpreter_->returns) {
    for (std::size_t part = 0; part < returned.parts.size(); ++part) {
      NodeSet ways;
      std::vector<bool> seen(graph_->size(), false);
      for (const NodeId id : returned.parts[part]) expand(id, ways, seen);
      for (const NodeId id : ways) {
        // Numbers that a shape gave are no results.
        const NodeKind kind = graph_->at(id).kind;
        if (kind == NodeKind::kMetadata || kind == NodeKind::kIdentity) continue;
        alternatives_.push_back(describe_alternative(id, returned.where));
        alternatives_.back().part = part;
      }
    }
  }
}

Alternative Model::describe_alternative(NodeId id, const StatementRef& returned) const {
  Alternative way;
  way.node = id;
  way.returned = returned;
  const Node& top = graph_->at(id);
  way.is_argument = top.kind == NodeKind::kArgument;
  graph_->walk({id}, [&](const Node& node, NodeId each) {
    switch (node.kind) {
      case NodeKind::kMetadata:
      case NodeKind::kIdentity:
        return false;
      case NodeKind::kLaunch:
      case NodeKind::kNativeLoop:
        way.launches.push_back(each);
        break;
      case NodeKind::kFramework:
        (graph_->reaches({each}, NodeKind::kArgument) ? way.framework : way.constant_compute).push_back(each);
        break;
      case NodeKind::kVendor:
        way.vendor.push_back(each);
        break;
      case NodeKind::kUnknown:
        way.unknown.push_back(each);
        break;
      case NodeKind::kReplay:
        way.replays.push_back(each);
        break;
      case NodeKind::kArgument:
        way.depends_on_contents = true;
        break;
      default:
        break;
    }
    // A kernel that only zeroes or fills first, or loops of our own reading a number: go on below.
    return true;
  });
  way.guards = guards_of(top.where, top.context);
  if (statement(returned) != nullptr) {
    for (const Guard& guard : guards_of(returned, 0)) {
      const bool known = std::any_of(way.guards.begin(), way.guards.end(), [&](const Guard& g) {
        return g.function == guard.function && g.block == guard.block;
      });
      if (!known) way.guards.push_back(guard);
    }
  }
  way.in_handler =
      std::any_of(way.guards.begin(), way.guards.end(), [](const Guard& g) { return g.kind == GuardKind::kHandler; });
  return way;
}

std::uint32_t Model::current_arguments(const NodeSet& from) {
  std::uint32_t all = 0;
  bool first = true;
  for (const NodeId id : from) {
    const Node& node = graph_->at(id);
    if (node.kind == NodeKind::kAllocation || node.kind == NodeKind::kMetadata || node.kind == NodeKind::kIdentity)
      continue;
    const auto [known, fresh] = current_arguments_.try_emplace(id, 0);  // a cycle adds nothing
    if (fresh && node.kind == NodeKind::kArgument && node.argument >= 0) known->second = 1U << (node.argument % 32);
    if (fresh && node.kind != NodeKind::kState) {
      std::uint32_t arguments = known->second;
      for (const NodeSet& slot : node.slots) arguments |= current_arguments(slot);
      known->second = arguments;
    }
    all = first ? known->second : all & known->second;
    first = false;
  }
  return all;
}

void Model::collect_state_uses() {
  const auto is_state = [&](NodeId id) { return graph_->at(id).kind == NodeKind::kState; };
  bool any = false;
  for (NodeId id = 0; id < static_cast<NodeId>(graph_->size()); ++id) any = any || is_state(id);
  if (!any) return;
  for (const EntryReturn& returned : interpreter_->returns) {
    for (const NodeSet& part : returned.parts) {
      // Walk sets of alternatives, so that "state or freshly computed" shows.
      struct Step {
        NodeSet set;
        bool direct = false;
        std::uint32_t beside = 0;  // arguments of this call that other operands on the way derive from
      };
      std::vector<Step> todo{{part, true, 0}};
      std::set<std::tuple<NodeId, bool, std::uint32_t>> seen;
      while (!todo.empty()) {
        const auto [set, direct, beside] = todo.back();
        todo.pop_back();
        std::optional<bool> refreshed;
        for (const NodeId id : set) {
          const Node& node = graph_->at(id);
          if (node.kind == NodeKind::kMetadata || node.kind == NodeKind::kIdentity) continue;
          if (node.kind == NodeKind::kState) {
            StateUse use;
            use.state = id;
            use.returned = returned.where;
            use.direct = direct;
            use.depends_on_contents = graph_->reaches({id}, NodeKind::kArgument, false);
            std::uint32_t kept = 0;
            for (const NodeSet& slot : node.slots) kept |= current_arguments(slot);
            use.beside_current = kept != 0 && (kept & ~beside) == 0;
            if (!refreshed) {
              refreshed = std::any_of(set.begin(), set.end(), [&](NodeId other) {
                return !is_state(other) && graph_->reaches({other}, NodeKind::kArgument);
              });
            }
            use.refreshed = *refreshed;
            const auto same =
                std::find_if(state_uses_.begin(), state_uses_.end(), [&](const StateUse& u) { return u.state == id; });
            if (same != state_uses_.end()) {
              same->direct = same->direct || use.direct;
              same->beside_current = same->beside_current && use.beside_current;
              same->refreshed = same->refreshed || use.refreshed;
            } else {
              state_uses_.push_back(std::move(use));
            }
            continue;
          }
          if (!seen.insert({id, direct, beside}).second) continue;
          const bool passes = node.kind == NodeKind::kCopy;
          // What a part of a buffer held before it was overwritten is not what is used of it, nor is what a graph was
          // captured on.
          const std::size_t first = node.kind == NodeKind::kPartial || node.kind == NodeKind::kReplay ? 1 : 0;
          std::vector<std::uint32_t> derived(node.slots.size());
          for (std::size_t i = first; i < node.slots.size(); ++i) derived[i] = current_arguments(node.slots[i]);
          for (std::size_t i = first; i < node.slots.size(); ++i) {
            std::uint32_t more = beside;
            for (std::size_t j = first; j < node.slots.size(); ++j) {
              if (j != i) more |= derived[j];
            }
            todo.push_back({node.slots[i], direct && passes, more});
          }
        }
      }
    }
  }
  for (StateUse& use : state_uses_) {
    const Node& node = graph_->at(use.state);
    if (node.storage != kNone) {
      const auto stored = interpreter_->stores.find(node.storage);
      if (stored != interpreter_->stores.end()) {
        for (const StateStore& store : stored->second) {
          if (store.phase != Phase::kForward) continue;
          const bool known = std::any_of(use.stored.begin(), use.stored.end(),
                                         [&](const StateStore& s) { return s.where == store.where; });
          if (!known) use.stored.push_back(store);
        }
      }
    }
    std::vector<Guard> guards;
    const auto add = [&](const StatementRef& where, ContextId context) {
      for (const Guard& guard : guards_of(where, context)) {
        const bool known = std::any_of(guards.begin(), guards.end(), [&](const Guard& g) {
          return g.function == guard.function && g.block == guard.block;
        });
        if (!known) guards.push_back(guard);
      }
    };
    add(use.returned, 0);
    for (const StateStore& store : use.stored) add(store.where, store.context);
    // What decided whether it was computed afresh.
    for (const NodeSet& slot : node.slots) {
      for (const NodeId inner : slot) {
        const Node& made = graph_->at(inner);
        add(made.where, made.context);
      }
    }
    use.guards = std::move(guards);
  }
}

const Value& Model::value(Id id) const {
  static const Value unknown;
  return id == kNone ? unknown : facts_.values[static_cast<std::size_t>(id)];
}

}  // namespace kernel_audit::analysis::facts
