// How instances and modules are made and called, and what a call does beside forward: hooks before and after it. Also
// results that functools keeps, and methods of C++ that the object decides about.
#include <algorithm>

#include "analysis/facts/interpreter.h"
#include "analysis/facts/interpreter_frame.h"

namespace kernel_audit::analysis::facts {
namespace {

constexpr const char* kEveryModule = "torch.nn.Module";  // hooks of all modules are kept under it
constexpr const char* kWithKeywords = "with_kwargs";     // the key of hooks that are handed the keywords as well

bool is_pre_hook(const std::string& name) { return name.find("pre_hook") != std::string::npos; }

}  // namespace

// The hooks of a module, kept in a list of their own.
ObjectId Interpreter::hooks_of(ObjectId module, bool before) {
  const ObjectId list =
      make_object(ObjectKind::kContainer, StatementRef{}, 0, -100 - 2 * static_cast<std::int64_t>(module) - before);
  objects_[static_cast<std::size_t>(list)].phase = Phase::kInit;  // outlives the call
  return list;
}

bool Interpreter::register_hook(const Abstract& receiver, const std::string& name, const std::vector<Abstract>& args,
                                const Keywords& keywords) {
  const bool of_all = name.ends_with("register_module_forward_hook") ||
                      name.ends_with("register_module_forward_pre_hook") || name.ends_with("_global_forward_hooks") ||
                      name.ends_with("_global_forward_pre_hooks");
  const bool of_one = name.ends_with("register_forward_hook") || name.ends_with("register_forward_pre_hook");
  const bool by_table = name.ends_with("._forward_hooks") || name.ends_with("._forward_pre_hooks");
  if (!of_all && !of_one && !by_table) return false;
  Abstract hook = args.empty() ? Abstract{} : args.back();
  if (!by_table && !args.empty()) hook = args.front();
  bool with_keywords = false;
  for (const auto& [keyword, value] : keywords) {
    if (keyword == "hook") hook = value;
    if (keyword == "with_kwargs") with_keywords = truth(value) == true;
  }
  if (hook.objects.empty()) hook = unknown("the hook that is registered is not known", CallSite{}, {});
  ObjectSet modules;
  if (of_one) {
    modules = objects_of_kind(receiver, ObjectKind::kInstance);
    merge_into(modules, objects_of_kind(receiver, ObjectKind::kModule));
  }
  if (modules.empty()) modules = symbol(kEveryModule).objects;
  const KeyId key = with_keywords ? key_of(kWithKeywords) : kAnyKey;
  for (const ObjectId module : modules) write_field(hooks_of(module, is_pre_hook(name)), key, hook, false);
  return true;
}

ObjectSet Interpreter::hooks(ObjectId module, bool before) {
  ObjectSet found = all_fields(hooks_of(module, before)).objects;
  merge_into(found, all_fields(hooks_of(symbol(kEveryModule).objects.front(), before)).objects);
  return found;
}

// Asked of every call of a module, and mostly for nothing: without making a set of them.
bool Interpreter::has_hooks(ObjectId module) {
  bool found = false;
  for (const ObjectId of : {module, symbol(kEveryModule).objects.front()}) {
    for (const bool before : {true, false}) {
      for_each_field(hooks_of(of, before),
                     [&](KeyId, const Abstract& hook) { found = found || !hook.objects.empty(); });
    }
  }
  return found;
}

Abstract Interpreter::packed(const std::vector<Abstract>& items, const CallSite& site, std::int64_t discriminator) {
  const ObjectId tuple = make_object(ObjectKind::kContainer, site.where, site.context, discriminator);
  for (std::size_t i = 0; i < items.size(); ++i) write_field(tuple, key_of("#" + std::to_string(i)), items[i], true);
  return of_object(tuple);
}

// `given`: the module, the arguments of its call, and what that gave.
Abstract Interpreter::call_hook(ObjectId hook, std::vector<Abstract> given, const CallSite& site) {
  const Object target = object(hook);
  const bool before = given.size() == 2;
  for (const ObjectId of : {given[0].objects.front(), symbol(kEveryModule).objects.front()}) {
    const Abstract* asking = state_.fields.find(field_key(hooks_of(of, before), key_of(kWithKeywords)));
    if (asking == nullptr || !std::binary_search(asking->objects.begin(), asking->objects.end(), hook)) continue;
    given.insert(given.begin() + 2, packed({}, site, 62));
    break;
  }
  if (target.kind == ObjectKind::kFunction && target.function != kNone) {
    const Function& function = facts_.functions[static_cast<std::size_t>(target.function)];
    std::vector<Abstract> all = target.bound;
    // A method that was handed on without what it is bound to.
    if (all.empty() && function.parameters.size() > given.size()) bind_missing_receiver(target.function, all);
    all.insert(all.end(), given.begin(), given.end());
    return invoke(target.function, std::move(all), {}, site);
  }
  return call_object(of_object(hook), given, {}, site);
}

// A hook before forward may replace its arguments: by a tuple of them, or by the only one.
void Interpreter::run_pre_hooks(ObjectId module, std::vector<Abstract>& args, const CallSite& site) {
  for (const ObjectId hook : hooks(module, true)) {
    const Abstract changed = call_hook(hook, {of_object(module), packed(args, site, 60)}, site);
    if (only_null(changed)) continue;
    std::vector<Abstract> items = items_in_order(changed);
    if (items.size() == 2 && has_kind(items[0], ObjectKind::kContainer) && has_kind(items[1], ObjectKind::kContainer))
      items = items_in_order(items[0]);  // with the keywords
    if (items.empty()) items = {changed};
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i >= args.size()) {
        args.push_back(items[i]);
      } else if (never_null(changed)) {
        args[i] = items[i];
      } else {
        join(args[i], items[i]);
      }
    }
  }
}

