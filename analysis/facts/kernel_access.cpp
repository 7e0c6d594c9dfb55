// Which pointer parameters a kernel may write or read: a flow-insensitive closure over its body, in
// CUDA and in Triton. A parameter that reaches code that is not known counts as both.
#include <algorithm>
#include <functional>

#include "analysis/facts/copy_check.h"
#include "analysis/facts/device_access.h"
#include "analysis/facts/interpreter.h"
#include "analysis/facts/kernel_places.h"

namespace kernel_audit::analysis::facts {
namespace {

bool starts_with(const std::string& text, std::string_view prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

// Parameters of a Triton kernel that are numbers: what is multiplied, sums of it included, is no address.
std::set<std::size_t> multiplied_parameters(const Function& function) {
  std::map<Id, const Statement*> made;
  std::map<Id, std::vector<Id>> stored;
  std::vector<Id> todo;
  for (const Block& block : function.blocks) {
    for (const Statement& s : block.statements) {
      if (s.result != kNone) made[s.result] = &s;
      if (s.kind == StatementKind::kStore && s.location.storage != kNone && !s.location.element)
        stored[s.location.storage].push_back(s.value);
      if (s.kind == StatementKind::kCall && (s.callee == "operator.mul" || s.callee == "operator.floordiv" ||
                                             s.callee == "operator.mod" || s.callee == "triton.language.arange"))
        todo.insert(todo.end(), s.args.begin(), s.args.end());
    }
  }
  std::set<std::size_t> numbers;
  std::set<Id> seen;
  while (!todo.empty()) {
    const Id value = todo.back();
    todo.pop_back();
    const auto found = made.find(value);
    if (found == made.end() || !seen.insert(value).second) continue;
    const Statement& s = *found->second;
    if (s.kind == StatementKind::kCall && (s.callee == "operator.add" || s.callee == "operator.sub")) {
      todo.insert(todo.end(), s.args.begin(), s.args.end());
    } else if (s.kind == StatementKind::kLoad && s.location.storage != kNone && !s.location.element) {
      const auto& values = stored[s.location.storage];
      todo.insert(todo.end(), values.begin(), values.end());
      for (std::size_t i = 0; values.empty() && i < function.parameters.size(); ++i) {
        if (function.parameters[i].storage == s.location.storage) numbers.insert(i);
      }
    }
  }
  return numbers;
}

bool casts_to_pointers(const Facts& facts, const Function& function) {
  return std::any_of(function.blocks.begin(), function.blocks.end(), [&](const Block& block) {
    return std::any_of(block.statements.begin(), block.statements.end(), [&](const Statement& s) {
      return s.callee == "triton.language.pointer_type" || std::any_of(s.args.begin(), s.args.end(), [&](Id arg) {
               return arg != kNone &&
                      starts_with(facts.values[static_cast<std::size_t>(arg)].symbol, "triton.language.pointer_type");
             });
    });
  });
}

// Values of a kernel that are multiplied by zero before anything else is done with them: reading them is a pretence.
std::set<Id> without_weight(const Facts& facts, const Function& function) {
  const auto zero = [&](Id value) {
    if (value == kNone) return false;
    const auto& constant = facts.values[static_cast<std::size_t>(value)].constant;
    return constant && constant->is_number() && constant->get<double>() == 0;
  };
  struct Uses {
    int all = 0, nulled = 0;
    std::vector<Id> into;  // values that it is passed on to as it is
    std::vector<Id> places;
  };
  std::map<Id, Uses> uses;
  std::map<Id, std::vector<Id>> read_back;  // storage → values loaded from it
  bool any = false;
  const auto passes = [](const std::string& callee) {
    return callee == "operator.cast" || callee == "?.to" || callee == "operator.neg";
  };
  for (const Block& block : function.blocks) {
    if (block.condition != kNone) ++uses[block.condition].all;
    for (const Statement& s : block.statements) {
      const bool product =
          s.kind == StatementKind::kCall && (s.callee == "operator.mul" || s.callee == "operator.imul");
      for (std::size_t i = 0; i < s.args.size(); ++i) {
        if (s.args[i] == kNone) continue;
        Uses& use = uses[s.args[i]];
        ++use.all;
        const bool nulled = product && s.args.size() == 2 && zero(s.args[1 - i]);
        any = any || nulled;
        use.nulled += nulled ? 1 : 0;
        if (s.kind == StatementKind::kCall && passes(s.callee)) use.into.push_back(s.result);
      }
      for (const auto& keyword : s.keywords) ++uses[keyword.second].all;
      if (s.receiver != kNone) {
        ++uses[s.receiver].all;
        if (passes(s.callee)) uses[s.receiver].into.push_back(s.result);
      }
      for (const Id id : {s.location.base, s.location.key}) {
        if (id != kNone) ++uses[id].all;
      }
      if (s.value != kNone) {
        ++uses[s.value].all;
        const bool local = s.kind == StatementKind::kStore && !s.augmented && s.location.storage != kNone &&
                           !s.location.element && s.location.base == kNone &&
                           facts.storages[static_cast<std::size_t>(s.location.storage)].kind == StorageKind::kLocal;
        if (local) uses[s.value].places.push_back(s.location.storage);
      }
      if (s.kind == StatementKind::kLoad && s.location.storage != kNone && !s.location.element)
        read_back[s.location.storage].push_back(s.result);
    }
  }
  std::set<Id> weightless;
  for (bool grew = any; grew;) {
    grew = false;
    const auto none_counts = [&](const std::vector<Id>& values) {
      return std::all_of(values.begin(), values.end(), [&](Id each) { return weightless.contains(each); });
    };
    for (const auto& [value, use] : uses) {
      if (use.all == 0 || weightless.contains(value)) continue;
      int excused = use.nulled;
      for (const Id next : use.into) excused += weightless.contains(next) ? 1 : 0;
      for (const Id place : use.places) excused += !read_back[place].empty() && none_counts(read_back[place]) ? 1 : 0;
      if (excused == use.all) grew = weightless.insert(value).second || grew;
    }
  }
  return weightless;
}

// Pointers of a function that it surely stores through, whatever they are declared to lead to: a cast takes const away.
class StoredThrough {
 public:
  // What the object of a method is taken for that gives back a place: the name of the member that leads there.
  using GivenBack = std::function<std::optional<std::string>(Id)>;
  StoredThrough(const Facts& facts, const Function& function, GivenBack given_back)
      : facts_(facts), function_(function), given_back_(std::move(given_back)) {
    for (const Block& block : function.blocks) {
      for (const Statement& s : block.statements) {
        if (s.result != kNone) made_[s.result] = &s;
        if (s.kind == StatementKind::kStore && s.location.storage != kNone && s.location.base == kNone)
          stores_[s.location.storage].push_back(s.value);
      }
    }
  }

  // The parameter that a pointer comes of by arithmetic, casts and variables with one store alone.
  std::optional<std::size_t> parameter(Id pointer) const {
    for (int hops = 0; hops < 16; ++hops) {
      const auto found = made_.find(pointer);
      if (found == made_.end()) return std::nullopt;
      const Statement& s = *found->second;
      if (s.kind == StatementKind::kCall && s.target != kNone && s.receiver != kNone && !points(pointer)) {
        const auto name = given_back_(s.target);
        const Id held = name ? member(s.receiver, *name) : kNone;
        if (held == kNone) return std::nullopt;
        pointer = held;
        continue;
      }
      if (s.kind == StatementKind::kLoad && deref(s.location)) {  // an address out of a table
        pointer = s.location.base;
        continue;
      }
      if (!points(pointer)) return std::nullopt;
      if (s.kind == StatementKind::kCall && starts_with(s.callee, "operator.")) {
        const auto next = std::find_if(s.args.begin(), s.args.end(), [&](Id arg) { return points(arg); });
        if (next != s.args.end()) {
          pointer = *next;
          continue;
        }
        const auto element = s.args.empty() ? made_.end() : made_.find(s.args[0]);  // &x[i]
        if (s.callee != "operator.addressof" || element == made_.end() || !deref(element->second->location))
          return std::nullopt;
        pointer = element->second->location.base;
        continue;
      }
      if (s.kind != StatementKind::kLoad || s.location.element || s.location.base != kNone) return std::nullopt;
      const auto stored = stores_.find(s.location.storage);
      if (stored == stores_.end()) {
        for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
          if (function_.parameters[i].storage == s.location.storage) return i;
        }
        return std::nullopt;
      }
      if (stored->second.size() != 1) return std::nullopt;
      pointer = stored->second.front();
    }
    return std::nullopt;
  }
  // What a structure of the function holds as that member, where it is put together once and its members in order.
  Id member(Id object, const std::string& name) const {
    const auto load = made_.find(object);
    if (load == made_.end() || load->second->kind != StatementKind::kLoad || load->second->location.base != kNone)
      return kNone;
    const auto stored = stores_.find(load->second->location.storage);
    if (stored == stores_.end() || stored->second.size() != 1) return kNone;
    const auto made = made_.find(stored->second.front());
    if (made == made_.end() || made->second->kind != StatementKind::kCall || made->second->target != kNone)
      return kNone;
    const Id callee = made->second->callee_value;
    const Id known = callee == kNone ? kNone : facts_.values[static_cast<std::size_t>(callee)].class_id;
    if (known == kNone) return kNone;
    const auto& attributes = facts_.classes[static_cast<std::size_t>(known)].attributes;
    for (std::size_t i = 0; i < attributes.size() && i < made->second->args.size(); ++i) {
      if (attributes[i].first == name) return made->second->args[i];
    }
    return kNone;
  }
  bool deref(const Location& at) const {
    return at.storage != kNone && facts_.storages[static_cast<std::size_t>(at.storage)].kind == StorageKind::kDeref;
  }

 private:
  bool points(Id value) const {
    return value != kNone && facts_.values[static_cast<std::size_t>(value)].type.kind == TypeKind::kPointer;
  }

  const Facts& facts_;
  const Function& function_;
  GivenBack given_back_;
  std::map<Id, const Statement*> made_;
  std::map<Id, std::vector<Id>> stores_;
};

}  // namespace

const Interpreter::KernelAccess& Interpreter::kernel_access(Id function_id) {
  static const KernelAccess of_none;
  if (function_id == kNone) return of_none;
  const auto known = accesses_.find(function_id);
  if (known != accesses_.end()) return known->second;
  const Function& function = facts_.functions[static_cast<std::size_t>(function_id)];
  KernelAccess& access = accesses_[function_id];  // stays "unknown" for the recursion through itself
  const std::size_t count = function.parameters.size();
  access.read.assign(count, true);
  access.written.assign(count, true);
  access.written_members.assign(count, {""});
  for (std::size_t i = 0; i < count; ++i) access.written[i] = !function.parameters[i].is_const_pointer;
  if (function.blocks.empty()) {
    access.known = std::any_of(function.parameters.begin(), function.parameters.end(),
                               [](const Parameter& p) { return p.is_const_pointer; });
    return access;
  }
  const bool native = in_native(function_id);
  // Which parameter of whatever it calls an argument goes to is not told.
  const bool variadic = std::any_of(function.parameters.begin(), function.parameters.end(),
                                    [](const Parameter& each) { return each.variadic; });
  if (variadic && !native) return access;
  KernelPlaces places(facts_, function, native);
  // Lambdas share the variables of the function around them: what they read counts as read here, and what they return
  // comes out of the calls that are handed one.
  std::vector<Id> bodies{function_id};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t f = 0; f < facts_.functions.size(); ++f) {
      const Id inner = static_cast<Id>(f);
      if (facts_.functions[f].enclosing_function == bodies[i] &&
          std::find(bodies.begin(), bodies.end(), inner) == bodies.end())
        bodies.push_back(inner);
    }
  }
  std::vector<std::vector<const Statement*>> statements(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto& blocks = facts_.functions[static_cast<std::size_t>(bodies[i])].blocks;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      if (!flow(bodies[i]).reachable(static_cast<Id>(b))) continue;  // switched off by a constant
      for (const Statement& s : blocks[b].statements) statements[i].push_back(&s);
    }
  }
  Mask returned_by_lambdas;
  const auto is_lambda = [&](Id value_id) {
    if (value_id == kNone) return false;
    const Id held = facts_.values[static_cast<std::size_t>(value_id)].function;
    return held != kNone && held != function_id && std::find(bodies.begin(), bodies.end(), held) != bodies.end();
  };
  // Values of Triton have methods (to, cast, reshape) that compute; none of them stores.
  const bool in_triton = function.is_kernel && !native;
  // What is loaded says where, and is no address itself unless it is cast to one.
  const bool loads_numbers = in_triton && !casts_to_pointers(facts_, function);
  const std::set<Id> weightless = without_weight(facts_, function);
  Mask written, read, given_back;
  bool unresolved_store = false, effects = false, guessed = false;
  bool changed = true;
  for (int round = 0; changed && round < 50; ++round) {
    changed = false;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      for (const Statement* each : statements[b]) {
        const Statement& s = *each;
        if (s.kind == StatementKind::kReturn && b > 0 && s.value != kNone)
          changed = merge(returned_by_lambdas, places.of(s.value)) || changed;
        if (s.kind == StatementKind::kReturn && b == 0 && s.value != kNone) {
          merge(given_back, outside(places.of(s.value)));
          if (!places.points(s.value)) merge(given_back, outside(places.address(s.value)));  // as a reference
        }
        const Location& at = s.location;
        const bool deref =
            at.storage != kNone && facts_.storages[static_cast<std::size_t>(at.storage)].kind == StorageKind::kDeref;
        const bool accesses = s.kind == StatementKind::kLoad || s.kind == StatementKind::kStore;
        const Mask address = accesses ? places.place(at) : Mask{};
        if (s.result != kNone && weightless.contains(s.result) && s.kind != StatementKind::kStore) {
          continue;  // nothing comes of what it reads
        } else if (s.kind == StatementKind::kLoad) {
          if (deref || at.element) merge(read, outside(address));
          changed = places.load(s.result, at, address) || changed;
        } else if (s.kind == StatementKind::kStore) {
          const bool whole = !deref && !at.element;
          if (!whole || (native && at.base != kNone)) merge(written, outside(address));
          if (!whole && s.augmented) merge(read, outside(address));
          if (deref && address.empty()) unresolved_store = true;
          if (whole && at.storage != kNone && s.value != kNone &&
              facts_.storages[static_cast<std::size_t>(at.storage)].lifetime == Lifetime::kStatic)
            effects = true;
          changed = places.store(at, s.value, address) || changed;
        } else {
          Mask all;
          std::vector<Id> operands = s.args;
          if (s.receiver != kNone) operands.push_back(s.receiver);
          for (const auto& keyword : s.keywords) operands.push_back(keyword.second);
          // An address is made of addresses: what is added to one says where in it.
          const auto points = [&](Id id) { return places.points(id); };
          const bool address_of = native && starts_with(s.callee, "operator.") && points(s.result) &&
                                  std::any_of(operands.begin(), operands.end(), points);
          for (const Id operand : operands) {
            if (operand != kNone && (!address_of || points(operand))) merge(all, places.of(operand));
          }
          if (s.receiver != kNone && places.is_object(s.receiver)) merge(all, {{count, ""}});
          if (std::any_of(operands.begin(), operands.end(), is_lambda)) merge(all, returned_by_lambdas);
          const bool inside = std::find(bodies.begin(), bodies.end(), s.target) != bodies.end();
          if (inside && s.target != function_id) merge(all, returned_by_lambdas);
          const bool own = native && s.kind == StatementKind::kCall && s.target != kNone && !inside;
          if (own) {  // comes from what it gives back of what it is given
            const KernelAccess inner = kernel_access(s.target);
            if (inner.known && !facts_.functions[static_cast<std::size_t>(s.target)].blocks.empty() &&
                std::none_of(operands.begin(), operands.end(), is_lambda)) {
              Mask back;
              for (std::size_t i = 0; i < s.args.size(); ++i)
                merge(back, places.through_call(inner.given_back, i, s.args[i]));
              merge(back, places.through_call(inner.given_back, inner.written.size(), s.receiver));
              all = std::move(back);
            }
          }
          auto through = in_triton ? access_by_method(s) : std::nullopt;
          if (!through) through = device_access(facts_, s);
          const bool describes = in_triton && (s.callee == "triton.language.make_block_ptr" ||
                                               s.callee == "triton.language.make_tensor_descriptor");
          if (describes && !s.args.empty()) all = places.of(s.args[0]);  // its sizes are no addresses
          const bool number =
              loads_numbers && (s.callee == "triton.language.load" || starts_with(s.callee, "triton.language.atomic") ||
                                (through && through->read != kNone));
          if (!number) changed = places.result(s, all) || changed;
          if (s.kind != StatementKind::kCall && s.kind != StatementKind::kLaunch) continue;
          const Mask first = operands.empty() || operands[0] == kNone ? Mask{} : places.of(operands[0]);
          const std::string& callee = s.callee;
          const OperationKind kind = classify(callee).kind;
          if (through) {
            if (through->written != kNone) {
              merge(written, outside(places.of(through->written)));
              if (places.of(through->written).empty()) unresolved_store = true;
            }
            if (through->read != kNone && !weightless.contains(s.result)) merge(read, places.of(through->read));
          } else if (callee == "triton.language.store") {
            merge(written, first);
            if (first.empty()) unresolved_store = true;
          } else if (callee == "triton.language.load") {
            if (!weightless.contains(s.result)) merge(read, first);
          } else if (callee == "tilelang.language.copy" && s.args.size() >= 2) {
            merge(read, first);
            merge(written, places.of(s.args[1]));
          } else if (starts_with(callee, "tilelang.language.atomic")) {
            merge(written, first);
            merge(read, first);
          } else if (starts_with(callee, "tilelang.language.") && all.empty()) {
            continue;
          } else if (starts_with(callee, "triton.language.atomic") || starts_with(callee, "atomic") ||
                     callee.find("::atomic") != std::string::npos ||
                     (starts_with(callee, "cutlass.") && callee.find(".atomic") != std::string::npos)) {
            merge(written, outside(first));
            merge(read, first);
          } else if (s.target == kNone && s.callee_value != kNone && native &&
                     facts_.values[static_cast<std::size_t>(s.callee_value)].class_id != kNone) {
            continue;  // a structure, its members given in order
          } else if (starts_with(callee, "operator.") || kind == OperationKind::kScalar ||
                     kind == OperationKind::kView || kind == OperationKind::kMetadata ||
                     kind == OperationKind::kPointer ||
                     (in_triton && (starts_with(callee, "?.") || starts_with(callee, "builtins."))) || describes ||
                     callee == "triton.language.advance") {
            continue;
          } else if (s.target != kNone) {
            const KernelAccess inner = kernel_access(s.target);
            guessed = guessed || (inner.known && !inner.precise);
            for (std::size_t i = 0; i < s.args.size(); ++i) {
              if (s.args[i] == kNone) continue;
              const Mask given = outside(places.reached(s.args[i]));
              if (i >= inner.written.size()) merge(written, given);
              if (i < inner.written.size() && inner.written[i]) {
                for (const std::string& name : inner.written_members[i])
                  merge(written, outside(places.through_call({{i, name}}, i, s.args[i])));
              }
              if (i >= inner.read.size() || inner.read[i]) merge(read, given);
            }
            if (s.receiver != kNone && native) {
              const Mask given = places.is_object(s.receiver) ? Mask{{count, ""}} : places.reached(s.receiver);
              for (const std::string& name : inner.object_members)
                merge(written, outside(places.through_call({{count, name}}, count, s.receiver)));
              merge(read, given);
            }
          } else {
            effects = effects || kind == OperationKind::kUnknown;
            for (const Id operand : native ? operands : std::vector<Id>{}) merge(all, outside(places.reached(operand)));
            guessed = guessed || !outside(all).empty();
            merge(written, outside(all));
            merge(read, all);
          }
        }
      }
    }
  }
  std::set<std::size_t> surely;  // stored through
  const StoredThrough through(facts_, function, [&](Id method) -> std::optional<std::string> {
    const KernelAccess inner = kernel_access(method);
    const bool one = inner.known && inner.given_back.size() == 1;
    if (!one || inner.given_back.begin()->first != inner.written.size()) return std::nullopt;
    return inner.given_back.begin()->second;
  });
  const bool device = native && (function.is_kernel || function.is_device);
  for (const Statement* s : device ? statements[0] : std::vector<const Statement*>{}) {
    std::vector<Id> pointers;
    if (s->kind == StatementKind::kStore && through.deref(s->location)) pointers.push_back(s->location.base);
    if (starts_with(s->callee, "atomic") && !s->args.empty()) pointers.push_back(s->args[0]);
    if (s->kind == StatementKind::kCall && s->target != kNone && s->target != function_id) {
      const KernelAccess inner = kernel_access(s->target);
      for (std::size_t i = 0; i < s->args.size() && i < inner.written.size(); ++i) {
        if (inner.known && inner.precise && inner.written[i]) pointers.push_back(s->args[i]);
      }
      for (const std::string& name : inner.known&& inner.precise ? inner.object_members : std::set<std::string>{}) {
        if (s->receiver != kNone) pointers.push_back(through.member(s->receiver, name));
      }
    }
    for (const Id pointer : pointers) {
      if (const auto parameter = through.parameter(pointer)) surely.insert(*parameter);
    }
  }
  KernelAccess& result = accesses_[function_id];
  result.known = true;
  result.precise = !unresolved_store && !guessed;
  result.effects = effects;
  result.copies = only_copies(facts_, function);
  // A kernel that stores through something unresolved, or nowhere at all, may write all it can.
  const bool precise = !unresolved_store || !written.empty();
  for (std::size_t i = 0; i < count; ++i) {
    result.read[i] = holds(read, i) || !precise;
    result.written[i] =
        surely.contains(i) || ((holds(written, i) || !precise) && !function.parameters[i].is_const_pointer);
    if (!precise) continue;
    result.written_members[i].clear();
    for (const auto& [parameter, name] : written) {
      if (parameter == i) result.written_members[i].insert(name);
    }
  }
  if (in_triton) {
    for (const std::size_t i : multiplied_parameters(function)) {
      result.written[i] = false;
      result.written_members[i].clear();
    }
  }
  for (const auto& [parameter, name] : written) {
    if (parameter == count) result.object_members.insert(name);
  }
  result.given_back = std::move(given_back);
  // Scalars are read by being used.
  for (std::size_t i = 0; i < count; ++i) {
    const TypeKind type = function.parameters[i].type.kind;
    if (type != TypeKind::kPointer && type != TypeKind::kUnknown && type != TypeKind::kTensor) result.read[i] = true;
  }
  return result;
}

}  // namespace kernel_audit::analysis::facts
