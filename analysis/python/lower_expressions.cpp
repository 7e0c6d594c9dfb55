// Expressions other than names, attributes and calls.
#include <algorithm>

#include "analysis/python/lowerer.h"
#include "analysis/python/string_literal.h"

namespace kernel_audit::analysis::python {
namespace {

constexpr int kMaxDepth = 1200;  // of nested expressions; the syntax server has a limit of its own

const char* binary_name(const std::string& op) {
  static const std::map<std::string, const char*> names = {{"Add", "operator.add"},
                                                           {"Sub", "operator.sub"},
                                                           {"Mult", "operator.mul"},
                                                           {"Div", "operator.truediv"},
                                                           {"FloorDiv", "operator.floordiv"},
                                                           {"Mod", "operator.mod"},
                                                           {"Pow", "operator.pow"},
                                                           {"MatMult", "operator.matmul"},
                                                           {"LShift", "operator.lshift"},
                                                           {"RShift", "operator.rshift"},
                                                           {"BitAnd", "operator.and_"},
                                                           {"BitOr", "operator.or_"},
                                                           {"BitXor", "operator.xor"},
                                                           {"Eq", "operator.eq"},
                                                           {"NotEq", "operator.ne"},
                                                           {"Lt", "operator.lt"},
                                                           {"LtE", "operator.le"},
                                                           {"Gt", "operator.gt"},
                                                           {"GtE", "operator.ge"},
                                                           {"Is", "operator.is_"},
                                                           {"IsNot", "operator.is_not"},
                                                           {"In", "operator.contains"},
                                                           {"NotIn", "operator.not_contains"}};
  const auto found = names.find(op);
  return found == names.end() ? "operator.unknown" : found->second;
}

bool is_comparison(const std::string& op) {
  static const std::set<std::string> names = {
      "operator.eq",  "operator.ne",     "operator.lt",       "operator.le",           "operator.gt",  "operator.ge",
      "operator.is_", "operator.is_not", "operator.contains", "operator.not_contains", "operator.not_"};
  return names.count(op) != 0;
}

bool is_tensor(const Abstract& value) {
  return std::any_of(value.atoms.begin(), value.atoms.end(), [](const AtomPtr& atom) {
    return atom->type.kind == TypeKind::kTensor || atom->type.kind == TypeKind::kParameter;
  });
}

}  // namespace

Operand Lowerer::expression(const Node* node) {
  if (node == nullptr) return make_value(unknown("an absent expression"), nullptr, facts::OriginKind::kUnknown);
  if (depth_ > kMaxDepth || over_budget()) {
    return make_value(unknown("beyond a limit of the lowering"), node, facts::OriginKind::kUnknown);
  }
  ++depth_;
  Operand result;
  switch (node->type()) {
    case NodeType::kName:
      result = name(node);
      break;
    case NodeType::kAttribute:
      result = attribute(expression(node->child("value")), node->text("attr"), node);
      break;
    case NodeType::kCall:
      result = call_node(node);
      break;
    case NodeType::kConstant:
      result = constant_value(node);
      break;
    case NodeType::kJoinedStr:
    case NodeType::kTemplateStr:
      result = joined_string(node);
      break;
    case NodeType::kBoolOp:
      result = bool_operation(node);
      break;
    case NodeType::kIfExp:
      result = conditional(node);
      break;
    case NodeType::kCompare:
      result = compare(node);
      break;
    case NodeType::kUnaryOp:
      result = unary(node);
      break;
    case NodeType::kSubscript:
      result = subscript(node);
      break;
    case NodeType::kBinOp: {
      const Operand left = expression(node->child("left"));
      const Operand right = expression(node->child("right"));
      result = binary(binary_name(node->text("op")), left, right, node);
      break;
    }
    case NodeType::kNamedExpr:
      result = expression(node->child("value"));
      assign(node->child("target"), result);
      break;
    case NodeType::kList:
    case NodeType::kTuple:
    case NodeType::kSet:
      result = display(node);
      break;
    case NodeType::kDict:
      result = dict_display(node);
      break;
    case NodeType::kListComp:
    case NodeType::kSetComp:
    case NodeType::kDictComp:
    case NodeType::kGeneratorExp:
      result = comprehension(node);
      break;
    case NodeType::kLambda: {
      const Id function = function_of(node, "<lambda>", true);
      Atom atom;
      atom.kind = AtomKind::kFunction;
      atom.function = function;
      result = make_value(make(std::move(atom)), node, facts::OriginKind::kConstant);
      break;
    }
    case NodeType::kSlice: {
      std::vector<Operand> parts;
      for (const char* field : {"lower", "upper", "step"}) {
        const Node* part = node->child(field);
        parts.push_back(part == nullptr ? make_value(constant(nullptr), node, facts::OriginKind::kConstant)
                                        : expression(part));
      }
      Atom slice;
      slice.type = {TypeKind::kOther, "builtins.slice"};
      for (const Operand& part : parts) slice.items.push_back(part.abs);
      result = emit_call("builtins.slice", parts, make(std::move(slice)), node);
      break;
    }
    case NodeType::kStarred:
      result = expression(node->child("value"));
      break;
    case NodeType::kAwait:
      result = emit_call("operator.await", {expression(node->child("value"))}, unknown("the result of an await"), node);
      break;
    case NodeType::kYield:
      result = yield_value(node->child("value") == nullptr ? Operand{} : expression(node->child("value")), node);
      break;
    case NodeType::kYieldFrom:
      result = yield_from(node);
      break;
    default:
      for (const Node* each : node->children()) expression(each);
      result = make_value(unknown("an expression of type '" + node->type_name() + "' is not understood"), node,
                          facts::OriginKind::kUnknown);
  }
  --depth_;
  return result;
}

Operand Lowerer::constant_value(const Node* node) {
  const Json& encoded = node->raw("value");
  const std::string tag =
      encoded.is_array() && !encoded.empty() && encoded[0].is_string() ? encoded[0].get<std::string>() : "";
  Abstract abs = unknown("a constant that is not understood");
  if (tag == "k" || tag == "i") {
    abs = constant(encoded[1]);
  } else if (tag == "f") {
    const std::string digits = encoded[1].get<std::string>();
    abs = digits == "inf" || digits == "nan" ? typed(TypeKind::kFloat) : constant(std::strtod(digits.c_str(), nullptr));
  } else if (tag == "big") {
    abs = typed(TypeKind::kInt);
  } else if (tag == "s" || tag == "b" || tag == "surrogate") {
    std::string bytes;
    if (tag == "s") {
      bytes = encoded[1].get<std::string>();
    } else {
      const std::string hex = encoded[1].get<std::string>();
      for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    }
    const split::Text& source = frame_->unit->text;
    split::Text value;
    // Inside f-strings the positions of constants are those of the whole literal: they never decode alike.
    if (auto pieces =
            decode_literals(source, static_cast<std::size_t>(node->begin), static_cast<std::size_t>(node->end))) {
      for (const LiteralPiece& piece : *pieces) value.append(piece.text);
    }
    if (value.bytes != bytes) value = split::Text::coarse(bytes, source.map.resolve(node->begin, node->end));
    Atom atom;
    atom.kind = AtomKind::kText;
    atom.type.kind = tag == "b" ? TypeKind::kBytes : TypeKind::kString;
    atom.partial = tag == "surrogate";
    atom.text = std::make_shared<const split::Text>(std::move(value));
    abs = tag == "surrogate" ? typed(TypeKind::kString) : make(std::move(atom));
  } else if (tag == "...") {
    abs = typed(TypeKind::kOther, "builtins.Ellipsis");
  } else if (tag == "other") {
    abs = typed(TypeKind::kOther, encoded[1].get<std::string>());
  }
  return make_value(std::move(abs), node, facts::OriginKind::kConstant);
}

Operand Lowerer::bool_operation(const Node* node) {
  const bool is_and = node->text("op") == "And";
  const std::vector<const Node*> values = node->list("values");
  std::vector<Operand> parts;
  const Id after = new_block();
  std::vector<std::pair<Id, FlowState>> ends;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Operand part = expression(values[i]);
    const bool last = i + 1 == values.size();
    const bool decides = is_and ? is_false(part.abs) : is_true(part.abs);
    const bool passes = is_and ? is_true(part.abs) : is_false(part.abs);
    if (last || !passes) parts.push_back(part);
    if (last) {
      jump(after);
      ends.emplace_back(frame_->current, frame_->state);
      break;
    }
    const Id next = new_block();
    branch(part, is_and ? next : after, is_and ? after : next);
    if (!passes) ends.emplace_back(frame_->current, frame_->state);
    start_block(next);
    if (decides) frame_->state.reachable = false;
    if (decides) break;
  }
  FlowState state = ends.front().second;
  for (const auto& [block, end_state] : ends) state = merge(state, end_state);
  frame_->state = state;
  start_block(after);
  if (parts.size() == 1) return parts.front();
  const Operand result = emit_phi(parts, node);
  last_statement()->callee = is_and ? "and" : "or";
  return result;
}