// A hook after forward may replace what it returned.
Abstract Interpreter::run_hooks(ObjectId module, const std::vector<Abstract>& args, Abstract output,
                                const CallSite& site) {
  for (const ObjectId hook : hooks(module, false)) {
    Abstract changed = call_hook(hook, {of_object(module), packed(args, site, 61), output}, site);
    if (only_null(changed)) continue;
    if (never_null(changed)) {
      output = std::move(changed);
    } else {
      std::erase_if(changed.constants, [&](int id) { return constant_at(id).is_null(); });
      join(output, changed);
    }
  }
  return output;
}

bool Interpreter::remembers(const Function& function) {
  return std::any_of(function.decorators.begin(), function.decorators.end(), [](const std::string& decorator) {
    return decorator == "functools.lru_cache" || decorator == "functools.cache" || decorator == "cachetools.cached" ||
           decorator == "cachetools.func.lru_cache";
  });
}

// functools.cache and its like: an earlier call's result is as good as a new one.
Abstract Interpreter::remembered(Id function, const Abstract& result) {
  if (phase_ != Phase::kForward) return result;
  const ObjectId memo = make_object(ObjectKind::kContainer, StatementRef{function, kNone, -4}, 0, 0);
  objects_[static_cast<std::size_t>(memo)].phase = Phase::kInit;  // outlives the call
  memos_.insert(memo);
  Abstract both = all_fields(memo);
  join(both, result);
  write_field(memo, kAnyKey, result, false);
  return both;
}

