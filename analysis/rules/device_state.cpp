#include "analysis/rules/device_state.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "analysis/rules/kernel_code.h"
#include "analysis/rules/launch_values.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Function;
using facts::Id;
using facts::kNone;
using facts::Model;
using facts::NodeKind;
using facts::Statement;
using facts::StatementKind;
using facts::StorageKind;

constexpr double kNeverWraps = 1 << 20;  // no grid has so many blocks that all take a ticket in turn

// A variable of the device, or what a buffer that outlives the call was made by.
struct Place {
  Id variable = kNone;
  facts::StatementRef buffer;
  auto operator<=>(const Place&) const = default;
  bool known() const { return variable != kNone || buffer.known(); }
};

enum class Change { kNot, kOn, kBack };

// One function's uses of such places.
class Uses {
 public:
  Uses(const Model& model, Id id, const LaunchValues& launches) : view(model, model.function(id)) {
    const Function& function = view.function;
    for (const facts::Block& block : function.blocks) {
      for (const Statement& s : block.statements) {
        if (s.callee != "operator.addressof") continue;
        for (const Id argument : s.args) addressed_.insert(argument);
      }
    }
    for (std::size_t p = 0; p < function.parameters.size(); ++p) {
      if (const auto given = launches.given(id, p)) keep(function.parameters[p].storage, *given);
    }
  }

  // The place whose value a statement takes; none where only its address is taken.
  Place read(const Statement& s) const {
    if (s.kind == StatementKind::kLoad) {
      if (view.flow.deref(s)) return kept(view.root(s.location.base));
      const bool takes = !s.location.element && !addressed_.contains(s.result);
      return takes && global(s.location.storage) ? Place{s.location.storage, {}} : Place{};
    }
    const bool atomic = is_atomic(s);
    return atomic || s.callee == "triton.language.load" ? pointed(s.args[0]) : Place{};
  }

  // What a statement of block `at` changes, and whether it moves it on rather than back.
  std::pair<Place, Change> changes(const Statement& s, Id at) const {
    if (s.kind == StatementKind::kStore && s.location.storage != kNone) {
      if (global(s.location.storage)) return {{s.location.storage, {}}, stored(s, s.location.storage, at)};
      if (!view.flow.deref(s)) return {};
      const Id root = view.root(s.location.base);
      return {kept(root), counts_in(root) ? stored(s, root, at) : Change::kNot};
    }
    if (s.kind != StatementKind::kCall) return {};
    if (s.callee == "triton.language.store") {
      const Id root = view.root(s.args[0]);
      return {kept(root), stored_value(s.args[1], root, at)};
    }
    return is_atomic(s) ? std::pair{pointed(s.args[0]), atomic(s)} : std::pair{Place{}, Change::kNot};
  }

  // The statement that reads a place in the course of a test; none where only its rest of a division takes part, or
  // where it is compared with itself.
  const Statement* tested(Id condition, const std::set<Place>& moved) const {
    if (const Statement* found = tested_itself(condition, moved); found != nullptr) return found;
    const Statement* found = nullptr;
    for (const Id value : view.flow.behind(condition).values) {
      const Statement* made = view.flow.made(value);
      if (made == nullptr || made->kind != StatementKind::kPhi) continue;
      for (const Id chooser : view.choosing(*made)) found = found == nullptr ? tested_itself(chooser, moved) : found;
    }
    return found;
  }

  // Places that are kept, and whether a launch has a part in a value otherwise: by what its arguments are or hold.
  struct Sources {
    std::set<Place> kept;
    bool handed = false;
  };
  Sources sources(Id value) const {
    Sources found;
    std::set<Id> seen;
    std::vector<Id> todo{value};
    while (!todo.empty()) {
      const Id at = todo.back();
      todo.pop_back();
      const Statement* s = at == kNone || !seen.insert(at).second ? nullptr : view.flow.made(at);
      if (s == nullptr) continue;
      const bool load = s->kind == StatementKind::kLoad;
      if (const Place place = source(*s); place.known() || reads_input(*s)) {
        if (place.known()) found.kept.insert(place);
        found.handed = found.handed || !place.known();
        continue;
      }
      if (load && s->location.storage != kNone) {
        found.handed = found.handed || is_parameter(s->location.storage);
        for (const Statement* store : view.flow.stores_to(s->location.storage)) todo.push_back(store->value);
      }
      if (load) todo.push_back(s->location.base);
      todo.insert(todo.end(), s->args.begin(), s->args.end());
    }
    return found;
  }

