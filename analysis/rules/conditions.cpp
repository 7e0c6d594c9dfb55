#include "analysis/rules/conditions.h"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/facts/call_chain.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Guard;
using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Node;
using facts::NodeId;
using facts::NodeKind;
using facts::Statement;
using facts::StatementKind;

bool Slice::names_any(std::initializer_list<std::string_view> last_parts) const {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const std::string last = last_part(name);
    return std::find(last_parts.begin(), last_parts.end(), last) != last_parts.end();
  });
}

namespace {

// The statements of a function, and of module bodies with it, by what slices ask of them.
struct SliceTables {
  std::map<Id, const Statement*> made;
  std::multimap<Id, Id> stored;  // storage → value
  std::multimap<Id, Id> listed;  // list that a comprehension makes → what it appends

  SliceTables(const Model& model, Id function);
};

SliceTables::SliceTables(const Model& model, Id function) {
  std::map<Id, Id> address_of;  // value → the variable that it points to
  // Ids of values are unique in the whole candidate: what module bodies define is there as well.
  const auto& functions = model.facts().functions;
  for (std::size_t f = 0; f < functions.size(); ++f) {
    if (static_cast<Id>(f) != function && !functions[f].is_module_body) continue;
    for (const facts::Block& block : functions[f].blocks) {
      for (const Statement& s : block.statements) {
        if (s.result != kNone) made.emplace(s.result, &s);
        if (s.kind == StatementKind::kCall && s.callee == "operator.addressof" && s.args.size() == 1) {
          const auto pointee = made.find(s.args[0]);
          if (pointee != made.end() && pointee->second->kind == StatementKind::kLoad)
            address_of[s.result] = pointee->second->location.storage;
        }
        if (s.kind == StatementKind::kCall) {  // what a call is handed the address of, it fills
          for (const Id arg : s.args) {
            const auto filled = address_of.find(arg);
            if (filled != address_of.end() && filled->second != kNone && s.result != kNone)
              stored.emplace(filled->second, s.result);
          }
        }
        if (s.callee == "builtins.list.append" && s.args.size() == 1) listed.emplace(s.receiver, s.args.front());
        if (s.kind == StatementKind::kStore && s.location.storage != kNone && s.value != kNone)
          stored.emplace(s.location.storage, s.value);
      }
    }
  }
}

// What has been asked of a model before.
struct Slices {
  std::map<Id, SliceTables> tables;
  std::map<std::pair<Id, Id>, Slice> known;
};

Slice find_slice(const Model& model, Id function, Id value) {
  Slice slice;
  const auto& [made, stored, listed] = model.kept<Slices>().tables.try_emplace(function, model, function).first->second;
  std::vector<Id> todo{value};
  while (!todo.empty()) {
    const Id at = todo.back();
    todo.pop_back();
    if (at == kNone || !slice.values.insert(at).second) continue;
    const facts::Value& known = model.value(at);
    if (known.constant && known.constant->is_number()) slice.numbers.push_back(known.constant->get<double>());
    if (!known.symbol.empty()) slice.names.insert(known.symbol);
    const auto found = made.find(at);
    if (found == made.end()) continue;
    const Statement& s = *found->second;
    slice.statements.push_back(&s);
    const auto [appended, end] = listed.equal_range(at);
    for (auto it = appended; it != end; ++it) todo.push_back(it->second);
    if (s.kind == StatementKind::kLoad) {
      const Id storage = s.location.storage;
      const auto& storages = model.facts().storages;
      // The type of a tensor's elements says nothing of what else made it: of its sizes, say.
      if (storage == kNone || storages[static_cast<std::size_t>(storage)].name != "dtype")
        todo.push_back(s.location.base);
      todo.push_back(s.location.key);
      if (storage == kNone) continue;
      const facts::Storage& place = storages[static_cast<std::size_t>(storage)];
      if (place.kind == facts::StorageKind::kOtherAttribute) slice.names.insert(place.name);
      const bool followed = place.kind == facts::StorageKind::kLocal || place.kind == facts::StorageKind::kGlobal;
      if (!slice.storages.insert(storage).second || !followed) continue;
      const auto [first, last] = stored.equal_range(storage);
      for (auto it = first; it != last; ++it) todo.push_back(it->second);
      continue;
    }
    if (!s.callee.empty()) slice.names.insert(s.callee);
    todo.insert(todo.end(), s.args.begin(), s.args.end());
    todo.push_back(s.receiver);
    for (const auto& keyword : s.keywords) todo.push_back(keyword.second);
  }
  return slice;
}

}  // namespace