Operand Lowerer::conditional(const Node* node) {
  const Operand test = expression(node->child("test"));
  const Id on_true = new_block();
  const Id on_false = new_block();
  const Id after = new_block();
  branch(test, on_true, on_false);
  const FlowState before = frame_->state;
  start_block(on_true);
  frame_->state.reachable = before.reachable && !is_false(test.abs);
  const Operand yes = expression(node->child("body"));
  jump(after);
  const FlowState true_state = frame_->state;
  frame_->state = before;
  frame_->state.reachable = before.reachable && !is_true(test.abs);
  start_block(on_false);
  const Operand no = expression(node->child("orelse"));
  jump(after);
  frame_->state = merge(true_state, frame_->state);
  start_block(after);
  if (is_true(test.abs)) return yes;
  if (is_false(test.abs)) return no;
  return emit_phi({yes, no}, node);
}

Operand Lowerer::compare(const Node* node) {
  Operand left = expression(node->child("left"));
  const std::vector<std::string> ops = node->texts("ops");
  const std::vector<const Node*> comparators = node->list("comparators");
  std::vector<Operand> parts;
  for (std::size_t i = 0; i < comparators.size() && i < ops.size(); ++i) {
    const Operand right = expression(comparators[i]);
    parts.push_back(binary(binary_name(ops[i]), left, right, node));
    left = right;
  }
  if (parts.empty()) return left;
  if (parts.size() == 1) return parts.front();
  return emit_call("operator.and_", parts, typed(TypeKind::kBool), node);
}

