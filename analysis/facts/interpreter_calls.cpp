// Which function or object a call reaches: own functions in both languages, methods by abstract
// receiver, constructors, module instances, containers, callbacks.
#include <algorithm>
#include <optional>
#include <utility>

#include "analysis/facts/interpreter.h"
#include "analysis/facts/interpreter_frame.h"

namespace kernel_audit::analysis::facts {
namespace {

std::string last_component(const std::string& name) {
  const auto at = name.find_last_of(".:");
  return at == std::string::npos ? name : name.substr(at + 1);
}

// Of "at::Tensor[4]", as long as each of them can be kept for itself.
std::size_t elements_of_array(const std::string& type) {
  constexpr int kMost = 16;
  const auto bracket = type.rfind('[');
  const int count = bracket == std::string::npos ? 0 : std::atoi(type.c_str() + bracket + 1);
  return count > 0 && count <= kMost ? static_cast<std::size_t>(count) : 0;
}

}  // namespace

// f(x, *list, y): the elements of the list one by one, where they are known; else it stands for as many arguments as
// the function has places left for it.
void Interpreter::spread_over_places(std::vector<Abstract>& args, std::size_t places) const {
  LaunchArguments given;
  given.values = args;
  spread_launch_arguments(given);
  if (given.in_order == places && given.values.size() == places) {
    args = std::move(given.values);
    return;
  }
  for (std::size_t i = 0; i < args.size() && args.size() < places; ++i) {
    if (!has_kind(args[i], ObjectKind::kContainer)) continue;
    Abstract any;
    for (const ObjectId list : objects_of_kind(args[i], ObjectKind::kContainer)) join(any, all_fields(list));
    args[i] = any;
    args.insert(args.begin() + static_cast<std::ptrdiff_t>(i), places - args.size(), any);
  }
}

Abstract Interpreter::call(Frame& frame, const Statement& statement, const CallSite& site) {
  if (statement.callee == "dispatch.selects") return selects(frame, statement, site);
  if (phase_ == Phase::kForward) executed_in_forward.insert(site.where);
  note_operation(statement.callee, site);
  std::vector<Abstract> args;
  for (const Id arg : statement.args) args.push_back(value(frame, arg));
  if (statement.star_args && statement.target != kNone && in_native(statement.target))
    spread_over_places(args, facts_.functions[static_cast<std::size_t>(statement.target)].parameters.size());
  Keywords keywords;
  for (const auto& [name, id] : statement.keywords) keywords.emplace_back(name, value(frame, id));
  const bool has_receiver = statement.receiver != kNone;
  const Abstract receiver = value(frame, statement.receiver);
  const Abstract callee = value(frame, statement.callee_value);
  if (statement.star_args) frame.spread_arguments(*this, statement, callee, args, keywords);
  note_chosen_callee(has_receiver ? receiver : callee, site.where);

  // A method of None, or None itself, is called: this way ends here.
  // In C++ an undefined tensor has methods.
  const Id unit = frame.function->unit;
  const bool python = unit == kNone || facts_.units[static_cast<std::size_t>(unit)].language == UnitLanguage::kPython;
  const bool none_called =
      (statement.callee_value != kNone && only_null(callee)) || (has_receiver && only_null(receiver));
  if (python && (statement.callee.compare(0, 18, "builtins.NoneType.") == 0 || none_called)) {
    frame.raised = true;
    return open_value({});
  }
  const bool entered = statement.callee.ends_with(".__enter__"), left = statement.callee.ends_with(".__exit__");
  const bool by_method =
      (entered || left) && has_kind(receiver, ObjectKind::kScope);  // torch.cuda.stream(s).__enter__()
  if (by_method || statement.callee == "contextlib.enter" || statement.callee == "contextlib.exit") {
    Abstract scope = by_method ? receiver : args.empty() ? Abstract{} : args[0];
    const bool enter = entered || statement.callee == "contextlib.enter";
    for (const ObjectId id : objects_of_kind(scope, ObjectKind::kGenerator)) {  // of @contextmanager
      const Abstract given = next_of(id, site);
      if (enter) return given;
    }
    for (const ObjectId id : scope.objects) {
      if (object(id).kind != ObjectKind::kInstance) continue;
      if (!python) {  // the end of a C++ object
        const Id klass = object(id).class_id;
        const Id destructor = find_method(klass, "~" + facts_.classes[static_cast<std::size_t>(klass)].name);
        if (enter || destructor == kNone) continue;
        this_object_ = of_object(id);
        invoke(destructor, {}, {}, site);
        continue;
      }
      std::vector<Abstract> none;
      if (!enter) none.assign(3, constant(Json()));
      if (auto given = call_method(of_object(id), enter ? "__enter__" : "__exit__", none, {}, site)) return *given;
    }
    if (enter) {
      enter_scope(scope);
    } else {
      exit_scope(scope);
    }
    return scope;
  }
  if (statement.callee == "static_local.is_uninitialised") {
    // Decides whether the block that follows initialises a function-local static: the first call only.
    const Block& here = frame.function->blocks[static_cast<std::size_t>(site.where.block)];
    for (const Edge& edge : here.successors) {
      if (edge.kind != EdgeKind::kTrue) continue;
      for (const Statement& next : frame.function->blocks[static_cast<std::size_t>(edge.to)].statements) {
        const Id storage = next.kind == StatementKind::kStore ? next.location.storage : kNone;
        if (storage == kNone || facts_.storages[static_cast<std::size_t>(storage)].kind != StorageKind::kStaticLocal)
          continue;
        return constant(Json(!state_.storage.contains(map_key(canonical_storage(storage)))));
      }
    }
    return open_value({});
  }
  if (args.empty() && statement.callee == "at::Tensor::Tensor" && statement.result != kNone) {
    const std::size_t count = elements_of_array(facts_.values[static_cast<std::size_t>(statement.result)].type.name);
    if (count > 0) return packed(std::vector<Abstract>(count, constant(Json())), site, 750);
  }
  if (args.empty() &&
      (statement.callee == "at::Tensor::Tensor" || statement.callee == "torch::Tensor::Tensor" ||
       statement.callee == "std::optional::optional" || statement.callee == "std::variant::variant" ||
       statement.callee == "std::any::any" || statement.callee == "pybind11::object::object" ||
       statement.callee == "pybind11::handle::handle" || statement.callee == "std::function::function" ||
       statement.callee == "std::unique_ptr::unique_ptr" || statement.callee == "std::shared_ptr::shared_ptr")) {
    return constant(Json());  // an undefined tensor, a pointer to nothing
  }
  if (statement.callee == "super.forward" && statement.target == kNone && has_receiver) {
    // The base is not in the sources, so it is the framework's or the reference's.
    std::vector<Abstract> operands = args;
    return apply(Operation{OperationKind::kUnclassified, false, "base class"}, "super().forward", nullptr, operands,
                 keywords, site);
  }
  if (statement.callee == "builtins.type.__call__" && has_kind(receiver, ObjectKind::kClass)) {
    Abstract made;  // past the metaclass
    for (const ObjectId id : objects_of_kind(receiver, ObjectKind::kClass))
      join(made, construct(object(id).class_id, args, keywords, site));
    return made;
  }
  // What is made step by step, and never asked for a step.
  const bool lazy =
      statement.callee == "builtins.map" || statement.callee == "builtins.filter" ||
      statement.callee == "itertools.starmap" ||
      (statement.target != kNone && facts_.functions[static_cast<std::size_t>(statement.target)].is_generator);
  if (python && lazy && statement.result != kNone && never_taken(facts_, *frame.function, statement.result))
    return open_value({});
  // An own class is made.
  if (statement.callee_value != kNone) {
    const Id klass = facts_.values[static_cast<std::size_t>(statement.callee_value)].class_id;
    const bool names_class =
        klass != kNone && (has_kind(callee, ObjectKind::kClass) ||
                           statement.callee == facts_.classes[static_cast<std::size_t>(klass)].qualified_name);
    if (names_class && !python && statement.target != kNone) {
      std::vector<Abstract> no_fields;
      const Abstract made = construct(klass, no_fields, {}, site);
      this_object_ = made;
      invoke(statement.target, std::move(args), keywords, site);  // the constructor, which stores the fields itself
      return made;
    }
    if (names_class) return construct(klass, args, keywords, site);
  }
  if (auto text = decoded_text(statement, args)) return *text;
  if (statement.target != kNone) {
    const Function& target = facts_.functions[static_cast<std::size_t>(statement.target)];
    if (!target.is_kernel) {
      const bool python_target =
          target.unit == kNone || facts_.units[static_cast<std::size_t>(target.unit)].language == UnitLanguage::kPython;
      const std::size_t given = args.size();
      // A function that a class got from elsewhere: a property's.
      const bool takes_more =
          args.size() < target.parameters.size() ||
          std::any_of(
              target.parameters.begin(), target.parameters.end(), [](const Parameter& p) { return p.variadic; });
      if (python_target && target.class_id == kNone && has_receiver && !in_native(frame.id) && takes_more)
        args.insert(args.begin(), receiver);
      // A bound method value already carries its receiver.
      if (python_target && target.class_id != kNone && !target.is_static_method) {
        if (has_receiver) {
          args.insert(args.begin(), receiver);
        } else {
          for (const ObjectId id : callee.objects) {
            if (object(id).kind == ObjectKind::kFunction && !object(id).bound.empty()) {
              args.insert(args.begin(), object(id).bound.begin(), object(id).bound.end());
              break;
            }
            if (object(id).kind == ObjectKind::kInstance) {
              args.insert(args.begin(), of_object(id));
              break;
            }
          }
        }
      }
      if (python_target) {
        // Calling an object: the object says what that is, hooks included.
        const bool called = statement.callee.ends_with(".__call__") && !callee.objects.empty() &&
                            std::all_of(callee.objects.begin(), callee.objects.end(), [&](ObjectId id) {
                              return object(id).kind == ObjectKind::kInstance || object(id).kind == ObjectKind::kModule;
                            });
        if (called) {
          args.erase(args.begin(), args.begin() + (given < args.size() ? 1 : 0));
          return call_object(callee, args, keywords, site);
        }
      } else if (target.class_id != kNone && !target.is_static_method &&
                 (has_receiver || has_kind(callee, ObjectKind::kInstance))) {
        Abstract self;  // of a method, or what operator() is called on
        self.objects = objects_of_kind(has_receiver ? receiver : callee, ObjectKind::kInstance);
        const std::vector<Id> methods = virtual_targets(statement.target, self);
        Abstract result;
        for (const Id method : methods) {
          this_object_ = self;
          join(result, invoke(method, args, keywords, site));
        }
        if (!methods.empty()) return result;
        this_object_ = self;
      }
      const std::vector<Abstract> handed = python_target ? std::vector<Abstract>{} : args;
      const Abstract result = invoke(statement.target, std::move(args), keywords, site);
      if (python && target.is_generator) note_iterator(result, site);
      // A handle that the callee makes for a parameter is the caller's: the parameter is a reference or a pointer.
      for (std::size_t i = 0; i < std::min({handed.size(), target.parameters.size(), statement.args.size()}); ++i) {
        const Id storage = target.parameters[i].storage;
        const Abstract* kept = storage == kNone ? nullptr : state_.storage.find(map_key(canonical_storage(storage)));
        const bool made =
            kept != nullptr && std::any_of(kept->objects.begin(), kept->objects.end(), [&](ObjectId id) {
              const ObjectKind kind = object(id).kind;
              return (kind == ObjectKind::kStream || kind == ObjectKind::kEvent) && !has_kind(handed[i], kind);
            });
        if (made) store_through(i, Abstract(*kept), site);
      }
      // What functools keeps of an earlier call is as good.
      return statement.callee == "functools.cache.__call__" ? remembered(statement.target, result) : result;
    }
  }
  if (const bool bare = python && statement.callee.ends_with(".__new__") && in_construction_.empty() && !args.empty();
      bare && has_kind(args[0], ObjectKind::kClass)) {  // cls.__new__(cls): without __init__
    const Id klass = object(objects_of_kind(args[0], ObjectKind::kClass).front()).class_id;
    const ObjectId id = make_object(ObjectKind::kInstance, site.where, site.context, klass);
    objects_[static_cast<std::size_t>(id)].class_id = klass;
    return of_object(id);
  }
  if (statement.callee.ends_with(".__new__") && !in_construction_.empty()) {
    const Abstract made = of_object(in_construction_.back());
    std::vector<Abstract> given = args;  // the class first
    if (!given.empty() && has_kind(given.front(), ObjectKind::kClass)) given.erase(given.begin());
    adopt_elements(made, given, keywords);
    return made;
  }
  if (has_receiver) {
    const std::string name = last_component(statement.callee);
    if (python && name == "__init__") adopt_elements(receiver, args, keywords);
    if (register_hook(receiver, statement.callee, args, keywords)) return open_value({});
    if (name == "register_kernel" && !args.empty()) {
      for (const auto& [bound, function] : bindings_) {
        for (const ObjectId id : objects_of_kind(receiver, ObjectKind::kFunction)) {
          if (object(id).function != function || !bound.first.starts_with("torch.ops.")) continue;
          const Abstract op = constant(Json(bound.first.substr(10) + "::" + bound.second));
          if (const auto made = operator_to_bind(*this, "torch.library.register_kernel", {op, args[0]}))
            return symbol(*made);
        }
      }
    }
    // Past a __setattr__ of its own.
    if (name == "__setattr__" && statement.target == kNone && python && args.size() == 2) {
      if (auto stored = set_attribute_by_name({receiver, args[0], args[1]}, site)) return *stored;
    }
    // `super().m(…)` where the base is the framework's: the own method must not be entered again.
    if (statement.callee.compare(0, 9, "torch.nn.") == 0 || statement.callee.compare(0, 6, "super.") == 0) {
      for (const ObjectId id : receiver.objects) {
        if (object(id).kind != ObjectKind::kInstance || find_method(object(id).class_id, name) == kNone) continue;
        if (name == "__call__") {
          if (has_hooks(id)) run_pre_hooks(id, args, site);
          if (auto done = call_method(receiver, "forward", args, keywords, site))
            return has_hooks(id) ? run_hooks(id, args, *done, site) : *done;
        }
        const Operation operation =
            classify(statement.callee.compare(0, 6, "super.") == 0 ? "torch.nn.Module." + name : statement.callee);
        return apply(operation, statement.callee, nullptr, args, keywords, site);
      }
    }
    if (auto done = call_method(receiver, name, args, keywords, site)) return *done;
  }
  note_autocast_function(callee, args);
  // @torch.library.custom_op("mine::scale") binds the function that it is put on.
  for (const ObjectId id : objects_of_kind(callee, ObjectKind::kSymbol)) {
    const std::string& maker = object(id).symbol;
    if (maker.compare(0, sizeof kCustomOp - 1, kCustomOp) != 0 || args.empty()) continue;
    bind_operator(maker, "", {args[0]});
    return args[0];
  }
  if (python && launched_by_call(frame, statement, callee, site)) return open_value({});
  // Through a value: function objects, instances, framework modules.
  for (const ObjectId id : callee.objects) {
    const ObjectKind kind = object(id).kind;
    if (kind == ObjectKind::kFunction || kind == ObjectKind::kInstance || kind == ObjectKind::kClass ||
        kind == ObjectKind::kModule ||
        (kind == ObjectKind::kSymbol &&
         (statement.callee.empty() || statement.callee == "pybind11::handle::operator()" ||
          statement.callee == "functools.singledispatch.__call__"))) {
      return call_object(callee, args, keywords, site);
    }
  }
  std::string name = statement.callee;
  if (name.empty() && statement.callee_value != kNone)
    name = facts_.values[static_cast<std::size_t>(statement.callee_value)].symbol;
  if (const Id bound = binding(name); bound != kNone) return invoke(bound, std::move(args), keywords, site);
  if (const Id bound = bound_class(name); bound != kNone) return construct_bound(bound, args, keywords, site);
  if (name.empty() && only_null(callee)) return open_value({});  // raises: nothing comes of it
  if (register_hook(receiver, name, args, keywords)) return open_value({});
  const Operation operation = classify(name, has_receiver && has_kind(receiver, ObjectKind::kTensor));
  if (operation.kind == OperationKind::kExtensionLoad && protected_ > 0 && statement.result != kNone &&
      unbuilt_.contains(facts_.values[static_cast<std::size_t>(statement.result)].symbol)) {
    frame.raised = frame.broken = true;  // the build fails, and something catches that
    return {};
  }
  take_from_iterators(name, args, site);
  return made_by_call(name, apply(operation, name, has_receiver ? &receiver : nullptr, args, keywords, site), site);
}

std::optional<Abstract> Interpreter::call_method(const Abstract& receiver, const std::string& name,
                                                 std::vector<Abstract>& args, const Keywords& keywords,
                                                 const CallSite& site) {
  if (auto stepped = generator_method(receiver, name, args, site)) return stepped;
  Abstract result;
  bool handled = false;
  for (const ObjectId id : receiver.objects) {
    const Object owner = object(id);
    switch (owner.kind) {
      case ObjectKind::kInstance: {
        Abstract field = read_field(id, key_of(name));
        if (field.objects.empty()) field = instance_attribute(owner.class_id, name);
        const Id method = find_method(owner.class_id, name);
        if (auto threaded = own_thread_method(id, name, args, site)) {
          join(result, *threaded);
        } else if (auto bound = call_bound_method(id, name, args, keywords, site)) {
          join(result, *bound);
        } else if (!field.objects.empty()) {
          join(result, call_object(field, args, keywords, site));
        } else if (method != kNone) {
          std::vector<Abstract> with_self = args;
          if (!facts_.functions[static_cast<std::size_t>(method)].is_static_method)
            with_self.insert(with_self.begin(), of_object(id));
          join(result, invoke(method, std::move(with_self), keywords, site));
        } else if (name == "register_buffer" || name == "register_parameter" || name == "__setattr__" ||
                   name == "add_module") {
          // As if the attribute had been assigned.
          if (args.size() < 2 || args[0].constants.size() != 1) break;
          const Json& text = constants_[static_cast<std::size_t>(args[0].constants[0])];
          if (!text.is_string()) break;
          bool stored = false;
          for (std::size_t s = 0; s < facts_.storages.size(); ++s) {
            const Storage& storage = facts_.storages[s];
            if (storage.kind == StorageKind::kInstanceAttribute && storage.name == text.get<std::string>()) {
              store_storage(static_cast<Id>(s), args[1], site);
              store_own_attribute(of_object(id), storage.name, args[1]);
              stored = true;
              break;
            }
          }
          if (!stored) write_field(id, key_of(text.get<std::string>()), args[1], true);
          result.open = true;
        } else if (auto children = name == "children" ? children_of(id, site) : std::nullopt) {
          join(result, *children);
        } else if (auto done = holds_elements(id) ? container_method(of_object(elements_held(id)), name, args, site)
                                                  : std::nullopt) {
          join(result, *done);
        } else if (name == "to" || name == "cuda" || name == "eval" || name == "train" || name == "half" ||
                   name == "float" || name == "cpu" || name == "requires_grad_" || name == "apply" ||
                   name == "double" || name == "bfloat16") {
          merge_into(result.objects, {id});
        } else if (name == "parameters" || name == "buffers" || name == "named_parameters" || name == "modules" ||
                   name == "state_dict" || name == "named_buffers" || name == "children") {
          const NodeId node = graph_.node(NodeKind::kWeights, site.where, site.context, 3);
          graph_.at(node).name = name;
          graph_.at(node).phase = Phase::kInit;
          join(result, fresh_tensor(site, {node}, 3));
        } else if ((name == "get" || name == "setdefault" || name == "pop") && !args.empty() && text_of(args[0])) {
          // Of its __dict__.
          const KeyId key = key_of(*text_of(args[0]));
          Abstract held = read_field(id, key);
          join(held, instance_attribute(owner.class_id, *text_of(args[0])));
          join(held, args.size() > 1 ? args[1] : constant(Json()));
          if (name == "setdefault") write_field(id, key, held, receiver.objects.size() == 1);
          join(result, held);
        } else if (derives_from(owner.class_id, "torch.Tensor")) {
          std::vector<Abstract> operands{of_object(id)};
          operands.insert(operands.end(), args.begin(), args.end());
          join(result, apply(classify("torch.Tensor." + name, true), "torch.Tensor." + name, nullptr, operands,
                             keywords, site));
        } else {
          break;
        }
        handled = true;
        break;
      }
      case ObjectKind::kModule: {
        handled = true;
        if (name == "forward" || name == "__call__") {
          join(result, call_module(id, args, site));
        } else if (name == "append" || name == "extend" || name == "add_module" || name == "insert") {
          if (!args.empty()) write_field(id, kAnyKey, args.back(), false);
          result.open = true;
        } else if (name == "items" || name == "values" || name == "children" || name == "modules") {
          join(result, all_fields(id));
          if (result.nothing()) result.open = true;
        } else if (const Abstract part = read_field(id, key_of(name)); !part.objects.empty()) {
          join(result, call_object(part, args, keywords, site));
        } else if (classify(owner.symbol + "." + name).kind == OperationKind::kCompute) {  // layer.norm2(x)
          join(result, call_framework_module(owner.symbol + "." + name, id, args, site));
        } else {
          merge_into(result.objects, {id});  // .to(device), .eval(), .half(): the module again
        }
        break;
      }
      case ObjectKind::kContainer:
        if (name == "update" && !in_native(site.where.function)) {
          for (const auto& [key, given] : keywords) write_field(id, key_of(key), given, receiver.objects.size() == 1);
        }
        if (auto done = container_method(of_object(id), name, args, site)) {
          join(result, *done);
          handled = true;
        } else if (const Abstract* held = state_.fields.find(field_key(id, key_of(name)));
                   held != nullptr && !held->objects.empty() && !in_native(site.where.function)) {
          const Abstract called = *held;  // of a namespace
          join(result, call_object(called, args, keywords, site));
          handled = true;
        }
        break;
      case ObjectKind::kExtension: {
        handled = true;
        const Abstract function = load_attribute(of_object(id), name, *site.statement, site);
        join(result, call_object(function, args, keywords, site));
        break;
      }
      case ObjectKind::kProgram:
        handled = true;
        join(result, program_method(id, name, args, site));
        break;
      case ObjectKind::kSymbol: {
        handled = true;
        std::vector<Abstract> given = args;
        for (const auto& [keyword, value] : keywords) given.push_back(value);
        if (bind_operator(owner.symbol, name, given)) break;
        if (register_hook({}, owner.symbol, args, keywords)) break;
        std::vector<Abstract> with_owner = args;
        with_owner.insert(with_owner.begin(), of_object(id));
        if (auto done = apply_native(site.statement->callee, with_owner, site)) {
          join(result, *done);
          break;
        }
        const bool handle = site.statement->callee.compare(0, 26, "c10::TypedOperatorHandle::") == 0;
        const std::string full = handle ? owner.symbol : owner.symbol + "." + name;
        if (const Id bound = binding(full); bound != kNone) {  // of a submodule, or a static method
          join(result, invoke(bound, args, keywords, site));
          break;
        }
        if (const Id bound = bound_class(full); bound != kNone) {
          join(result, construct_bound(bound, args, keywords, site));
          break;
        }
        join(result, apply(classify(full), full, nullptr, args, keywords, site));
        break;
      }
      case ObjectKind::kStream:
      case ObjectKind::kEvent:
      case ObjectKind::kGraph: {
        handled = true;
        if (owner.symbol == kThreadSymbol || owner.symbol == kExecutorSymbol) {
          join(result, thread_method(id, name, args, site));
          break;
        }
        const char* type = owner.kind == ObjectKind::kStream  ? "torch.cuda.Stream."
                           : owner.kind == ObjectKind::kEvent ? "torch.cuda.Event."
                                                              : "torch.cuda.CUDAGraph.";
        const Operation operation = classify(type + (name == "block" ? "wait" : name));
        const Abstract self = of_object(id);
        if (auto done = apply_stream(operation, name, &self, args, site)) {
          join(result, *done);
        } else {
          merge_into(result.objects, {id});  // .stream(), .cuda_stream, capture_begin
        }
        break;
      }
      case ObjectKind::kClass: {
        const Id method = find_method(owner.class_id, name);
        if (name == "apply" && method == kNone && derives_from(owner.class_id, "torch.autograd.Function")) {
          const Id forward = find_method(owner.class_id, "forward");
          if (forward == kNone) break;
          std::vector<Abstract> with_context = args;
          with_context.insert(with_context.begin(),
                              of_object(make_object(ObjectKind::kContainer, site.where, site.context, 4)));
          join(result, invoke(forward, std::move(with_context), keywords, site));
          handled = true;
        } else if (method != kNone) {
          std::vector<Abstract> all = args;
          if (facts_.functions[static_cast<std::size_t>(method)].is_class_method)
            all.insert(all.begin(), of_object(id));
          join(result, invoke(method, std::move(all), keywords, site));
          handled = true;
        }
        break;
      }
      case ObjectKind::kTensor: {
        // One kind of receiver among several: the others must not hide the tensor.
        if (receiver.objects.size() == objects_of_kind(receiver, ObjectKind::kTensor).size()) break;
        const std::string full = "torch.Tensor." + name;
        Abstract self = of_object(id);
        join(result, apply(classify(full, true), full, &self, args, keywords, site));
        handled = true;
        break;
      }
      default:
        break;
    }
  }
  if (!handled) return std::nullopt;
  return result;
}

}  // namespace kernel_audit::analysis::facts