const Slice& slice_of(const Model& model, Id function, Id value) {
  static const Slice nothing;
  if (function == kNone || value == kNone) return nothing;
  const auto [known, fresh] = model.kept<Slices>().known.try_emplace({function, value});
  if (fresh) known->second = find_slice(model, function, value);
  return known->second;
}

const Slice& slice_of(const Model& model, const Guard& guard) {
  if (guard.function == kNone || guard.block == kNone) return slice_of(model, kNone, kNone);
  const auto& block = model.function(guard.function).blocks[static_cast<std::size_t>(guard.block)];
  return slice_of(model, guard.function, block.condition);
}

std::vector<Choice> choices_behind(const Model& model, Id function, Id value, int depth) {
  std::vector<Choice> choices;
  constexpr int kDeepestCall = 3;
  if (function == kNone || depth > kDeepestCall) return choices;
  const Slice& slice = slice_of(model, function, value);
  const auto& blocks = model.function(function).blocks;
  const auto& flow = model.run().flow(function);
  const auto add = [&](Id block) {
    for (const Id decider : flow.deciders(block)) choices.push_back({function, decider});
  };
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (const Statement& s : blocks[b].statements) {
      if (s.kind == StatementKind::kPhi && slice.values.contains(s.result)) {
        for (const Id before : flow.predecessors(static_cast<Id>(b))) add(before);
      }
      if (s.kind == StatementKind::kStore && slice.storages.contains(s.location.storage)) add(static_cast<Id>(b));
    }
  }
  for (const Statement* call : slice.statements) {  // what an own function returns
    if (call->target == kNone || call->target == function || model.native(call->target)) continue;
    const auto& inner = model.run().flow(call->target);
    const auto& bodies = model.function(call->target).blocks;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      for (const Statement& s : bodies[b].statements) {
        if (s.kind != StatementKind::kReturn) continue;
        for (const Id decider : inner.deciders(static_cast<Id>(b))) choices.push_back({call->target, decider});
        if (s.value != kNone) {
          for (const Choice& choice : choices_behind(model, call->target, s.value, depth + 1))
            choices.push_back(choice);
        }
      }
    }
  }
  return choices;
}

bool asks_capture(const Slice& slice) {
  return slice.names_any({"is_current_stream_capturing", "is_capturing", "isCapturing", "currentStreamCaptureStatus",
                          "currentStreamCaptureStatusMayInitCtx", "cudaStreamIsCapturing", "cudaStreamGetCaptureInfo",
                          "cudaStreamGetCaptureInfo_v2", "cuStreamIsCapturing", "cuStreamGetCaptureInfo",
                          "cuStreamGetCaptureInfo_v2", "streamIsCapturing", "streamGetCaptureInfo"});
}

bool asks_size(const Slice& slice) {
  return slice.names_any({"shape", "size", "sizes", "numel", "nelement", "len", "__len__", "sym_size", "sym_numel"});
}

namespace {

bool is_size(const Node& node) {
  const std::string last = last_part(node.name);
  for (const char* name : {"shape", "size", "sizes", "numel", "nelement", "len", "__len__", "sym_size", "sym_numel"}) {
    if (last == name) return true;
  }
  return false;
}

bool is_setting(const Model& model, const Node& argument) {
  const auto& parameters = model.function(model.facts().entry_function).parameters;
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const facts::Parameter& parameter) { return parameter.name == argument.name; });
  if (found == parameters.end()) return false;
  using Kind = facts::TypeKind;
  const Kind kind = found->type.kind;
  return kind == Kind::kInt || kind == Kind::kFloat || kind == Kind::kBool || kind == Kind::kString;
}

}  // namespace