// What an operator of an own class gives is what its method returns.
static bool holds_instance(const Abstract& value) {
  return std::any_of(value.atoms.begin(), value.atoms.end(),
                     [](const AtomPtr& atom) { return atom->kind == AtomKind::kInstance; });
}

Operand Lowerer::binary(const std::string& op, const Operand& left, const Operand& right, const Node* node,
                        bool in_place) {
  if (std::optional<Operand> own = own_operator(op, left, right, in_place, node)) return *own;
  const std::string plain = in_place ? "operator." + op.substr(10) : op;
  Abstract result = fold_binary(plain, left.abs, right.abs, node);
  if (op == "operator.ior" && update_attributes(left, "update", {{right, "", false, nullptr}}, node))
    return left;  // vars(torch) |= {"mm": f}
  if (in_place && plain == "operator.add") {
    for (const AtomPtr& atom : left.abs.atoms) {
      if (atom->kind != AtomKind::kHeap) continue;
      const std::optional<std::vector<Abstract>> more = sequence_of(right.abs);
      const Abstract elements = elements_of(right.abs);
      change_heap(*atom, [&](HeapObject& object) {
        if (more)
          object.items.insert(object.items.end(), more->begin(), more->end());
        else
          object.items.push_back(elements);
        if (!more) object.exact = false;
      });
      result = left.abs;
    }
  }
  if (result.bottom() && (plain == "operator.eq" || plain == "operator.ne")) {
    // A candidate is imported: it is never the main program.
    for (const auto& [one, other] : {std::pair{&left, &right}, std::pair{&right, &left}}) {
      const Atom* own = one->abs.single();
      const split::Text* word = folded_text(other->abs);
      if (own != nullptr && own->kind == AtomKind::kSymbol && own->symbol == "__name__" && word != nullptr &&
          word->bytes == "__main__")
        result = constant(plain == "operator.ne");
    }
  }
  if (result.bottom() && op == "operator.add") result = both_in_order(left.abs, right.abs, node);
  if (const Atom* type = left.abs.single(); result.bottom() && plain == "operator.mul" && type != nullptr &&
                                            type->kind == AtomKind::kSymbol &&
                                            type->symbol.rfind("ctypes.c_", 0) == 0) {
    result = symbol("ctypes.Array");  // the class of arrays of so many
  }
  if (result.bottom()) {
    if (is_tensor(left.abs) || is_tensor(right.abs)) {
      const bool membership = plain == "operator.is_" || plain == "operator.is_not" || plain == "operator.contains" ||
                              plain == "operator.not_contains";
      result = membership ? typed(TypeKind::kBool) : typed(TypeKind::kTensor, "torch.Tensor");
    } else if (is_comparison(plain)) {
      const facts::Type known = type_of(left.abs);
      const bool identity = plain == "operator.is_" || plain == "operator.is_not" || plain == "operator.contains" ||
                            plain == "operator.not_contains";
      result = identity || known.kind != TypeKind::kUnknown ? typed(TypeKind::kBool)
                                                            : unknown("a comparison of unknown values");
    } else {
      const TypeKind a = type_of(left.abs).kind;
      const TypeKind b = type_of(right.abs).kind;
      const auto numeric = [](TypeKind kind) {
        return kind == TypeKind::kInt || kind == TypeKind::kFloat || kind == TypeKind::kBool;
      };
      if (numeric(a) && numeric(b)) {
        const bool floating = a == TypeKind::kFloat || b == TypeKind::kFloat || plain == "operator.truediv";
        result = typed(floating ? TypeKind::kFloat : TypeKind::kInt);
      } else if (a == TypeKind::kString || (a == b && a != TypeKind::kUnknown && !holds_instance(left.abs))) {
        result = typed(a, type_of(left.abs).name);
      } else {
        result = unknown("an operator applied to values of unknown type");
      }
    }
  }
  return emit_call(op, {left, right}, std::move(result), node);
}