  // Whether a statement reads what a launch hands over and does not keep, or may do so in a function.
  bool reads_input(const Statement& s) const {
    const bool load = s.kind == StatementKind::kLoad && view.flow.deref(s);
    const bool call = s.callee == "triton.language.load" || s.callee.starts_with("__ld");
    if (!load && !call) return s.kind == StatementKind::kCall && s.target != kNone;
    const Id root = view.root(load ? s.location.base : s.args[0]);
    return root == kNone || (is_parameter(root) && !kept(root).known());
  }

  // The place that outlives the launch which a statement stores to, and the value.
  std::pair<Place, Id> stores(const Statement& s) const {
    if (s.kind == StatementKind::kStore && global(s.location.storage)) return {{s.location.storage, {}}, s.value};
    if (s.kind == StatementKind::kStore && view.flow.deref(s)) return {kept(view.root(s.location.base)), s.value};
    if (s.callee == "triton.language.store") return {kept(view.root(s.args[0])), s.args[1]};
    return {};
  }

  KernelView view;

 private:
  const Statement* tested_itself(Id condition, const std::set<Place>& moved) const {
    const Statement* found = nullptr;
    for (const Id value : view.flow.behind(condition).values) {
      const Statement* made = view.flow.made(value);
      if (made == nullptr) continue;
      if (moved.contains(read(*made))) found = made;
      const bool wraps = one_of(last_part(made->callee), {"mod", "floordiv", "and_", "rshift", "xor"});
      if (wraps && reads(made->args[0], moved)) return nullptr;
    }
    const Statement* test = view.flow.made(condition);
    const bool itself = test != nullptr && test->args.size() == 2 && test->callee.starts_with("operator.") &&
                        reads(test->args[0], moved) && reads(test->args[1], moved);
    return itself ? nullptr : found;
  }

  bool global(Id storage) const {
    return storage != kNone &&
           view.model.facts().storages[static_cast<std::size_t>(storage)].kind == StorageKind::kGlobal;
  }
  bool is_parameter(Id storage) const {
    return std::any_of(view.function.parameters.begin(), view.function.parameters.end(),
                       [&](const facts::Parameter& each) { return each.storage == storage; });
  }
  // The place of which a statement takes the value, or one of its elements.
  Place source(const Statement& s) const {
    if (s.kind == StatementKind::kLoad && global(s.location.storage)) return {s.location.storage, {}};
    return read(s);
  }
  Place kept(Id root) const {
    const auto found = kept_.find(root);
    return found == kept_.end() ? Place{} : found->second;
  }
  Place pointed(Id pointer) const {
    const Id root = view.root(pointer);
    return global(root) ? Place{root, {}} : kept(root);
  }

  // A parameter that is handed one buffer which earlier calls were handed as well.
  void keep(Id parameter, const facts::Abstract& given) {
    Place place;
    bool lasts = false;
    for (const facts::ObjectId id : given.objects) {
      const facts::Object& object = view.model.run().object(id);
      if (object.kind != facts::ObjectKind::kTensor || view.model.run().argument_position(id) >= 0) return;
      place.buffer = std::max(place.buffer, object.made);  // of one that is made anew when it is too small, the last
      lasts = lasts || object.phase != facts::Phase::kForward || object.from_earlier_call;
    }
    if (lasts && place.known()) kept_.emplace(parameter, place);
  }

  // Floats are no tickets; of Python's kernels it is not known.
  bool counts_in(Id parameter) const {
    for (const facts::Parameter& each : view.function.parameters) {
      if (each.storage != parameter) continue;
      return each.type.kind != facts::TypeKind::kPointer ||
             (each.type.name.find("float") == std::string::npos && each.type.name.find("double") == std::string::npos);
    }
    return false;
  }

