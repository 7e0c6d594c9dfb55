// Calls: of own functions and classes, instances, methods, packages.
#include <algorithm>

#include "analysis/python/lowerer.h"

namespace kernel_audit::analysis::python {
namespace {

constexpr const char* kVendorLibraries[] = {"libcublas", "libcudnn", "libcufft", "libcusparse", "libcusolver"};

bool remembers_results(const std::string& wrapper) {
  return wrapper == "functools.lru_cache" || wrapper == "functools.cache" || wrapper == "cachetools.cached" ||
         wrapper == "cachetools.func.lru_cache";
}

// What ctypes has loaded as a library of the vendor's kernels.
bool is_vendor_library(const Atom& value) {
  if (value.kind != AtomKind::kTyped || value.type.name.rfind("ctypes.", 0) != 0) return false;
  const std::string file = value.name.substr(value.name.rfind('/') + 1);
  return std::any_of(std::begin(kVendorLibraries), std::end(kVendorLibraries),
                     [&](const char* library) { return file.rfind(library, 0) == 0; });
}

// operator.methodcaller of texts that are not known here: two that differ in them are taken for one.
bool not_told_apart(const Atom& atom) {
  return atom.kind == AtomKind::kPartial && atom.symbol == "operator.methodcaller" &&
         std::any_of(atom.items.begin(), atom.items.end(), [](const Abstract& item) {
           return item.single() != nullptr && item.single()->kind == AtomKind::kTyped &&
                  item.single()->type.kind == TypeKind::kString;
         });
}

// Also of kernel[grid].
Id function_of_choice(const Atom& choice) {
  if (choice.kind != AtomKind::kPartial || choice.symbol != "kernel[grid]") return choice.function;
  const Atom* kernel = choice.items.front().single();
  return kernel == nullptr ? kNone : kernel->function;
}

}  // namespace

Operand Lowerer::call_node(const Node* node) {
  const Node* function = node->child("func");
  Operand callee;
  if (function != nullptr && function->type() == NodeType::kAttribute) {
    const Operand base = expression(function->child("value"));
    callee = attribute(base, function->text("attr"), function, true);
  } else {
    callee = expression(function);
  }
  return call(callee, arguments_of(node), node);
}

Operand Lowerer::call(const Operand& callee, const std::vector<Argument>& args, const Node* node) {
  if (!callee.abs.unknown && callee.abs.atoms.size() == 1)
    return call_atom(*callee.abs.atoms.front(), callee, args, node);
  if (Abstract fitting = kernels_taking(callee.abs, args); fitting.atoms.size() < callee.abs.atoms.size())
    return call(make_value(std::move(fitting), node, facts::OriginKind::kComputed), args, node);
  if (std::any_of(callee.abs.atoms.begin(), callee.abs.atoms.end(),
                  [](const AtomPtr& atom) { return not_told_apart(*atom); }))  // the interpreter knows which it is
    return plain_call("", callee, kNone, args, unknown("what one of several methods gives"), node);
  if (callee.abs.atoms.size() > 1 && callee.abs.atoms.size() <= 4) {
    // One of several: each in a branch of its own.
    std::vector<Operand> results;
    std::vector<Id> ends;
    const FlowState before = frame_->state;
    FlowState merged;
    merged.reachable = false;
    const std::size_t ways = callee.abs.atoms.size() + (callee.abs.unknown ? 1 : 0);
    for (std::size_t i = 0; i < ways; ++i) {
      frame_->state = before;
      Id next = kNone;
      if (i + 1 < ways) {
        const Id here = new_block();
        next = new_block();
        // Of functions the interpreter may know which: on the ways that run, the name may hold another one.
        Abstract one;
        one.atoms = {callee.abs.atoms[i]};
        const Operand choice = make_value(std::move(one), node, facts::OriginKind::kConstant);
        facts_.values[static_cast<std::size_t>(choice.value)].function = function_of_choice(*callee.abs.atoms[i]);
        const Operand which =
            emit_call("dispatch.selects", {callee, choice}, unknown("which of several values is called"), node);
        branch(which, here, next);
        start_block(here);
      }
      Operand one = callee;
      one.abs = Abstract{};
      if (i < callee.abs.atoms.size())
        one.abs.atoms.push_back(callee.abs.atoms[i]);
      else
        one.abs = unknown(callee.abs.reason);
      const Atom* atom = one.abs.single();
      const bool bound = atom != nullptr && atom->kind == AtomKind::kPartial && atom->symbol.empty();
      const bool named = atom != nullptr && atom->kind != AtomKind::kInstance && atom->kind != AtomKind::kTyped &&
                         atom->kind != AtomKind::kWrapped && !bound;
      if (named) one.value = make_value(one.abs, node, facts::OriginKind::kComputed).value;
      results.push_back(call(one, args, node));
      ends.push_back(frame_->current);
      merged = merge(merged, frame_->state);
      if (next != kNone) start_block(next);
    }
    const Id after = new_block();
    for (const Id end : ends) {
      if (before.reachable) edge(end, after, facts::EdgeKind::kNormal);
    }
    frame_->state = merged;
    start_block(after);
    return emit_phi(results, node);
  }
  for (const Argument& arg : args) escape(arg.operand.abs);
  return plain_call("", callee, kNone, args, unknown("the result of calling an unknown value"), node);
}

Operand Lowerer::plain_call(const std::string& name, const Operand& callee, Id receiver,
                            const std::vector<Argument>& args, Abstract result, const Node* node, Id target) {
  if (result.usual == nullptr && target == kNone && receiver == kNone) {
    std::vector<const Abstract*> given;
    for (const Argument& arg : args) {
      if (!arg.star && arg.keyword.empty()) given.push_back(&arg.operand.abs);
    }
    result.usual = usual_of_call(name, given);
  }
  const Operand value = make_value(std::move(result), node, facts::OriginKind::kComputed);
  facts::Statement& statement = emit(facts::StatementKind::kCall, node);
  statement.callee = name;
  statement.callee_value = callee.value;
  statement.receiver = receiver;
  statement.target = target;
  statement.result = value.value;
  for (const Argument& arg : args) {
    if (arg.star) {
      statement.star_args = true;
      statement.args.push_back(arg.operand.value);
    } else if (arg.keyword.empty()) {
      statement.args.push_back(arg.operand.value);
    } else {
      statement.keywords.emplace_back(arg.keyword, arg.operand.value);
    }
  }
  return value;
}

Operand Lowerer::call_function(const Atom& atom, const Operand& callee, const std::vector<Argument>& args,
                               const Node* node) {
  FunctionInfo& info = *functions_[static_cast<std::size_t>(atom.function)];
  Operand kernel_result;
  if (info.is_kernel && kernel_call(atom, callee, args, node, kernel_result)) return kernel_result;
  Operand receiver;
  if (!atom.self.empty()) {
    receiver = Operand{atom.self_value, atom.self.front()};
    if (atom.self_function != frame_->function || receiver.value == kNone)
      receiver = make_value(atom.self.front(), node, facts::OriginKind::kComputed);
  }
  if (atom.self.empty()) {
    if (const std::optional<Operand> made = call_in_place(atom.function, args, node)) return *made;
  }
  // None has no methods of the candidate's.
  Operand bound = receiver;
  std::erase_if(bound.abs.atoms,
                [](const AtomPtr& a) { return a->kind == AtomKind::kConstant && a->constant.is_null(); });
  pass_arguments(atom.function, atom.self.empty() ? nullptr : &bound, args);
  Abstract result = info.returns_prev.bottom() ? info.returns_next : info.returns_prev;
  if (const std::optional<Abstract> made = text_of_call(info, atom.function, args)) result = *made;
  if (info.is_generator) {
    const Abstract items = result;
    Atom made;
    made.type = {TypeKind::kOther, "builtins.generator"};
    if (!items.bottom()) made.items = {items};
    result = make(std::move(made));
  } else if (info.is_kernel) {
    result = unknown("the result of a device function");
  } else if (result.bottom()) {
    result = unknown("the result of '" + info.qualified_name + "', which was not seen to return");
  }
  const std::string& symbol_name = facts_.values[static_cast<std::size_t>(callee.value)].symbol;
  const bool is_super = symbol_name.rfind("super.", 0) == 0;
  return plain_call(is_super ? symbol_name : info.qualified_name, callee, receiver.value, args, std::move(result), node,
                    atom.function);
}

Atom Lowerer::instance_of(Id class_id) {
  Atom made;
  made.kind = AtomKind::kInstance;
  made.class_id = class_id;
  made.type.name = classes_[static_cast<std::size_t>(class_id)]->qualified_name;
  made.type.kind = is_subclass_of_module(class_id) ? TypeKind::kModule : TypeKind::kOther;
  if (foreign_base_of(class_id) == "torch.Tensor") made.type.kind = TypeKind::kTensor;
  return made;
}

Operand Lowerer::call_class(Id class_id, const Operand& callee, const std::vector<Argument>& args, const Node* node) {
  ClassInfo& info = *classes_[static_cast<std::size_t>(class_id)];
  if (info.metaclass != kNone) {
    const Abstract own_call = class_attribute(info.metaclass, "__call__", false, nullptr);
    const Atom* caller = own_call.single();
    if (caller != nullptr && caller->kind == AtomKind::kFunction)
      return call(make_value(bound(own_call, callee, info.metaclass, false), node, facts::OriginKind::kComputed), args,
                  node);
  }
  if (args.size() == 1 && !args.front().star && is_enumeration(class_id)) {  // Tier("fast")
    const bool methods =
        std::any_of(functions_.begin(), functions_.end(), [&](const auto& each) { return each->class_id == class_id; });
    if (!methods) return args.front().operand;
  }
  Atom made = instance_of(class_id);
  if (is_plain_dictionary(class_id)) {
    for (const Argument& arg : args) {
      if (!arg.star && !arg.keyword.empty()) made.keywords.emplace_back(arg.keyword, arg.operand.abs);
    }
    if (made.keywords.size() != args.size()) made.keywords.clear();
  }
  const Abstract instance = make(std::move(made));
  const Abstract init = class_attribute(class_id, "__init__", false, nullptr);
  const Atom* function = init.single();
  const Id target = function != nullptr && function->kind == AtomKind::kFunction ? function->function : kNone;
  const Operand result = plain_call(info.qualified_name, callee, kNone, args, instance, node, target);
  // The new object is `self` of __init__: the receiver is the result itself.
  if (target != kNone) {
    frame_->blocks[static_cast<std::size_t>(frame_->current)].statements.back().receiver = result.value;
    pass_arguments(target, &result, args);
  }
  if (init.bottom() && !is_subclass_of_module(class_id)) fill_fields(class_id, result, args, node);
  ++epoch_;
  for (const Argument& arg : args) escape(arg.operand.abs);
  return result;
}

Operand Lowerer::call_instance(Id class_id, const Operand& callee, const std::vector<Argument>& args,
                               const Node* node) {
  Abstract member = class_attribute(class_id, "__call__", false, nullptr);
  if (member.bottom() && is_subclass_of_module(class_id)) {
    // nn.Module.__call__ runs forward, which an instance may have replaced.
    Id owner = kNone;
    if (Cell* cell = find_instance_cell(class_id, "forward", &owner)) member = read_cell(*cell);
    if (member.bottom()) member = class_attribute(class_id, "forward", false, nullptr);
  }
  const std::string name = classes_[static_cast<std::size_t>(class_id)]->qualified_name + ".__call__";
  if (member.bottom()) {
    for (const Argument& arg : args) escape(arg.operand.abs);
    const std::string framework = framework_forward(class_id, kNone);
    Abstract result =
        framework.empty() ? unknown("the result of calling an object") : typed(TypeKind::kTensor, "torch.Tensor");
    return plain_call(framework.empty() ? name : framework + ".__call__", callee, kNone, args, std::move(result), node);
  }
  const Abstract method = bound(member, callee, class_id, false);
  const Atom* atom = method.single();
  if (atom != nullptr && atom->kind == AtomKind::kFunction) {
    const Operand result = call_function(*atom, callee, args, node);
    frame_->blocks[static_cast<std::size_t>(frame_->current)].statements.back().callee = name;
    return result;
  }
  return call(make_value(method, node, facts::OriginKind::kComputed), args, node);
}

// A value of a foreign class, or of no known class, is called.
Operand Lowerer::call_typed(const Atom& atom, const Operand& callee, const std::vector<Argument>& args,
                            const Node* node) {
  const facts::Type& type = atom.type;
  if (type.kind == TypeKind::kModule && type.name == "torch.nn.Sequential" && !atom.items.empty() && args.size() == 1 &&
      !args.front().star) {
    Operand flowing = args.front().operand;  // each child in turn
    for (std::size_t i = 0; i < atom.items.size(); ++i) {
      const Abstract& child = atom.items[i];
      facts::Location location;
      location.base = callee.value;
      location.element = true;
      location.key = make_value(constant(static_cast<std::int64_t>(i)), node, facts::OriginKind::kConstant).value;
      flowing = call(emit_load(location, child, node), {{flowing, "", false, node}}, node);
    }
    return flowing;
  }
  if (is_wrapper(type.name) && args.size() == 1 && !args.front().star) {
    // @torch.no_grad() and @torch.compile(mode=…): what the configured wrapper wraps.
    const Abstract& inner = args.front().operand.abs;
    if (!inner.atoms.empty()) {
      Atom wrapped;
      wrapped.kind = AtomKind::kWrapped;
      wrapped.symbol = type.name;
      wrapped.items = {inner};
      if (type.name == "tilelang.jit" && !atom.items.empty()) note_allocated(inner, atom.items.front());
      const bool kernel = keeps_kernels(type.name) || type.name.rfind("functools.wraps", 0) == 0;
      return plain_call(type.name + ".__call__", callee, kNone, args, kernel ? inner : make(std::move(wrapped)), node);
    }
  }
  for (const Argument& arg : args) escape(arg.operand.abs);
  Abstract result;
  if (type.kind == TypeKind::kModule) {
    result = type.name == "torch.nn.LSTM" || type.name == "torch.nn.GRU" || type.name == "torch.nn.RNN" ||
                     type.name == "torch.nn.MultiheadAttention"
                 ? typed(TypeKind::kTuple, "torch.Tensor[]")
                 : typed(TypeKind::kTensor, "torch.Tensor");
  } else {
    result = unknown("the result of calling a value of class '" + type.name + "'");
  }
  return plain_call(type.name.empty() ? "" : type.name + ".__call__", callee, kNone, args, std::move(result), node);
}

Operand Lowerer::call_method(const Atom& atom, const Operand& callee, const std::vector<Argument>& args,
                             const Node* node) {
  Operand receiver{atom.self_value, atom.self.empty() ? Abstract{} : atom.self.front()};
  if (atom.self_function != frame_->function || receiver.value == kNone)
    receiver = make_value(receiver.abs, node, facts::OriginKind::kComputed);
  const std::size_t dot = atom.symbol.rfind('.');
  const std::string method = dot == std::string::npos ? atom.symbol : atom.symbol.substr(dot + 1);
  const Atom* first = args.empty() || args.front().star ? nullptr : args.front().operand.abs.single();
  if (const FunctionInfo& around = *functions_[static_cast<std::size_t>(frame_->function)]; method == "__new__") {
    const bool named = first != nullptr && first->kind == AtomKind::kClass;
    const Id made = named ? first->class_id : around.name == "__new__" ? around.class_id : kNone;
    if (made != kNone) return plain_call(atom.symbol, callee, receiver.value, args, make(instance_of(made)), node);
  }
  if (const Atom* kernel = receiver.abs.single(); kernel != nullptr && kernel->kind == AtomKind::kFunction &&
                                                  functions_[static_cast<std::size_t>(kernel->function)]->is_kernel &&
                                                  (method == "run" || method == "warmup")) {
    std::vector<Argument> given = args;
    const auto flag =
        std::find_if(given.begin(), given.end(), [](const Argument& arg) { return arg.keyword == "warmup"; });
    const bool compiles = method == "warmup" || (flag != given.end() && is_true(flag->operand.abs));
    if (flag != given.end()) given.erase(flag);
    return compiles ? receiver : launch(*kernel, receiver, nullptr, given, node);  // compiled, it is launched the same
  }
  if (atom.class_id != kNone && method == "apply" && foreign_base_of(atom.class_id) == "torch.autograd.Function") {
    const Abstract forward = class_attribute(atom.class_id, "forward", false, nullptr);
    const Atom* function = forward.single();
    if (function != nullptr && function->kind == AtomKind::kFunction) {  // forward(ctx, args…)
      std::vector<Argument> passed{{make_value(typed(TypeKind::kOther, "torch.autograd.function.FunctionCtx"), node,
                                               facts::OriginKind::kComputed),
                                    "", false, node}};
      passed.insert(passed.end(), args.begin(), args.end());
      Operand result = call_function(*function, callee, passed, node);
      frame_->blocks[static_cast<std::size_t>(frame_->current)].statements.back().callee =
          "torch.autograd.Function.apply";
      return result;
    }
  }
  if (atom.symbol == "builtins.property.setter" && args.size() == 1) {
    note_property(receiver.abs, args.front().operand.abs);
    return receiver;
  }
  if (method == "enter_context" && args.size() == 1 && receiver.abs.single() != nullptr &&
      receiver.abs.single()->type.name == "contextlib.ExitStack")
    return enter_context(args, node);
  const Atom* self = receiver.abs.single();
  if (self != nullptr && is_cuda_library(*self)) {
    Operand done;
    if (extension_call(atom.symbol, callee, args, node, done)) {
      last_statement()->receiver = receiver.value;
      return done;
    }
    if (driver_call(atom.symbol, callee, args, node, done)) return done;
  }
  if (self != nullptr && is_vendor_library(*self)) {  // by the name that it has in C
    std::vector<Operand> passed;
    for (const Argument& arg : args) passed.push_back(arg.operand);
    return emit_call(method, passed, typed(TypeKind::kInt), node);
  }
  for (const Argument& arg : args) escape(arg.operand.abs);
  if (self != nullptr && self->kind == AtomKind::kInstance) note_changed_elements(self->class_id, method);
  Abstract result;
  if (self != nullptr && self->kind == AtomKind::kText) {
    result = each_text(args, kMaxAtoms,
                       [&](const std::vector<Argument>& each) { return fold_method(*self, method, each, node); });
  }
  if (self != nullptr && self->kind == AtomKind::kHeap && result.bottom()) heap_method(*self, method, args, result);
  if (self != nullptr && (self->type.name == "io.file" || self->type.name == "pathlib.Path")) {
    const Abstract folded = fold_method(*self, method, args, node);
    if (!folded.bottom()) result = folded;
  }
  if (const std::optional<Operand> read = read_by_name(receiver, method, args, node)) return *read;
  const bool table = self != nullptr && (self->kind == AtomKind::kModule ||
                                         (self->kind == AtomKind::kWrapped && self->symbol == "__dict__"));
  if (table && method == "__setitem__" && args.size() > 1 && folded_text(args.front().operand.abs) != nullptr) {
    set_item(receiver, args[0].operand, args[1].operand, node, false);
    return make_value(constant(nullptr), node, facts::OriginKind::kConstant);
  }
  if (update_attributes(receiver, method, args, node))
    return make_value(constant(nullptr), node, facts::OriginKind::kConstant);
  if (atom.symbol == "torch.nn.Module." + method && args.size() == 1 && !args.front().star &&
      (method == "get_submodule" || method == "get_parameter" || method == "get_buffer"))
    return attribute_at(receiver, args.front().operand, node, false);
  if (method == "__getattribute__" && args.size() == 1 && !args.front().star)
    return attribute_past_own(receiver, args.front().operand, node);
  if (method == "_replace") {
    if (const std::optional<Operand> made = replaced_record(receiver, args, node)) return *made;
  }
  module_method(receiver, method, args, node);
  pass_to_hook(receiver, method, args, node);
  const bool of_base =
      self != nullptr && self->kind == AtomKind::kInstance && atom.symbol == "torch.nn.Module.__call__";
  if (of_base && method == "__call__")  // super().__call__(x): forward, not an own __call__
    return plain_call(atom.symbol, callee, receiver.value, args, typed(TypeKind::kTensor, "torch.Tensor"), node);
  if (atom.symbol == "builtins.type.__call__")  // super().__call__(x) of a metaclass makes the instance
    return plain_call(atom.symbol, callee, receiver.value, args, unknown("an instance of a class"), node);
  if (method == "__call__" && self != nullptr && self->kind != AtomKind::kText) return call(receiver, args, node);
  if (self != nullptr && (self->type.kind == TypeKind::kModule && self->kind == AtomKind::kTyped) &&
      method == "forward") {
    return call(receiver, args, node);
  }
  if (result.bottom()) {
    facts::Type type = type_of(receiver.abs);
    if (atom.symbol.rfind("?.", 0) == 0) type = {};
    result = method_result(type, method);
    // Methods of a module that return the module itself: to(), cuda(), eval(), half() …
    if (type.kind == TypeKind::kModule) {
      static const std::set<std::string> same = {"to",    "cuda",     "cpu",          "eval",   "train",
                                                 "half",  "float",    "bfloat16",     "double", "requires_grad_",
                                                 "apply", "compile_", "share_memory", "type",   "to_empty"};
      if (same.count(method) != 0) result = receiver.abs;
    }
  }
  if (result.bottom()) result = unknown("the result of method '" + method + "' of a value of unknown class");
  if (result.usual == nullptr) result.usual = usual_of_method(receiver.abs, method, args);
  return plain_call(atom.symbol, callee, receiver.value, args, std::move(result), node);
}

Operand Lowerer::call_atom(const Atom& atom, const Operand& callee, const std::vector<Argument>& args,
                           const Node* node) {
  switch (atom.kind) {
    case AtomKind::kFunction:
      return call_function(atom, callee, args, node);
    case AtomKind::kClass:
      return call_class(atom.class_id, callee, args, node);
    case AtomKind::kInstance:
      return call_instance(atom.class_id, callee, args, node);
    case AtomKind::kSymbol:
      return call_symbol(atom.symbol, callee, args, node);
    case AtomKind::kMethod:
      // Bound elsewhere to a generator: which one, the interpreter knows.
      if (atom.self_function != frame_->function && atom.symbol.starts_with("builtins.generator."))
        return plain_call("", callee, kNone, args, unknown("what a generator hands out"), node);
      return call_method(atom, callee, args, node);
    case AtomKind::kTyped:
      return call_typed(atom, callee, args, node);
    case AtomKind::kWrapped: {
      Operand inner = callee;
      inner.abs = atom.items.empty() ? unknown("a wrapped value") : atom.items.front();
      const Operand result = call(inner, args, node);
      facts::Statement* last = last_statement();
      if (remembers_results(atom.symbol) && last != nullptr && last->kind == facts::StatementKind::kCall &&
          last->target != kNone)
        last->callee = "functools.cache.__call__";  // what it keeps may be returned instead
      return result;
    }
    case AtomKind::kPartial: {
      if (atom.symbol == "kernel[grid]") {
        const AtomPtr kernel = atom.items.front().atoms.front();
        const Operand grid{atom.self_function == frame_->function
                               ? atom.item_values[1]
                               : make_value(atom.items[1], node, facts::OriginKind::kComputed).value,
                           atom.items[1]};
        return launch(*kernel, callee, &grid, args, node);
      }
      if (Operand got; getter_call(atom, args, node, got)) return got;
      if (atom.symbol.starts_with("operator."))  // by a name that the interpreter may know
        return plain_call("", callee, kNone, args, unknown("what a getter gives"), node);
      if (atom.symbol == "kernel(args).launch") return launch_of_call(atom, callee, args, node);
      // Read from what outlives the call, it may be the one of an earlier call.
      const bool here = atom.self_function == frame_->function &&
                        facts_.values[static_cast<std::size_t>(callee.value)].origin != facts::OriginKind::kState;
      const Atom* inner = atom.items.front().single();
      if (!here && inner != nullptr && inner->kind == AtomKind::kMethod)  // the interpreter knows of which object
        return plain_call("", callee, kNone, args, unknown("what a bound method gives"), node);
      const bool holds_object = std::any_of(atom.items.begin() + 1, atom.items.end(), [](const Abstract& each) {
        const Atom* held = each.single();
        return held == nullptr || held->kind == AtomKind::kHeap ||
               (held->kind == AtomKind::kTyped && held->type.kind == TypeKind::kTensor);
      });
      if (!here && holds_object && inner != nullptr && inner->kind == AtomKind::kFunction && atom.keywords.empty()) {
        // A list, dictionary or tensor that was bound elsewhere: the interpreter knows which.
        std::vector<Argument> passed;
        for (std::size_t i = 1; i < atom.items.size(); ++i)
          passed.push_back({Operand{kNone, atom.items[i]}, "", false, node});
        passed.insert(passed.end(), args.begin(), args.end());
        pass_arguments(inner->function, nullptr, passed);
        const FunctionInfo& info = *functions_[static_cast<std::size_t>(inner->function)];
        Abstract result = info.returns_prev.bottom() ? info.returns_next : info.returns_prev;
        if (result.bottom()) result = unknown("the result of '" + info.qualified_name + "'");
        return plain_call("", callee, kNone, args, std::move(result), node);
      }
      const auto operand = [&](const Abstract& abs, Id value) {
        if (here && value != kNone) return Operand{value, abs};
        return make_value(abs, node, facts::OriginKind::kComputed);
      };
      std::vector<Argument> all;
      for (std::size_t i = 1; i < atom.items.size(); ++i)
        all.push_back({operand(atom.items[i], atom.item_values[i]), "", false, node});
      for (const Argument& arg : args) all.push_back(arg);
      for (std::size_t i = 0; i < atom.keywords.size(); ++i) {
        const std::string& keyword = atom.keywords[i].first;
        const bool replaced =
            std::any_of(args.begin(), args.end(), [&](const Argument& arg) { return arg.keyword == keyword; });
        if (!replaced) all.push_back({operand(atom.keywords[i].second, atom.keyword_values[i]), keyword, false, node});
      }
      return call(operand(atom.items.front(), atom.item_values.front()), all, node);
    }
    case AtomKind::kExtension: {
      if (atom.type.name == "kernel") return launch(atom, callee, nullptr, args, node);
      if (atom.type.name == "elementwise") return elementwise_launch(atom, callee, args, node);
      for (const Argument& arg : args) escape(arg.operand.abs);
      if (atom.name == "get_function" && args.size() == 1) {
        return plain_call(atom.symbol + ".get_function", callee, kNone, args,
                          kernels_named(atom, args.front().operand.abs), node);
      }
      const std::string name = atom.symbol + (atom.name.empty() ? "" : "." + atom.name);
      return plain_call(name, callee, kNone, args, typed(TypeKind::kTensor, "torch.Tensor"), node);
    }
    default:
      for (const Argument& arg : args) escape(arg.operand.abs);
      return plain_call("", callee, kNone, args, unknown("the result of calling an unknown value"), node);
  }
}

}  // namespace kernel_audit::analysis::python