// list + list, tuple + tuple, where the elements of both are known.
Abstract Lowerer::both_in_order(const Abstract& left, const Abstract& right, const Node* node) {
  const auto first = sequence_of(left), second = sequence_of(right);
  const TypeKind kind = type_of(left).kind;
  if (!first || !second || kind != type_of(right).kind || (kind != TypeKind::kList && kind != TypeKind::kTuple))
    return {};
  std::vector<Abstract> items = *first;
  items.insert(items.end(), second->begin(), second->end());
  if (kind == TypeKind::kList) {
    HeapObject object;
    object.items = std::move(items);
    return new_heap(kind, std::move(object), node, kNone).abs;
  }
  Atom atom;
  atom.kind = AtomKind::kTuple;
  atom.type.kind = kind;
  atom.item_values.assign(items.size(), kNone);
  atom.items = std::move(items);
  return make(std::move(atom));
}

Operand Lowerer::unary(const Node* node) {
  static const std::map<std::string, std::string> names = {
      {"Not", "operator.not_"}, {"USub", "operator.neg"}, {"UAdd", "operator.pos"}, {"Invert", "operator.invert"}};
  const Operand value = expression(node->child("operand"));
  const auto found = names.find(node->text("op"));
  const std::string op = found == names.end() ? "operator.unknown" : found->second;
  Abstract result;
  const Atom* atom = value.abs.single();
  if (op == "operator.not_") {
    result = is_true(value.abs) ? constant(false) : is_false(value.abs) ? constant(true) : typed(TypeKind::kBool);
  } else if (atom != nullptr && atom->kind == AtomKind::kConstant && atom->constant.is_number()) {
    if (op == "operator.neg" && atom->constant.is_number_integer()) {
      const std::int64_t number = atom->constant.get<std::int64_t>();
      result = number == INT64_MIN ? typed(TypeKind::kInt) : constant(-number);
    } else if (op == "operator.neg") {
      result = constant(-atom->constant.get<double>());
    } else {
      result = op == "operator.pos" ? value.abs : typed(TypeKind::kInt);
    }
  } else {
    const facts::Type type = type_of(value.abs);
    if (type.kind == TypeKind::kParameter)
      result = typed(TypeKind::kTensor, "torch.Tensor");
    else
      result = type.kind == TypeKind::kUnknown ? unknown("an operator applied to a value of unknown type")
                                               : typed(type.kind, type.name);
  }
  if (op == "operator.neg" && result.single() != nullptr && result.single()->kind == AtomKind::kConstant) {
    return make_value(std::move(result), node, facts::OriginKind::kConstant);
  }
  return emit_call(op, {value}, std::move(result), node);
}