  Change stored(const Statement& s, Id place, Id at) const {
    if (s.location.element && !view.flow.deref(s)) return Change::kBack;
    const Statement* made = view.flow.made(s.value);
    if (s.augmented && made != nullptr && made->callee == "operator.iadd") return Change::kOn;
    return stored_value(s.value, place, at);
  }

  Change stored_value(Id value, Id place, Id at) const {
    if (const Json* constant = constant_of(view.model, value); constant != nullptr) {
      const bool zero = *constant == Json(0) || *constant == Json(false) || *constant == Json(0.0);
      return !zero && !by_data(at) ? Change::kOn : Change::kBack;
    }
    const Statement* made = view.flow.made(value);
    if (made == nullptr || (made->callee != "operator.iadd" && made->callee != "operator.add")) return Change::kBack;
    const DeviceFlow::Behind behind = view.flow.behind(value);
    const bool itself =
        behind.variables.contains(place) || std::any_of(behind.values.begin(), behind.values.end(), [&](Id each) {
          const Statement* load = view.flow.made(each);
          return load != nullptr && read(*load).known() && read(*load) == kept(place);
        });
    return itself ? Change::kOn : Change::kBack;
  }

  static bool is_atomic(const Statement& s) {
    return s.kind == StatementKind::kCall && !s.args.empty() &&
           (s.callee.starts_with("atomic") || s.callee.starts_with("triton.language.atomic_") ||
            s.callee.starts_with("numba.cuda.atomic."));
  }

  Change atomic(const Statement& s) const {
    const std::string last = last_part(s.callee);
    const auto number = [&](Id value) { return view.number(value).value_or(0); };
    if (one_of(last, {"atomicAdd", "atomic_add", "add", "atomicOr", "atomic_or"})) return Change::kOn;
    if (one_of(last, {"atomicInc", "inc"})) return number(s.args.back()) >= kNeverWraps ? Change::kOn : Change::kBack;
    if (one_of(last, {"atomicMax", "atomic_max", "max", "atomicExch", "atomic_xchg", "exch", "atomicCAS", "atomic_cas",
                      "compare_and_swap"}))
      return number(s.args.back()) > 0 ? Change::kOn : Change::kBack;
    return Change::kBack;
  }

  bool reads(Id value, const std::set<Place>& moved) const {
    const auto values = view.flow.behind(value).values;
    return std::any_of(values.begin(), values.end(), [&](Id each) {
      const Statement* made = view.flow.made(each);
      return made != nullptr && moved.contains(read(*made));
    });
  }

  // Whether memory that the kernel was given decides that a block runs, other than what is kept.
  bool by_data(Id at) const {
    DeviceFlow flow(view.model, view.function);
    for (std::size_t b = 0; b < view.function.blocks.size(); ++b) {
      const Id condition = view.function.blocks[b].condition;
      if (condition == kNone || !view.side(static_cast<Id>(b), at)) continue;
      for (const Id root : flow.memory_behind(condition)) {
        if (!kept_.contains(root)) return true;
      }
    }
    return false;
  }

  std::set<Id> addressed_;
  std::map<Id, Place> kept_;  // by parameter
};

// The first statement that can run from a block on for which `wanted` holds.
const Statement* first_from(const Uses& uses, Id start, const std::function<bool(const Statement&, Id)>& wanted) {
  std::set<Id> seen;
  std::vector<Id> todo{start};
  while (!todo.empty()) {
    const Id at = todo.back();
    todo.pop_back();
    if (!seen.insert(at).second) continue;
    const facts::Block& block = uses.view.function.blocks[static_cast<std::size_t>(at)];
    for (const Statement& s : block.statements) {
      if (wanted(s, at)) return &s;
    }
    for (const facts::Edge& edge : block.successors) todo.push_back(edge.to);
  }
  return nullptr;
}

// Whether anything that can run from a block on writes memory, the places themselves aside.
bool writes_from(const Uses& uses, Id start, const std::set<Place>& moved) {
  return first_from(uses, start, [&](const Statement& s, Id at) {
           const auto [place, change] = uses.changes(s, at);
           if (change != Change::kNot && moved.contains(place)) return false;
           // What a function is called for is not looked at here: it may write.
           return s.target != kNone || writes_global(uses.view.model, uses.view.function, s);
         }) != nullptr;
}