// Methods that a virtual call may enter, as the objects say that it is made on; all overrides when they do not.
std::vector<Id> Interpreter::virtual_targets(Id target, const Abstract& receiver) const {
  const Function& named = facts_.functions[static_cast<std::size_t>(target)];
  if (std::find(named.decorators.begin(), named.decorators.end(), "virtual") == named.decorators.end()) return {};
  std::set<Id> methods;
  for (const ObjectId id : objects_of_kind(receiver, ObjectKind::kInstance)) {
    const Id method = find_method(object(id).class_id, named.name);
    if (method != kNone && related(object(id).class_id, named.class_id)) methods.insert(method);
  }
  if (methods.empty()) {
    for (std::size_t c = 0; c < facts_.classes.size(); ++c) {
      const Id klass = static_cast<Id>(c);
      if (!related(klass, named.class_id)) continue;
      const Id method = find_method(klass, named.name);
      if (method != kNone && !facts_.functions[static_cast<std::size_t>(method)].blocks.empty()) methods.insert(method);
    }
  }
  return {methods.begin(), methods.end()};
}

// Whether operations on tensors of an own class may do something else than on plain ones.
bool Interpreter::overrides_tensor(Id class_id) const {
  const auto harmless = [](const auto& method) {
    return method.first == "__new__" || method.first == "__init__" || method.first == "__repr__" ||
           method.first == "__str__";
  };
  const std::vector<Id> order = class_order(class_id);
  const bool tensor = derives_from(class_id, "torch.Tensor") || derives_from(class_id, "torch.nn.Parameter");
  return tensor && std::any_of(order.begin(), order.end(), [&](Id id) {
           const auto& methods = facts_.classes[static_cast<std::size_t>(id)].methods;
           return !std::all_of(methods.begin(), methods.end(), harmless);
         });
}

// t.as_subclass(Own), torch.Tensor._make_subclass(Own, t): the same data as a tensor of an own class; with torch.Tensor
// itself, as a plain one again. A wrapper subclass has no data.
std::optional<Abstract> Interpreter::made_subclass(const std::string& callee, const std::vector<Abstract>& operands,
                                                   const CallSite& site) {
  const bool wrapper = callee.ends_with("._make_wrapper_subclass");
  if (!wrapper && !callee.ends_with(".as_subclass") && !callee.ends_with("._make_subclass")) return std::nullopt;
  Abstract made;
  bool known = false;
  for (const Abstract& operand : operands) {
    if (!wrapper) merge_into(made.objects, objects_of_kind(operand, ObjectKind::kTensor));
    for (const ObjectId id : objects_of_kind(operand, ObjectKind::kSymbol))
      known = known || object(id).symbol == "torch.Tensor";
  }
  for (const Abstract& operand : operands) {
    for (const ObjectId id : objects_of_kind(operand, ObjectKind::kClass)) {
      const Id class_id = object(id).class_id;
      known = true;
      if (!in_construction_.empty() && object(in_construction_.back()).class_id == class_id) {
        insert_into(made.objects, in_construction_.back());  // in __new__
        continue;
      }
      const ObjectId instance = make_object(ObjectKind::kInstance, site.where, site.context, class_id);
      objects_[static_cast<std::size_t>(instance)].class_id = class_id;
      insert_into(made.objects, instance);
    }
  }
  return known ? std::optional(made) : std::nullopt;
}