Operand Lowerer::comprehension(const Node* node) {
  const NodeType type = node->type();
  const TypeKind kind = type == NodeType::kDictComp  ? TypeKind::kDict
                        : type == NodeType::kSetComp ? TypeKind::kOther
                                                     : TypeKind::kList;
  const char* callee = type == NodeType::kDictComp  ? "builtins.dict"
                       : type == NodeType::kSetComp ? "builtins.set"
                                                    : "builtins.list";
  if (const std::optional<Operand> written_out = unrolled(node)) return *written_out;
  HeapObject object;
  object.exact = false;
  heap_[node].shared = heap_[node].shared_now = true;
  const Operand made = new_heap(kind, std::move(object), node, kNone);
  const Operand result = emit_call(callee, {}, made.abs, node);
  comprehension_scope(node);
  const Atom atom = *made.abs.atoms.front();
  comprehension_loop(node, 0, [&] {
    if (type == NodeType::kDictComp) {
      const Operand key = expression(node->child("key"));
      const Operand value = expression(node->child("value"));
      change_heap(atom, [&](HeapObject& each) { each.entries.emplace_back(key.abs, value.abs); });
      emit_call("builtins.dict.__setitem__", {key, value}, constant(nullptr), node);
    } else {
      const Operand element = expression(node->child("elt"));
      change_heap(atom, [&](HeapObject& each) { each.items.push_back(element.abs); });
      emit_call(type == NodeType::kSetComp ? "builtins.set.add" : "builtins.list.append", {element}, constant(nullptr),
                node);
    }
    frame_->blocks[static_cast<std::size_t>(frame_->current)].statements.back().receiver = result.value;
  });
  return result;
}

void Lowerer::comprehension_loop(const Node* node, std::size_t index, const std::function<void()>& innermost) {
  const std::vector<const Node*> generators = node->list("generators");
  Scope* const own = scope_of_node_[node];
  if (index >= generators.size() || generators[index] == nullptr) {
    innermost();
    return;
  }
  const Node* generator = generators[index];
  // The first iterable belongs to the enclosing scope, everything else to the comprehension's own.
  Scope* const outer = frame_->scope;
  const Operand iterable = expression(generator->child("iter"));
  const Operand iterator =
      emit_call("builtins.iter", {iterable}, typed(TypeKind::kOther, "builtins.iterator"), generator->child("iter"));
  frame_->scope = own;
  Operand item;
  loop(
      node, [&] { assign(generator->child("target"), item); },
      [&] {
        Abstract element = elements_of(iterable.abs);
        if (element.bottom()) element = unknown("an element of a value whose content is not known");
        item = emit_call("builtins.next", {iterator}, element, generator->child("target"));
        return make_value(typed(TypeKind::kBool), generator->child("target"), facts::OriginKind::kComputed);
      },
      [&] {
        for (const Node* test : generator->list("ifs")) {
          const Operand condition = expression(test);
          const Id kept = new_block();
          // A rejected element goes on with the next one.
          const Id head = frame_->guards.back().continue_block;
          branch(condition, kept, head);
          start_block(kept);
        }
        comprehension_loop(node, index + 1, innermost);
      },
      {}, false);
  frame_->scope = outer;
}

Operand Lowerer::subscript(const Node* node) {
  const Operand base = expression(node->child("value"));
  const Operand key = expression(node->child("slice"));
  return get_item(base, key, node);
}

}  // namespace kernel_audit::analysis::python