bool decides_by_size(const Model& model, const Guard& guard) {
  const auto condition = model.run().conditions.find({guard.function, guard.block});
  if (guard.kind != facts::GuardKind::kShape || condition == model.run().conditions.end()) return false;
  bool size = false;
  model.provenance().walk(condition->second, [&](const Node& node, NodeId) {
    size = size || (node.kind == NodeKind::kMetadata && is_size(node));
    // Where a tensor is, and of which type, its sizes have no part in.
    return !size && !(node.kind == NodeKind::kMetadata && one_of(last_part(node.name), {"is_cuda", "device", "dtype"}));
  });
  return size;
}

bool decides_by_contents(const Model& model, const Guard& guard) {
  if (guard.kind != facts::GuardKind::kContents || model.facts().entry_function == kNone) return false;
  const auto condition = model.run().conditions.find({guard.function, guard.block});
  if (condition == model.run().conditions.end()) return false;
  bool contents = false, state = false;
  model.provenance().walk(condition->second, [&](const Node& node, NodeId) {
    contents = contents || (node.kind == NodeKind::kArgument && !is_setting(model, node));
    state = state || node.kind == NodeKind::kState;  // a comparison with an earlier call
    return node.kind != NodeKind::kMetadata && node.kind != NodeKind::kIdentity;
  });
  return contents && !state;
}

bool computes(const Model& model, const facts::Alternative& way) {
  if (model.provenance().at(way.node).kind == NodeKind::kState) return false;
  return !way.launches.empty() || !way.framework.empty() || !way.vendor.empty();
}

std::optional<bool> side_of(const Model& model, const Guard& guard, const facts::StatementRef& place,
                            facts::ContextId innermost) {
  for (const auto& [where, context] : facts::call_chain(model.provenance(), place, innermost)) {
    if (where.function == guard.function && where.block != kNone) {
      const auto& flow = model.run().flow(guard.function);
      const facts::Block& test = model.function(guard.function).blocks[static_cast<std::size_t>(guard.block)];
      std::optional<bool> side;
      for (const facts::Edge& edge : test.successors) {
        if (edge.kind != facts::EdgeKind::kTrue && edge.kind != facts::EdgeKind::kFalse) continue;
        if (flow.predecessors(edge.to).size() == 1 && flow.dominates(edge.to, where.block))
          side = edge.kind == facts::EdgeKind::kTrue;
      }
      return side;
    }
  }
  return std::nullopt;
}