bool reads_input_from(const Uses& uses, Id start) {
  return first_from(uses, start, [&](const Statement& s, Id) { return uses.reads_input(s); }) != nullptr;
}

// What decides whether a block goes on, or how often: its condition, the numbers of range(…).
std::vector<Id> deciding(const KernelView& view, const facts::Block& block) {
  std::vector<Id> values;
  if (block.condition == kNone || block.successors.size() != 2) return values;
  values.push_back(block.condition);
  for (const Statement& s : block.statements) {
    const Statement* iter = s.callee == "builtins.next" ? view.flow.made(s.args[0]) : nullptr;
    const Statement* range = iter == nullptr ? nullptr : view.flow.made(iter->args[0]);
    if (range != nullptr) values.insert(values.end(), range->args.begin(), range->args.end());
  }
  return values;
}

// The mask of a store of Triton.
Id mask_of(const Statement& s) { return s.callee == "triton.language.store" ? argument(s, 2, "mask") : kNone; }

const Statement* gate(const Uses& uses, const std::set<Place>& moved) {
  for (std::size_t b = 0; b < uses.view.function.blocks.size(); ++b) {
    const facts::Block& block = uses.view.function.blocks[b];
    for (const Statement& s : block.statements) {
      const Id mask = mask_of(s);
      const Statement* read = mask == kNone || moved.contains(uses.changes(s, static_cast<Id>(b)).first)
                                  ? nullptr
                                  : uses.tested(mask, moved);
      if (read != nullptr) return read;
    }
    for (const Id value : deciding(uses.view, block)) {
      const Statement* read = uses.tested(value, moved);
      if (read == nullptr) continue;
      const Id yes = block.successors[0].to, no = block.successors[1].to;
      if (writes_from(uses, yes, moved) != writes_from(uses, no, moved) ||
          reads_input_from(uses, yes) != reads_input_from(uses, no))
        return read;
    }
  }
  return nullptr;
}

// Whether what a launch finds in a buffer is what launches of earlier calls left there, as far as that is seen.
bool left_by_launches(const Model& model, const Place& place) {
  bool left = false, filled = false;
  for (const auto& [where, arguments] : model.run().launch_arguments) {
    for (const facts::Abstract& given : arguments) {
      const bool here = std::any_of(given.objects.begin(), given.objects.end(),
                                    [&](facts::ObjectId id) { return model.run().object(id).made == place.buffer; });
      if (!here) continue;
      model.provenance().walk(given.nodes, [&](const facts::Node& node, facts::NodeId) {
        if (node.kind == NodeKind::kIdentity || node.kind == NodeKind::kMetadata) return false;
        left = left || node.kind == NodeKind::kLaunch;
        // A part of it, which may be the one in question.
        filled = filled || (node.kind == NodeKind::kPartial && node.slots.size() > 1 &&
                            !model.provenance().reaches(node.slots[1], NodeKind::kLaunch));
        return node.kind != NodeKind::kLaunch;
      });
    }
  }
  return left && !filled;
}

bool stored_by_kernel(const Uses& uses, const Place& place) {
  return first_from(uses, 0, [&](const Statement& s, Id) { return uses.stores(s).first == place; }) != nullptr;
}

// The test by which a kernel does with what it kept, and where it keeps something new otherwise.
std::optional<std::pair<const Statement*, const Statement*>> memo_in(const Uses& uses, const std::set<Place>& host) {
  for (const facts::Block& block : uses.view.function.blocks) {
    if (block.condition == kNone || block.successors.size() != 2) continue;
    for (const Id value : uses.view.flow.behind(block.condition).values) {
      const Statement* test = uses.view.flow.made(value);
      if (test == nullptr || !one_of(test->callee, {"operator.eq", "operator.ne"}) || test->args.size() != 2) continue;
      const Uses::Sources a = uses.sources(test->args[0]), b = uses.sources(test->args[1]);
      const Uses::Sources &left = a.handed ? b : a, &now = a.handed ? a : b;
      if (left.kept.size() != 1 || left.handed || !now.handed || !now.kept.empty()) continue;
      const auto renews = [&](const Statement& s, Id) {
        const auto [place, stored] = uses.stores(s);
        return place.known() && constant_of(uses.view.model, stored) == nullptr;
      };
      const Statement *yes = first_from(uses, block.successors[0].to, renews),
                      *no = first_from(uses, block.successors[1].to, renews);
      const auto reads = [&](std::size_t side) { return reads_input_from(uses, block.successors[side].to); };
      if ((yes == nullptr && no == nullptr) || reads(0) == reads(1)) continue;
      const Place place = *left.kept.begin();
      const bool lasts = place.variable == kNone ? left_by_launches(uses.view.model, place)
                                                 : stored_by_kernel(uses, place) && !host.contains(place);
      if (lasts) return std::pair{test, yes == nullptr ? no : yes};
    }
  }
  return std::nullopt;
}

