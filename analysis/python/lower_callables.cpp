// Functions that take functions or names of functions and call what they stand for: functools.reduce,
// operator.attrgetter and its like, getattr, ExitStack.enter_context; and what a class's own __getattr__ does.
#include <algorithm>

#include "analysis/python/lowerer.h"

namespace kernel_audit::analysis::python {
namespace {

bool is_getter(const std::string& name) {
  return name == "operator.attrgetter" || name == "operator.itemgetter" || name == "operator.methodcaller";
}

// An expression that only puts texts and numbers together.
bool builds_text(const Node* node) {
  if (node == nullptr) return true;
  switch (node->type()) {
    case NodeType::kConstant:
    case NodeType::kName:
    case NodeType::kAttribute:
    case NodeType::kSubscript:
    case NodeType::kSlice:
    case NodeType::kJoinedStr:
    case NodeType::kFormattedValue:
    case NodeType::kBinOp:
    case NodeType::kTuple:
    case NodeType::kCompare:
    case NodeType::kIfExp:
    case NodeType::kUnaryOp:
      break;
    case NodeType::kCall:
      if (const Node* called = node->child("func"); called == nullptr || called->type() != NodeType::kAttribute)
        return false;
      break;
    default:
      return false;
  }
  for (const Node* each : node->children()) {
    if (!builds_text(each)) return false;
  }
  return true;
}

// The expression that a function returns, when that is all it does after naming parts of it.
const Node* returned_text(const Node* function, std::vector<const Node*>& named) {
  for (const Node* each : function->list("body")) {
    if (each == nullptr) return nullptr;
    if (each->type() == NodeType::kReturn) {
      const Node* value = each->child("value");
      return value != nullptr && builds_text(value) ? value : nullptr;
    }
    if (each->type() == NodeType::kExpr && each->child("value") != nullptr &&
        each->child("value")->type() == NodeType::kConstant)
      continue;  // what it says of itself
    const std::vector<const Node*> targets = each->list("targets");
    const bool names = each->type() == NodeType::kAssign && targets.size() == 1 && targets[0] != nullptr &&
                       targets[0]->type() == NodeType::kName && builds_text(each->child("value"));
    if (!names) return nullptr;
    named.push_back(each);
  }
  return nullptr;
}

}  // namespace

// What a function that only puts a text together gives for these texts and numbers: its other callers do not matter.
std::optional<Abstract> Lowerer::text_of_call(const FunctionInfo& info, Id function,
                                              const std::vector<Argument>& args) {
  std::vector<const Node*> named;
  const Node* value = nullptr;
  if (info.node->type() == NodeType::kFunctionDef) value = returned_text(info.node, named);
  if (info.node->type() == NodeType::kLambda && builds_text(info.node->child("body"))) value = info.node->child("body");
  if (value == nullptr || args.empty() || !info.var_keyword.empty() || !info.var_positional.empty() ||
      info.class_id != kNone || inlined_ > 3)
    return std::nullopt;
  Frame scratch;  // nothing of it stays
  scratch.function = function;
  scratch.unit = info.unit;
  scratch.scope = info.scope;
  std::size_t next = 0;
  bool texts = false;
  for (const Argument& arg : args) {
    bool known = !arg.star && (!arg.keyword.empty() || next < info.positional);
    texts = holds_text(arg.operand.abs, known) || texts;
    if (!known) return std::nullopt;
    const std::string& name = arg.keyword.empty() ? info.parameters[next++] : arg.keyword;
    scratch.state.variables[&info.scope->cell(name)] = arg.operand.abs;
  }
  if (!texts) return std::nullopt;
  Frame* const outer = std::exchange(frame_, &scratch);
  ++inlined_;
  start_block(new_block());
  for (const Node* each : named) {
    const Abstract part = expression(each->child("value")).abs;
    scratch.state.variables[&info.scope->cell(each->list("targets")[0]->text("id"))] = part;
  }
  const Abstract made = expression(value).abs;
  --inlined_;
  frame_ = outer;
  const Atom* text = made.single();
  return text != nullptr && text->kind == AtomKind::kText && !text->partial ? std::optional(made) : std::nullopt;
}

// functools.reduce(f, items[, first]): the calls of f one after another; of items that are not known, one stands for
// all.
Operand Lowerer::reduce_call(const std::vector<Argument>& args, const Node* node) {
  const auto items = sequence_of(args[1].operand.abs);
  const auto element = [&](Abstract abs, Abstract key) {
    facts::Location location;
    location.base = args[1].operand.value;
    location.element = true;
    location.key = make_value(std::move(key), node, facts::OriginKind::kConstant).value;
    return emit_load(location, std::move(abs), node);
  };
  std::vector<Operand> values;
  if (items && items->size() <= 64) {
    for (std::size_t i = 0; i < items->size(); ++i)
      values.push_back(element((*items)[i], constant(static_cast<std::int64_t>(i))));
  } else {
    const std::size_t wanted = args.size() > 2 ? 1 : 2;
    while (values.size() < wanted)
      values.push_back(element(elements_of(args[1].operand.abs), unknown("which element it is")));
  }
  if (args.size() > 2) values.insert(values.begin(), args[2].operand);
  if (values.empty()) return make_value(unknown("the reduction of nothing"), node, facts::OriginKind::kUnknown);
  Operand result = values.front();
  for (std::size_t i = 1; i < values.size(); ++i)
    result = call(args[0].operand, {{result, "", false, node}, {values[i], "", false, node}}, node);
  return result;
}

// map(f, texts): the calls of f, when all that it is given is known.
bool Lowerer::map_call(const std::vector<Argument>& args, const Node* node, Operand& result) {
  bool known = true;
  const Atom* list = args[1].operand.abs.single();
  if (list == nullptr || list->type.kind == TypeKind::kDict || !holds_text(args[1].operand.abs, known) || !known)
    return false;
  const auto elements = elements_in_turn(args[1].operand, "keys", node);
  if (!elements) return false;
  HeapObject object;
  std::vector<Operand> parts;
  for (const Operand& each : *elements) {
    parts.push_back(call(args[0].operand, {{each, "", false, node}}, node));
    object.items.push_back(parts.back().abs);
  }
  const Abstract abs = new_heap(TypeKind::kList, std::move(object), node, kNone).abs;
  result = emit_call("builtins.list", parts, abs, node);
  return true;
}

// warp.launch(kernel, dim, inputs=[…], outputs=[…], stream=…)
bool Lowerer::warp_launch(const std::vector<Argument>& args, const Node* node, Operand& result) {
  const Argument* which = argument(args, 0, "kernel");
  const Atom* kernel = which == nullptr ? nullptr : which->operand.abs.single();
  if (kernel == nullptr || kernel->kind != AtomKind::kFunction) return false;
  std::vector<Argument> given;
  if (const Argument* dim = argument(args, 1, "dim")) given.push_back({dim->operand, "grid", false, node});
  if (const Argument* stream = argument(args, 1u << 30, "stream"))
    given.push_back({stream->operand, "stream", false, node});
  std::size_t place = 2;
  for (const char* list : {"inputs", "outputs"}) {
    const Argument* packed = argument(args, place++, list);
    if (packed == nullptr) continue;
    const auto items = sequence_of(packed->operand.abs);
    if (!items) return false;
    for (std::size_t i = 0; i < items->size(); ++i) {
      const Operand index = make_value(constant(static_cast<std::int64_t>(i)), node, facts::OriginKind::kConstant);
      given.push_back({get_item(packed->operand, index, node), "", false, node});
    }
  }
  result = launch(*kernel, which->operand, nullptr, given, node);
  return true;
}

bool Lowerer::callable_call(const std::string& name, const Operand& callee, const std::vector<Argument>& args,
                            const Node* node, Operand& result) {
  for (const Argument& arg : args) {
    if (arg.star) return false;
  }
  // Of elements that are not known here the interpreter may know more.
  const auto folds_names = [&] {
    const Atom* function = args[0].operand.abs.single();
    if (function == nullptr || function->kind != AtomKind::kSymbol) return false;
    const auto items = sequence_of(args[1].operand.abs);
    return !items || std::any_of(items->begin(), items->end(), [](const Abstract& item) {
      const Atom* known = item.single();
      return known == nullptr || (known->kind == AtomKind::kTyped && known->type.kind == TypeKind::kString);
    });
  };
  if (name == "functools.reduce" && args.size() >= 2) {
    result = folds_names() ? plain_call(name, callee, kNone, args, unknown("what is reduced is not known"), node)
                           : reduce_call(args, node);
    return true;
  }
  if (const Atom* of = name == "builtins.len" && args.size() == 1 ? args[0].operand.abs.single() : nullptr;
      of != nullptr && of->kind == AtomKind::kInstance) {
    const Abstract own = class_attribute(of->class_id, "__len__", false, nullptr);
    if (own.bottom()) return false;
    result = call(make_value(bound(own, args[0].operand, of->class_id, false), node, facts::OriginKind::kComputed), {},
                  node);
    return true;
  }
  if (name == "dataclasses.fields" && args.size() == 1) {
    Abstract fields = fields_of(args[0].operand.abs);
    if (fields.bottom()) return false;
    result = plain_call(name, callee, kNone, args, std::move(fields), node);
    return true;
  }
  if (name == "builtins.map" && args.size() == 2 && map_call(args, node, result)) return true;
  if (name == "warp.launch" && warp_launch(args, node, result)) return true;
  if (!is_getter(name) || args.empty()) return false;
  Atom atom;
  atom.kind = AtomKind::kPartial;
  atom.symbol = name;
  atom.self_function = frame_->function;
  for (const Argument& arg : args) {
    if (arg.keyword.empty()) {
      atom.items.push_back(arg.operand.abs);
      atom.item_values.push_back(arg.operand.value);
    } else {
      atom.keywords.emplace_back(arg.keyword, arg.operand.abs);
      atom.keyword_values.push_back(arg.operand.value);
    }
  }
  result = plain_call(name, callee, kNone, args, make(std::move(atom)), node);
  return true;
}

// attrgetter("a.b")(x) is x.a.b, itemgetter(k)(x) is x[k], methodcaller("f", y)(x) is x.f(y).
bool Lowerer::getter_call(const Atom& getter, const std::vector<Argument>& args, const Node* node, Operand& result) {
  if (!is_getter(getter.symbol) || args.size() != 1 || args.front().star) return false;
  const auto given = [&](std::size_t i) {
    if (getter.self_function == frame_->function && getter.item_values[i] != kNone)
      return Operand{getter.item_values[i], getter.items[i]};
    return make_value(getter.items[i], node, facts::OriginKind::kComputed);
  };
  const Operand& object = args.front().operand;
  if (getter.symbol == "operator.itemgetter") {
    if (getter.items.size() != 1) return false;
    result = get_item(object, given(0), node);
    return true;
  }
  const split::Text* path = folded_text(getter.items.front());
  if (getter.symbol == "operator.attrgetter" && getter.items.size() == 1) {
    result = attribute_at(object, given(0), node, true);
    return true;
  }
  if (path != nullptr && getter.symbol == "operator.methodcaller") {
    std::vector<Argument> passed;
    for (std::size_t i = 1; i < getter.items.size(); ++i) passed.push_back({given(i), "", false, node});
    for (const auto& [keyword, value] : getter.keywords)
      passed.push_back({make_value(value, node, facts::OriginKind::kComputed), keyword, false, node});
    result = call(attribute(object, path->bytes, node, true), passed, node);
    return true;
  }
  return false;
}

// The attribute that a path with dots leads to.
Operand Lowerer::attribute_at(const Operand& object, const Operand& path, const Node* node, bool for_call) {
  const split::Text* word = folded_text(path.abs);
  if (word == nullptr)
    return emit_call("builtins.getattr", {object, path}, unknown("an attribute whose name is not known"), node);
  const std::string names = word->bytes;
  Operand result = object;
  for (std::size_t at = 0; at <= names.size();) {
    const std::size_t dot = std::min(names.find('.', at), names.size());
    result = attribute(result, names.substr(at, dot - at), node, for_call && dot == names.size());
    at = dot + 1;
  }
  return result;
}

// stack.enter_context(manager): left with the `with` statement of the stack.
Operand Lowerer::enter_context(const std::vector<Argument>& args, const Node* node) {
  const Operand manager = args.front().operand;
  Abstract entered;
  for (const AtomPtr& atom : manager.abs.atoms) {
    if (atom->kind == AtomKind::kTyped) join_into(entered, make(Atom(*atom)));
  }
  if (entered.bottom()) entered = unknown("the result of entering a context");
  frame_->entered.push_back(manager);
  return emit_call("contextlib.enter", {manager}, std::move(entered), node);
}

// getattr(object, name[, default]) with a folded name is the attribute.
Operand Lowerer::get_attribute_call(const std::vector<Argument>& args, const Node* node) {
  const split::Text* word = folded_text(args[1].operand.abs);
  if (word != nullptr) {
    // for_call: on a value of unknown class it is the method of that name. What has a default is mostly no method.
    const bool for_call = args.size() < 3 && other_.count(word->bytes) == 0;
    Operand found = attribute(args[0].operand, word->bytes, node, for_call);
    return args.size() > 2 && args[2].keyword.empty() ? found_or(found, args[2].operand, node) : found;
  }
  std::vector<Operand> asked;
  for (const Argument& arg : args) asked.push_back(arg.operand);
  const auto by_call = [&] {
    return emit_call("builtins.getattr", asked, unknown("an attribute whose name is not known"), node);
  };
  if (forwards_attributes()) return by_call();
  if (const std::optional<Operand> matched = matching_methods(args[0].operand, args[1].operand.abs, node))
    return *matched;
  const Atom* names = args[1].operand.abs.single();
  // Of a C library the call at hand tells which function it is.
  const Atom* object = args[0].operand.abs.single();
  const bool library =
      object != nullptr && object->kind == AtomKind::kTyped && object->type.name.rfind("ctypes.", 0) == 0;
  if (object != nullptr && object->kind == AtomKind::kHeap) {
    const HeapObject held = read_heap(object->site);
    if (held.kind == TypeKind::kList && !held.entries.empty())  // modules under names
      return get_item(args[0].operand, args[1].operand, node);
  }
  // Which of several names goes with which of several objects, the call at hand tells.
  const bool several = args[0].operand.abs.atoms.size() > 1 && names == nullptr;
  if (!library && !several && names == nullptr && !args[1].operand.abs.unknown && !args[1].operand.abs.atoms.empty()) {
    std::vector<Operand> ways;
    for (const AtomPtr& each : args[1].operand.abs.atoms) {
      Abstract one;
      one.atoms.push_back(each);
      const split::Text* choice = folded_text(one);
      if (choice == nullptr) {
        ways.clear();
        break;
      }
      ways.push_back(attribute(args[0].operand, choice->bytes, node));
    }
    if (!ways.empty()) return ways.size() == 1 ? ways.front() : emit_phi(ways, node);
  }
  return by_call();
}

// property(getter, setter), or @getter.setter. A method may be called by its own name as well, so that what it is bound
// to by the call is not told apart.
void Lowerer::note_property(const Abstract& getter, const Abstract& setter) {
  const Atom* get = getter.single();
  const Atom* set = setter.single();
  if (get == nullptr || get->kind != AtomKind::kFunction) return;
  FunctionInfo& info = *functions_[static_cast<std::size_t>(get->function)];
  info.is_property = info.is_property || info.class_id == kNone;
  if (set != nullptr && set->kind == AtomKind::kFunction) info.setter = set->function;
}

void Lowerer::assign_attribute(const Operand& base, const std::string& name, const Operand& value, const Node* node,
                               bool augmented) {
  if (!assigned_by_method(base, name, value, node)) set_attribute(base, name, value, node, augmented);
}

// A method whose names of attributes are those that each call of it brings.
bool Lowerer::forwards_attributes() const {
  const std::string& name = functions_[static_cast<std::size_t>(frame_->function)]->name;
  return name == "__setattr__" || name == "__getattr__" || name == "__getattribute__";
}

Operand Lowerer::word_of(const std::string& name, const Node* node) {
  return make_value(text(split::Text::coarse(name, span(node))), node, facts::OriginKind::kConstant);
}

// x.name of a class with its own __getattribute__; methods are found all the same.
std::optional<Operand> Lowerer::looked_up(Id class_id, const Operand& base, const std::string& name, const Node* node) {
  const Abstract own = class_attribute(class_id, "__getattribute__", false, nullptr);
  const Atom* method = own.single();
  if (past_own_ || method == nullptr || method->kind != AtomKind::kFunction || method->function == frame_->function)
    return std::nullopt;
  Id owner = kNone;
  const bool set = find_instance_cell(class_id, name, &owner) != nullptr;
  if (!set && (!class_attribute(class_id, name, false, nullptr).bottom() || !foreign_base_of(class_id).empty()))
    return std::nullopt;
  const Operand callee = make_value(bound(own, base, class_id, false), node, facts::OriginKind::kConstant);
  return call(callee, {{word_of(name, node), "", false, node}}, node);
}

// x.name of a module whose class has its own __getattr__, where torch's has nothing of that name.
std::optional<Operand> Lowerer::made_by_getattr(Id class_id, const Operand& base, const std::string& name,
                                                const Node* node) {
  static const std::set<std::string> of_module = {"training",
                                                  "parameters",
                                                  "buffers",
                                                  "children",
                                                  "modules",
                                                  "named_parameters",
                                                  "named_buffers",
                                                  "named_modules",
                                                  "named_children",
                                                  "register_buffer",
                                                  "register_parameter",
                                                  "register_module",
                                                  "add_module",
                                                  "train",
                                                  "eval",
                                                  "to",
                                                  "cuda",
                                                  "cpu",
                                                  "half",
                                                  "float",
                                                  "double",
                                                  "bfloat16",
                                                  "apply",
                                                  "state_dict",
                                                  "load_state_dict",
                                                  "zero_grad",
                                                  "requires_grad_",
                                                  "get_submodule",
                                                  "get_parameter",
                                                  "get_buffer",
                                                  "extra_repr",
                                                  "compile",
                                                  "share_memory",
                                                  "to_empty",
                                                  "type",
                                                  "forward"};
  const Abstract own = class_attribute(class_id, "__getattr__", false, nullptr);
  const Atom* method = own.single();
  if (past_own_ || method == nullptr || method->kind != AtomKind::kFunction || method->function == frame_->function ||
      foreign_base_of(class_id) != "torch.nn.Module" || name.starts_with("_") || name.starts_with("register_") ||
      of_module.contains(name))
    return std::nullopt;
  const Operand callee = make_value(bound(own, base, class_id, false), node, facts::OriginKind::kConstant);
  return call(callee, {{word_of(name, node), "", false, node}}, node);
}

// object.__getattribute__(x, name)
Operand Lowerer::attribute_past_own(const Operand& base, const Operand& name, const Node* node) {
  const split::Text* word = folded_text(name.abs);
  if (word == nullptr)
    return emit_call("builtins.getattr", {base, name}, unknown("an attribute whose name is not known"), node);
  const bool outer = std::exchange(past_own_, true);
  const Operand found = attribute(base, word->bytes, node);
  past_own_ = outer;
  return found;
}

// The method of an own class's instance that an operator is a call of: of the left operand, or of the right one that
// answers for it.
std::optional<Operand> Lowerer::own_operator(const std::string& op, const Operand& left, const Operand& right,
                                             bool in_place, const Node* node) {
  constexpr std::string_view prefix = "operator.";
  std::string name = op.substr(prefix.size() + (in_place ? 1 : 0));
  if (name.ends_with('_')) name.pop_back();  // and_, or_
  const auto answer = [&](const Operand& owner, const std::string& method,
                          const Operand& other) -> std::optional<Operand> {
    const Atom* instance = owner.abs.single();
    if (instance == nullptr || instance->kind != AtomKind::kInstance) return std::nullopt;
    const Abstract member = class_attribute(instance->class_id, method, false, nullptr);
    if (member.bottom()) return std::nullopt;
    const Operand callee =
        make_value(bound(member, owner, instance->class_id, false), node, facts::OriginKind::kComputed);
    return call(callee, {{other, "", false, nullptr}}, node);
  };
  if (name == "contains" || name == "not_contains") {
    const std::optional<Operand> held = answer(right, "__contains__", left);
    return held && name != "contains" ? emit_call("operator.not_", {*held}, typed(TypeKind::kBool), node) : held;
  }
  if (in_place) {
    if (std::optional<Operand> done = answer(left, "__i" + name + "__", right)) return done;
  }
  if (std::optional<Operand> done = answer(left, "__" + name + "__", right)) return done;
  return answer(right, "__r" + name + "__", left);
}

}  // namespace kernel_audit::analysis::python