namespace {

constexpr int kConditionDepth = 6;  // of `not`, `and` and `or` around comparisons

// (n + 255) / 256: the number of blocks, which is 0 for nothing alone.
bool rounds_up(const Slice& slice) {
  const bool divides = slice.names.contains("operator.truediv") || slice.names.contains("operator.floordiv");
  return divides && slice.names.contains("operator.add") &&
         std::any_of(slice.numbers.begin(), slice.numbers.end(), [&](double number) {
           return number > 1 &&
                  std::find(slice.numbers.begin(), slice.numbers.end(), number - 1) != slice.numbers.end();
         });
}

// (n + 2 * padding - window) / stride + 1: how often a window goes into a size. Nothing large is subtracted from it.
bool counts_steps(const Slice& slice) {
  constexpr double kLargest = 8;
  const auto& numbers = slice.numbers;
  return slice.names.contains("operator.sub") && slice.names.contains("operator.add") &&
         std::find(numbers.begin(), numbers.end(), 1) != numbers.end() &&
         std::all_of(numbers.begin(), numbers.end(), [](double each) { return each <= kLargest; });
}

// A size, a product of sizes, or a number of blocks: what is divided or subtracted otherwise may be 0 where there are
// elements. A parameter is one where the guard looks at a size.
bool is_plain_size(const Model& model, const Guard& guard, Id value) {
  const Slice& slice = slice_of(model, guard.function, value);
  const auto& parameters = model.function(guard.function).parameters;
  const bool handed_in = std::any_of(parameters.begin(), parameters.end(), [&](const facts::Parameter& parameter) {
    return slice.storages.contains(parameter.storage) || slice.values.contains(parameter.value);
  });
  if (!asks_size(slice) && !(handed_in && decides_by_size(model, guard))) return false;
  const bool rounded = rounds_up(slice);
  const bool steps = counts_steps(slice);
  return std::none_of(slice.names.begin(), slice.names.end(), [&](const std::string& name) {
    const bool rounding = name == "operator.add" || name == "operator.truediv" || name == "operator.floordiv";
    return name.starts_with("operator.") && name != "operator.mul" && name != "operator.imul" &&
           name != "operator.cast" && !(rounded && rounding) &&
           !(steps && (rounding || name == "operator.sub" || name == "operator.neg"));
  });
}

// The truth of the value that tells that something has no elements, when one of the two does.
std::optional<bool> true_when_empty(const Model& model, const Guard& guard, Id value, int depth = 0) {
  value = behind(model, guard.function, value);
  const Statement* made = maker(model, guard.function, value);
  if (made == nullptr || depth > kConditionDepth) return std::nullopt;
  const auto part = [&](Id arg) { return true_when_empty(model, guard, arg, depth + 1); };
  if (made->kind == StatementKind::kPhi) {
    if (made->callee != "or" && made->callee != "and") return std::nullopt;
    // `a or b` holds only for nothing when both do; it fails only for nothing when one of them does.
    const bool all = made->callee == "or";
    const auto says = [&](bool truth) { return [&, truth](Id arg) { return part(arg) == truth; }; };
    if (std::all_of(made->args.begin(), made->args.end(), says(all))) return all;
    if (std::any_of(made->args.begin(), made->args.end(), says(!all))) return !all;
    return std::nullopt;
  }
  const auto size = [&](Id arg) { return is_plain_size(model, guard, arg); };
  const auto number = [&](Id arg) -> std::optional<std::int64_t> {
    const Json* constant = constant_of(model, arg);
    return constant != nullptr && constant->is_number_integer() ? std::optional(constant->get<std::int64_t>())
                                                                : std::nullopt;
  };
  if (made->kind == StatementKind::kCall && made->callee == "operator.not_" && made->args.size() == 1) {
    const auto inner = part(made->args[0]);
    return inner ? std::optional(!*inner) : std::nullopt;
  }
  if (made->kind == StatementKind::kCall && made->callee.starts_with("operator.") && made->args.size() == 2) {
    const std::string op = last_part(made->callee);
    const Id left = made->args[0], right = made->args[1];
    if (op == "contains" && number(left) == 0 && size(right)) return true;
    struct Test {
      const char* op;  // size op number
      const char* turned;
      std::int64_t number;
      bool when;
    };
    static constexpr Test kTests[] = {{"eq", "eq", 0, true},  {"le", "ge", 0, true},  {"lt", "gt", 1, true},
                                      {"ne", "ne", 0, false}, {"gt", "lt", 0, false}, {"ge", "le", 1, false}};
    for (const Test& test : kTests) {
      if ((op == test.op && size(left) && number(right) == test.number) ||
          (op == test.turned && size(right) && number(left) == test.number))
        return test.when;
    }
    return std::nullopt;
  }
  return size(value) ? std::optional(false) : std::nullopt;
}

bool on_side(const Model& model, const Guard& guard, const facts::StatementRef& where, facts::ContextId context,
             bool empty) {
  if (guard.kind != facts::GuardKind::kShape || guard.block == kNone) return false;
  const Id condition = model.function(guard.function).blocks[static_cast<std::size_t>(guard.block)].condition;
  const auto when = true_when_empty(model, guard, condition);
  if (!when) return false;
  const auto side = side_of(model, guard, where, context);
  return side && (*side == *when) == empty;
}

}  // namespace

bool holds_nothing(const Model& model, const facts::Alternative& way) {
  const Node& made = model.provenance().at(way.node);
  return std::any_of(way.guards.begin(), way.guards.end(), [&](const Guard& guard) {
    return on_side(model, guard, way.returned, 0, true) || on_side(model, guard, made.where, made.context, true);
  });
}

bool unless_empty(const Model& model, const Guard& guard, const facts::StatementRef& where, facts::ContextId context) {
  return on_side(model, guard, where, context, false);
}