// Whether all that a kernel reads is what the module holds: weights and buffers.
bool of_weights(const Model& model, Id kernel, const LaunchValues& launches) {
  facts::NodeSet nodes;
  const Function& function = model.function(kernel);
  for (std::size_t p = 0; p < function.parameters.size(); ++p) {
    const auto& access = model.access(kernel);
    const auto given = launches.given(kernel, p);
    if (given && (!access.known || access.read[p])) facts::merge_into(nodes, given->nodes);
  }
  return !nodes.empty() && !model.provenance().reaches(nodes, NodeKind::kArgument);
}

// Places that host code names or takes the address of, by whatever name.
std::set<Place> named_on_host(const Model& model, const std::set<Id>& device) {
  std::set<Place> named;
  for (std::size_t f = 0; f < model.facts().functions.size(); ++f) {
    const Function& function = model.facts().functions[f];
    if (device.contains(static_cast<Id>(f)) || function.is_module_body) continue;
    for (const facts::Block& block : function.blocks) {
      for (const Statement& s : block.statements) named.insert({s.location.storage, {}});
    }
  }
  return named;
}

}  // namespace

std::vector<DeviceGate> device_gates(const Model& model) {
  const LaunchValues launches(model);
  const std::vector<DeviceFunction> launched = launched_code_of_both(model);
  std::set<Id> device;
  std::set<Place> back;
  std::map<Place, const Statement*> moved;
  for (const DeviceFunction& code : launched) {
    device.insert(code.function);
    const Uses uses(model, code.function, launches);
    for (std::size_t b = 0; b < uses.view.function.blocks.size(); ++b) {
      for (const Statement& s : uses.view.function.blocks[b].statements) {
        const auto [place, change] = uses.changes(s, static_cast<Id>(b));
        if (!place.known() || change == Change::kNot) continue;
        if (change == Change::kOn) moved.try_emplace(place, &s);
        if (change == Change::kBack) back.insert(place);
      }
    }
  }
  if (moved.empty()) return {};
  back.merge(named_on_host(model, device));
  std::set<Place> places;
  for (const auto& [place, change] : moved) {
    if (!back.contains(place) && (place.variable != kNone || left_by_launches(model, place))) places.insert(place);
  }
  std::vector<DeviceGate> gates;
  for (const DeviceFunction& code : launched) {
    if (places.empty() || !model.function(code.function).is_kernel) continue;
    const Uses uses(model, code.function, launches);
    const Statement* read = gate(uses, places);
    if (read == nullptr) continue;
    const Place place = uses.read(*read);
    const std::string name = place.variable == kNone
                                 ? "a number in a buffer"
                                 : model.facts().storages[static_cast<std::size_t>(place.variable)].name;
    gates.push_back({code, read, moved.at(place), name, of_weights(model, code.function, launches)});
  }
  return gates;
}

std::vector<DeviceMemo> device_memos(const Model& model) {
  const LaunchValues launches(model);
  const std::vector<DeviceFunction> launched = launched_code_of_both(model);
  std::set<Id> device;
  for (const DeviceFunction& code : launched) device.insert(code.function);
  const std::set<Place> host = named_on_host(model, device);
  std::vector<DeviceMemo> memos;
  for (const DeviceFunction& code : launched) {
    if (!model.function(code.function).is_kernel) continue;
    const Uses uses(model, code.function, launches);
    if (const auto memo = memo_in(uses, host)) memos.push_back({code, memo->first, memo->second});
  }
  return memos;
}

}  // namespace kernel_audit::analysis::rules