Abstract Interpreter::construct(Id class_id, std::vector<Abstract>& args, const Keywords& keywords,
                                const CallSite& site) {
  const ObjectId id = make_object(ObjectKind::kInstance, site.where, site.context, class_id);
  Object& made = objects_[static_cast<std::size_t>(id)];
  if (made.class_id == kNone) {
    made.class_id = class_id;
    for (const Id klass : class_order(class_id)) ++instances_[klass];
  }
  Abstract self = of_object(id);
  const Id make = find_method(class_id, "__new__");
  const Id init = find_method(class_id, "__init__");
  if (make != kNone) {
    std::vector<Abstract> all = args;
    const ObjectId class_object = make_object(ObjectKind::kClass, StatementRef{}, 0, class_id);
    objects_[static_cast<std::size_t>(class_object)].class_id = class_id;
    all.insert(all.begin(), of_object(class_object));
    in_construction_.push_back(id);
    Abstract made_by_new = invoke(make, std::move(all), keywords, site);
    in_construction_.pop_back();
    Abstract own;  // instances of this class, which __init__ then gets
    for (const ObjectId each : made_by_new.objects) {
      if (object(each).kind == ObjectKind::kInstance && related(object(each).class_id, class_id))
        insert_into(own.objects, each);
    }
    if (init != kNone && !own.objects.empty()) {
      std::vector<Abstract> passed = args;
      passed.insert(passed.begin(), own);
      invoke(init, std::move(passed), keywords, site);
    }
    // A tensor of an own class: what is there is of this class as well.
    if (derives_from(class_id, "torch.Tensor")) merge_into(made_by_new.objects, self.objects);
    if (made_by_new.nothing()) made_by_new = unknown("what __new__ makes is not known", site);
    return made_by_new;
  }
  if (init != kNone) {
    std::vector<Abstract> all = args;
    all.insert(all.begin(), self);
    invoke(init, std::move(all), keywords, site);
    return self;
  }
  if (holds_elements(id)) {
    adopt_elements(self, args, keywords);
    return self;
  }
  // Dataclasses, plain structs: positional fields by declaration.
  const auto& attributes = facts_.classes[static_cast<std::size_t>(class_id)].attributes;
  for (std::size_t i = 0; i < args.size() && i < attributes.size(); ++i)
    write_field(id, key_of(attributes[i].first), args[i], true);
  for (const auto& [name, given] : keywords) write_field(id, key_of(name), given, true);
  return self;
}

// An object of an own class that derives from one whose elements are kept by key.
bool Interpreter::holds_elements(ObjectId id) const {
  if (object(id).kind != ObjectKind::kInstance) return false;
  static constexpr const char* kHolders[] = {
      "torch.nn.Sequential",  "torch.nn.ModuleList", "torch.nn.ModuleDict",     "torch.nn.ParameterList",
      "builtins.list",        "builtins.tuple",      "builtins.dict",           "collections.UserDict",
      "collections.UserList", "collections.deque",   "collections.OrderedDict", "collections.defaultdict"};
  return std::any_of(std::begin(kHolders), std::end(kHolders),
                     [&](const char* holder) { return derives_from(object(id).class_id, holder); });
}

// Those elements, in a container of their own beside what the class itself stores.
ObjectId Interpreter::elements_held(ObjectId id) {
  const KeyId own = key_of(kElements);
  const ObjectSet known = objects_of_kind(read_field(id, own), ObjectKind::kContainer);
  if (!known.empty()) return known.front();
  const ObjectId list =
      make_object(ObjectKind::kContainer, StatementRef{}, 0, -10'000'000 - static_cast<std::int64_t>(id));
  objects_[static_cast<std::size_t>(list)].phase = object(id).phase;
  write_field(id, own, of_object(list), true);
  return list;
}

// What the constructor of such a class is given: children, or lists of them.
void Interpreter::adopt_elements(const Abstract& owner, const std::vector<Abstract>& args, const Keywords& keywords) {
  for (const ObjectId each : owner.objects) {
    if (!holds_elements(each)) continue;
    const ObjectId id = elements_held(each);
    for (const auto& [name, given] : keywords) write_field(id, key_of(name), given, true);
    for (std::size_t i = 0; i < args.size(); ++i) {
      const ObjectSet lists = objects_of_kind(args[i], ObjectKind::kContainer);
      for (const ObjectId list : lists) write_field(id, kAnyKey, all_fields(list), false);
      if (lists.empty() && !args[i].objects.empty()) write_field(id, key_of("#" + std::to_string(i)), args[i], false);
    }
  }
}