namespace {

struct GuardedLaunch {
  const Node* node = nullptr;
  std::vector<Guard> wanted;
};

// Whether all ways through the function that the launches are in come to one of them, or take the other side of one of
// their guards.
bool on_every_way(const Model& model, const std::vector<GuardedLaunch>& launches) {
  const facts::StatementRef& first = launches.front().node->where;
  std::set<Id> launching;
  std::set<std::pair<Id, facts::EdgeKind>> other_sides;
  for (const GuardedLaunch& launch : launches) {
    const facts::StatementRef& where = launch.node->where;
    if (where.function != first.function || launch.node->context != launches.front().node->context) return false;
    launching.insert(where.block);
    for (const Guard& guard : launch.wanted) {
      const auto side = side_of(model, guard, where, launch.node->context);
      if (side && guard.function == where.function)
        other_sides.emplace(guard.block, *side ? facts::EdgeKind::kFalse : facts::EdgeKind::kTrue);
    }
  }
  const auto& blocks = model.function(first.function).blocks;
  std::set<Id> reached;
  std::vector<Id> todo{0};
  while (!todo.empty()) {
    const Id at = todo.back();
    todo.pop_back();
    if (launching.contains(at) || !reached.insert(at).second) continue;
    const facts::Block& block = blocks[static_cast<std::size_t>(at)];
    if (!block.statements.empty() && block.statements.back().kind == StatementKind::kReturn) return false;
    for (const facts::Edge& edge : block.successors) {
      if (!other_sides.contains({at, edge.kind})) todo.push_back(edge.to);
    }
  }
  return true;
}

}  // namespace

bool launches_guarded(const Model& model, const facts::Alternative& way,
                      const std::function<bool(const Guard&, const Node&)>& wanted) {
  std::vector<GuardedLaunch> launches;
  for (const facts::Alternative& other : model.alternatives()) {
    if (!other.same_value(way)) continue;
    const bool writer_known = model.provenance().at(other.node).kind == NodeKind::kLaunch;
    for (const NodeId id : writer_known ? std::vector{other.node} : other.launches) {
      GuardedLaunch launch{&model.provenance().at(id), {}};
      for (const Guard& guard : model.guards_of(launch.node->where, launch.node->context)) {
        if (wanted(guard, *launch.node)) launch.wanted.push_back(guard);
      }
      launches.push_back(std::move(launch));
    }
  }
  const auto has = [](const GuardedLaunch& launch) { return !launch.wanted.empty(); };
  if (std::all_of(launches.begin(), launches.end(), has)) return !launches.empty();
  return std::any_of(launches.begin(), launches.end(), has) && on_every_way(model, launches);
}

bool has_no_elements(const Model& model, const facts::Alternative& way) {
  return holds_nothing(model, way) || launches_guarded(model, way, [&](const Guard& guard, const Node& launch) {
           return unless_empty(model, guard, launch.where, launch.context);
         });
}

namespace {

// Whether a block of its function is come to after a guard.
bool comes_to(const Model& model, const Guard& guard, Id block) {
  const auto& blocks = model.function(guard.function).blocks;
  std::set<Id> seen{guard.block};
  std::vector<Id> todo{guard.block};
  while (!todo.empty()) {
    const Id at = todo.back();
    todo.pop_back();
    if (at == block) return true;
    for (const facts::Edge& edge : blocks[static_cast<std::size_t>(at)].successors) {
      if (seen.insert(edge.to).second) todo.push_back(edge.to);
    }
  }
  return false;
}

}  // namespace

bool leaves_another_way(const Model& model, const Guard& guard, const facts::StatementRef& where,
                        facts::ContextId context) {
  const auto here = side_of(model, guard, where, context);
  if (!here) return false;
  return std::any_of(model.alternatives().begin(), model.alternatives().end(), [&](const facts::Alternative& way) {
    if (!computes(model, way)) return false;
    const Node& top = model.provenance().at(way.node);
    if (way.returned.function == guard.function && !comes_to(model, guard, way.returned.block)) return false;
    auto side = side_of(model, guard, way.returned, 0);
    if (!side) side = side_of(model, guard, top.where, top.context);
    return side != here;
  });
}

}  // namespace kernel_audit::analysis::rules