// A list of the modules among the attributes of a module and among its elements; nothing when there are none.
std::optional<Abstract> Interpreter::children_of(ObjectId id, const CallSite& site) {
  Abstract children;
  const auto add = [&](const Abstract& held) {
    merge_into(children.objects, objects_of_kind(held, ObjectKind::kModule));
    for (const ObjectId each : objects_of_kind(held, ObjectKind::kInstance)) {
      if (derives_from_module(object(each).class_id) && each != id) merge_into(children.objects, {each});
    }
  };
  if (holds_elements(id)) add(all_fields(elements_held(id)));
  for (const auto& [name, storage_id] : attributes_) {
    const Storage& storage = facts_.storages[static_cast<std::size_t>(storage_id)];
    if (storage.owner_class == kNone || !related(storage.owner_class, object(id).class_id)) continue;
    if (const Abstract* stored = state_.storage.find(map_key(canonical_storage(storage_id)))) add(*stored);
  }
  if (children.objects.empty()) return std::nullopt;
  const ObjectId list = make_object(ObjectKind::kContainer, site.where, site.context, 711);
  write_field(list, kAnyKey, children, false);
  return of_object(list);
}

// Calling an object whose class has no forward of its own: the framework's class that it derives from has one.
std::optional<Abstract> Interpreter::call_inherited(ObjectId id, std::vector<Abstract>& args, const CallSite& site) {
  for (const Id klass : class_order(object(id).class_id)) {
    for (const std::string& base : facts_.classes[static_cast<std::size_t>(klass)].bases) {
      if (!base.starts_with("torch.nn.") || base == "torch.nn.Module" || base == "torch.nn.ModuleList" ||
          base == "torch.nn.ModuleDict")
        continue;
      if (base == "torch.nn.Sequential") return call_in_turn(elements_held(id), args, site);
      return call_framework_module(base, id, args, site);
    }
  }
  return std::nullopt;
}

// Each of the children on what the one before gave.
Abstract Interpreter::call_in_turn(ObjectId module, std::vector<Abstract>& args, const CallSite& site) {
  Abstract current = args.empty() ? Abstract{} : args[0];
  std::vector<Abstract> in_order;  // copies: the calls can replace them
  for_each_field(module, [&](KeyId, const Abstract& child) { in_order.push_back(child); });
  for (const Abstract& child : in_order) {
    std::vector<Abstract> one{current};
    current = call_object(child, one, {}, site);
  }
  return current;
}

Abstract Interpreter::call_module(ObjectId module, std::vector<Abstract>& args, const CallSite& site) {
  const Object owner = object(module);
  const Abstract children = all_fields(module);
  if (owner.symbol.ends_with(".Sequential") && has_kind(children, ObjectKind::kInstance))
    return call_in_turn(module, args, site);  // own modules in it
  return call_framework_module(owner.symbol, module, args, site);
}

Abstract Interpreter::call_framework_module(const std::string& symbol, ObjectId module, std::vector<Abstract>& args,
                                            const CallSite& site) {
  const Object owner = object(module);
  const std::string name = symbol + ".__call__";
  const Operation operation = classify(name);
  const NodeId weights = graph_.node(NodeKind::kWeights, owner.made, owner.context, 7);
  graph_.at(weights).name = symbol;
  graph_.at(weights).phase = Phase::kInit;
  std::vector<Abstract> operands = args;
  if (operation.kind == OperationKind::kCompute) operands.push_back(open_value({weights}));
  return apply(operation, symbol, nullptr, operands, {}, site);
}

// Functions handed to something that is not followed are taken to be called: loops over ranges,
// dispatch lambdas, hooks.
void Interpreter::call_callbacks(const std::vector<Abstract>& args, const CallSite& site) {
  for (const Abstract& arg : args) {
    for (const ObjectId id : arg.objects) {
      const Object target = object(id);
      if (target.kind != ObjectKind::kFunction || target.function == kNone) continue;
      if (facts_.functions[static_cast<std::size_t>(target.function)].is_kernel) continue;
      std::vector<Abstract> bound = target.bound;
      if (bound.empty()) bind_missing_receiver(target.function, bound);
      invoke(target.function, std::move(bound), {}, site);
    }
  }
}

}  // namespace kernel_audit::analysis::facts
