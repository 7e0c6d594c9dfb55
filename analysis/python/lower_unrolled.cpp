// Loops and comprehensions over a few elements that are known: each element in turn, so that places, names and texts
// stay known.
#include <algorithm>

#include "analysis/python/lowerer.h"

namespace kernel_audit::analysis::python {
namespace {

constexpr std::size_t kMostElements = 8;
constexpr std::size_t kMostInComprehension = 32;  // one expression each: a table of pieces of source

// The elements of a display that is short enough, or none.
std::vector<const Node*> short_display(const Node* node) {
  if (node == nullptr || (node->type() != NodeType::kTuple && node->type() != NodeType::kList)) return {};
  std::vector<const Node*> elements = node->list("elts");
  const bool plain = std::all_of(elements.begin(), elements.end(), [](const Node* each) {
    return each != nullptr && each->type() != NodeType::kStarred;
  });
  return plain && elements.size() <= kMostElements ? elements : std::vector<const Node*>{};
}

// Whether something inside is met once however often it runs (a function, a class), or needs the loop around it.
bool is_one_thing(const Node* node) {
  if (node == nullptr) return false;
  switch (node->type()) {
    case NodeType::kLambda:
    case NodeType::kListComp:
    case NodeType::kSetComp:
    case NodeType::kDictComp:
    case NodeType::kNamedExpr:
    case NodeType::kFunctionDef:
    case NodeType::kAsyncFunctionDef:
    case NodeType::kClassDef:
    case NodeType::kBreak:
    case NodeType::kContinue:
    case NodeType::kTry:
    case NodeType::kYield:
    case NodeType::kYieldFrom:
      return true;
    default:
      break;
  }
  for (const Node* each : node->children()) {
    if (is_one_thing(each)) return true;
  }
  return false;
}

// A name or an attribute of one: reading it does nothing.
bool is_plain(const Node* node) {
  while (node != nullptr && node->type() == NodeType::kAttribute) node = node->child("value");
  return node != nullptr && node->type() == NodeType::kName;
}

bool is_function(const Operand& value) {
  const Atom* atom = value.abs.single();
  return atom != nullptr && (atom->kind == AtomKind::kSymbol || atom->kind == AtomKind::kFunction);
}

// Whether texts are put together somewhere inside.
bool puts_texts(const Node* node) {
  if (node == nullptr) return false;
  if (node->type() == NodeType::kJoinedStr) return true;
  if (node->type() == NodeType::kAttribute && node->text("attr") == "format") return true;
  const std::vector<const Node*> inside = node->children();
  return std::any_of(inside.begin(), inside.end(), puts_texts);
}

// A loop that does nothing else.
bool only_puts_texts(const std::vector<const Node*>& body) {
  return std::all_of(body.begin(), body.end(),
                     [](const Node* each) {
                       return each != nullptr &&
                              (each->type() == NodeType::kExpr || each->type() == NodeType::kAssign ||
                               each->type() == NodeType::kAugAssign);
                     }) &&
         std::any_of(body.begin(), body.end(), puts_texts);
}

// Whether something inside sets an attribute or a variable by a name that is computed.
bool sets_by_name(const Node* node) {
  if (node == nullptr) return false;
  if (node->type() == NodeType::kCall) {
    const Node* callee = node->child("func");
    const std::string name = callee == nullptr                        ? ""
                             : callee->type() == NodeType::kName      ? callee->text("id")
                             : callee->type() == NodeType::kAttribute ? callee->text("attr")
                                                                      : "";
    if (name == "setattr" || name == "__setattr__" || name == "setitem" || name == "__setitem__") return true;
  }
  if (node->type() == NodeType::kAssign) {
    for (const Node* target : node->list("targets")) {
      const Node* base = target == nullptr || target->type() != NodeType::kSubscript ? nullptr : target->child("value");
      if (base != nullptr && (base->type() == NodeType::kCall || base->text("attr") == "__dict__")) return true;
    }
  }
  const auto& inside = node->children();
  return std::any_of(inside.begin(), inside.end(), sets_by_name);
}

// How often a name stands inside.
std::size_t mentions(const Node* node, const std::string& name) {
  if (node == nullptr) return 0;
  std::size_t count = node->type() == NodeType::kName && node->text("id") == name ? 1 : 0;
  for (const Node* each : node->children()) count += mentions(each, name);
  return count;
}

constexpr int kDeepestTable = 4;  // a table may hold itself

// a, b = b, a
bool rotates(const Node* node) {
  if (node == nullptr || node->type() != NodeType::kAssign || node->list("targets").size() != 1) return false;
  const Node* target = node->list("targets")[0];
  const Node* value = node->child("value");
  const auto is_tuple = [](const Node* each) { return each != nullptr && each->type() == NodeType::kTuple; };
  if (!is_tuple(target) || !is_tuple(value)) return false;
  const std::vector<const Node*> names = target->list("elts"), values = value->list("elts");
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = 0; j < values.size(); ++j) {
      const bool name = names[i] != nullptr && names[i]->type() == NodeType::kName;
      if (name && i != j && mentions(values[j], names[i]->text("id")) > 0) return true;
    }
  }
  return false;
}

// The lists whose elements are taken inside by what a name is: t[i], t[i + 1].
void add_taken_by(const Node* node, const std::string& name, std::set<std::string>& lists) {
  if (node == nullptr) return;
  const Node* base = node->type() == NodeType::kSubscript ? node->child("value") : nullptr;
  if (base != nullptr && base->type() == NodeType::kName && mentions(node->child("slice"), name) > 0)
    lists.insert(base->text("id"));
  for (const Node* each : node->children()) add_taken_by(each, name, lists);
}

// A number that is put together of constants, variables and lengths of those.
bool is_count(const Node* node) {
  if (node == nullptr) return false;
  if (node->type() == NodeType::kBinOp) return is_count(node->child("left")) && is_count(node->child("right"));
  if (node->type() != NodeType::kCall) return node->type() == NodeType::kConstant || is_plain(node);
  const std::vector<const Node*> args = node->list("args");
  return is_plain(node->child("func")) && node->child("func")->text("id") == "len" && args.size() == 1 &&
         is_plain(args[0]);
}

// Rows that tensors are known in, and nothing that is not known.
bool holds_buffers(const Abstract& value, bool& known) {
  const Atom* atom = value.single();
  known = known && atom != nullptr;
  if (atom == nullptr || atom->kind != AtomKind::kTuple) return type_of(value).kind == TypeKind::kTensor;
  bool any = false;
  for (const Abstract& item : atom->items) any = holds_buffers(item, known) || any;
  return any;
}

bool rows_of_buffers(const std::vector<Operand>& elements) {
  return std::all_of(elements.begin(), elements.end(), [](const Operand& each) {
    const Atom* row = each.abs.single();
    bool known = true;
    return row != nullptr && row->kind == AtomKind::kTuple && holds_buffers(each.abs, known) && known;
  });
}

// A display, or displays side by side: enumerate([…]), zip((…), (…)).
bool is_displayed(const Node* node) {
  if (!short_display(node).empty()) return true;
  const Node* function = node == nullptr || node->type() != NodeType::kCall ? nullptr : node->child("func");
  if (function == nullptr || (function->text("id") != "enumerate" && function->text("id") != "zip")) return false;
  const std::vector<const Node*> args = node->list("args");
  return !args.empty() && std::all_of(args.begin(), args.end(), is_displayed);
}

}  // namespace

// A text, or something that holds one: what is worth following element by element. `known`: nothing in it is left open.
bool Lowerer::holds_text(const Abstract& value, bool& known, int depth) {
  const Atom* atom = value.single();
  if (atom == nullptr || depth > kDeepestTable) {
    known = false;
    return false;
  }
  bool any = false;
  switch (atom->kind) {
    case AtomKind::kText:
      return true;
    case AtomKind::kTyped:
      known = known && atom->type.name == kFieldOfClass;
      return known;
    case AtomKind::kTuple:
      for (const Abstract& item : atom->items) any = holds_text(item, known, depth + 1) || any;
      return any;
    case AtomKind::kHeap: {
      const HeapObject object = read_heap(atom->site);
      known = known && object.exact && object.entries.size() + object.items.size() <= kMostInComprehension;
      for (const Abstract& item : object.items) any = known && (holds_text(item, known, depth + 1) || any);
      for (const auto& [key, item] : object.entries) any = known && (holds_text(item, known, depth + 1) || any);
      return any;
    }
    case AtomKind::kConstant:
    case AtomKind::kFunction:
    case AtomKind::kMethod:
    case AtomKind::kClass:
    case AtomKind::kSymbol:
      return false;
    default:
      known = false;
      return false;
  }
}

Operand Lowerer::tuple_of(const std::vector<Operand>& parts, const Node* node) {
  Atom atom;
  atom.kind = AtomKind::kTuple;
  atom.type.kind = TypeKind::kTuple;
  for (const Operand& part : parts) {
    atom.items.push_back(part.abs);
    atom.item_values.push_back(part.value);
  }
  atom.self_function = frame_->function;
  return emit_call("builtins.tuple", parts, make(std::move(atom)), node);
}

// The elements of a container that are all known, in order; of a dict its keys, its values, or pairs of both.
std::optional<std::vector<Operand>> Lowerer::elements_in_turn(const Operand& container, const std::string& view,
                                                              const Node* node) {
  const Atom* atom = container.abs.single();
  if (atom == nullptr) return std::nullopt;
  std::vector<Operand> elements;
  const std::optional<HeapObject> own = entries_of_own(*atom);
  if (own || (atom->kind == AtomKind::kHeap && atom->type.kind == TypeKind::kDict)) {
    const HeapObject object = own ? *own : read_heap(atom->site);
    if (!object.exact || object.entries.size() > kMostInComprehension) return std::nullopt;
    for (const auto& [key, value] : object.entries) {
      if (key.single() == nullptr) return std::nullopt;
      const Operand name = make_value(key, node, facts::OriginKind::kConstant);
      if (view == "keys") {
        elements.push_back(name);
        continue;
      }
      const Operand held = get_item(container, name, node);
      elements.push_back(view == "values" ? held : tuple_of({name, held}, node));
    }
    return elements;
  }
  const auto items = sequence_of(container.abs);
  if (view != "keys" || !items || items->size() > kMostInComprehension) return std::nullopt;
  for (std::size_t i = 0; i < items->size(); ++i) {
    const Operand index = make_value(constant(static_cast<std::int64_t>(i)), node, facts::OriginKind::kConstant);
    elements.push_back(get_item(container, index, node));
  }
  return elements;
}

// dataclasses.fields(x), or a part of that.
bool Lowerer::shows_fields(const Node* node) {
  const bool part = node != nullptr && node->type() == NodeType::kSubscript;
  const Node* made = part ? node->child("value") : node;
  if (made == nullptr || made->type() != NodeType::kCall || !is_plain(made->child("func"))) return false;
  const Operand called = expression(made->child("func"));
  const Atom* function = called.abs.single();
  return function != nullptr && function->kind == AtomKind::kSymbol && function->symbol == "dataclasses.fields";
}

// range() of constants, or of what numbers are for the inputs of the task.
std::optional<std::vector<Operand>> Lowerer::numbers(const std::vector<const Node*>& args, const Node* node) {
  std::vector<std::int64_t> bounds;
  for (const Node* arg : args) {
    if (!is_count(arg)) return std::nullopt;
    const Abstract value = expression(arg).abs;
    const Atom* bound = value.single();
    const Json* known = bound != nullptr && bound->kind == AtomKind::kConstant ? &bound->constant : value.usual.get();
    if (known == nullptr || !known->is_number_integer()) return std::nullopt;
    bounds.push_back(known->get<std::int64_t>());
  }
  if (bounds.size() == 1) bounds.insert(bounds.begin(), 0);
  if (bounds.size() == 2) bounds.push_back(1);
  if (bounds.size() != 3 || bounds[2] <= 0) return std::nullopt;
  std::vector<Operand> elements;
  bool more = bounds[0] < bounds[1];
  for (std::int64_t i = bounds[0]; more && elements.size() <= kMostInComprehension;) {
    elements.push_back(make_value(constant(i), node, facts::OriginKind::kConstant));
    more = !__builtin_add_overflow(i, bounds[2], &i) && i < bounds[1];
  }
  return elements;
}

// What iterating over an expression gives: a display, a container by its name, its items(), zip() and enumerate() of
// such.
std::optional<std::vector<Operand>> Lowerer::iterated(const Node* node, bool displays) {
  if (node == nullptr) return std::nullopt;
  const auto container_stands = [&](const Node* each) {
    const bool display = each != nullptr && (each->type() == NodeType::kDict || each->type() == NodeType::kList ||
                                             each->type() == NodeType::kTuple);
    return is_plain(each) || (displays && display) || shows_fields(each);
  };
  if (const std::vector<const Node*> display = short_display(node); !display.empty()) {
    std::vector<Operand> elements;
    for (const Node* each : display) elements.push_back(expression(each));
    return elements;
  }
  if (container_stands(node)) return elements_in_turn(expression(node), "keys", node);
  if (node->type() != NodeType::kCall || !node->list("keywords").empty()) return std::nullopt;
  const Node* function = node->child("func");
  const std::vector<const Node*> args = node->list("args");
  if (function != nullptr && function->type() == NodeType::kAttribute && args.empty() &&
      container_stands(function->child("value"))) {
    const std::string view = function->text("attr");
    if (view != "items" && view != "values" && view != "keys") return std::nullopt;
    const Operand container = expression(function->child("value"));
    const Atom* atom = container.abs.single();
    const bool dict = atom != nullptr && atom->kind == AtomKind::kHeap && atom->type.kind == TypeKind::kDict;
    return dict || (atom != nullptr && entries_of_own(*atom)) ? elements_in_turn(container, view, node) : std::nullopt;
  }
  if (function == nullptr || function->type() != NodeType::kName || args.empty()) return std::nullopt;
  const std::string name = function->text("id");
  const bool numbered = name == "enumerate" && args.size() == 1;
  if (name == "range" && lookup(name, frame_->scope).cell == nullptr) return numbers(args, node);
  if ((name != "zip" && !numbered) || lookup(name, frame_->scope).cell != nullptr) return std::nullopt;
  std::vector<std::vector<Operand>> columns;
  for (const Node* arg : args) {
    auto column = iterated(arg, displays);
    if (!column) return std::nullopt;
    columns.push_back(std::move(*column));
  }
  std::size_t rows = columns.front().size();
  for (const auto& column : columns) rows = std::min(rows, column.size());
  std::vector<Operand> elements;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<Operand> row;
    if (numbered) row.push_back(make_value(constant(static_cast<std::int64_t>(i)), node, facts::OriginKind::kConstant));
    for (const auto& column : columns) row.push_back(column[i]);
    elements.push_back(tuple_of(row, node));
  }
  return elements;
}

// Own modules of several classes: what each is given is what the one before made.
bool Lowerer::own_modules_of_kinds(const std::vector<Operand>& elements) {
  std::set<Id> kinds;
  for (const Operand& each : elements) {
    const Atom* module = each.abs.single();
    if (module == nullptr || module->kind != AtomKind::kInstance || !is_subclass_of_module(module->class_id))
      return false;
    kinds.insert(module->class_id);
  }
  return kinds.size() > 1;
}

// Whether the body of a loop takes tensors out of a list that is known by the number of the turn.
bool Lowerer::takes_buffers(const Node* loop) {
  const Node* target = loop->child("target");
  std::set<std::string> lists;
  if (target == nullptr || target->type() != NodeType::kName) return false;
  for (const Node* each : loop->list("body")) add_taken_by(each, target->text("id"), lists);
  return std::any_of(lists.begin(), lists.end(), [&](const std::string& name) {
    const Found found = lookup(name, frame_->scope);
    const auto items = found.cell == nullptr ? std::nullopt : sequence_of(read_cell(*found.cell));
    return items && std::any_of(items->begin(), items->end(),
                                [](const Abstract& each) { return type_of(each).kind == TypeKind::kTensor; });
  });
}

// The elements of `iter` when what is done with each is to be written out; else nothing is left of having looked.
std::vector<Operand> Lowerer::written_out(const Node* iter, std::size_t most, bool for_texts, bool for_names) {
  const Id block = frame_->current;
  const std::size_t before = frame_->blocks[static_cast<std::size_t>(block)].statements.size();
  if (auto elements = iterated(iter, for_names); elements && !elements->empty() && elements->size() <= most) {
    bool known = true, texts = for_texts;
    for (const Operand& each : *elements) texts = holds_text(each.abs, known) || texts;
    texts = texts || std::all_of(elements->begin(), elements->end(), is_function);
    known = known || for_names;  // whatever goes with the names
    if ((known && texts) || is_displayed(iter) || own_modules_of_kinds(*elements) || rows_of_buffers(*elements))
      return *elements;
  }
  if (frame_->current == block) frame_->blocks[static_cast<std::size_t>(block)].statements.resize(before);
  return {};
}

Scope* Lowerer::comprehension_scope(const Node* node) {
  Scope*& scope = scope_of_node_[node];
  if (scope == nullptr) {
    scope = make_scope(ScopeKind::kComprehension, frame_->scope, frame_->unit, nullptr, frame_->function, kNone);
    for (const Node* each : node->list("generators")) {
      if (each != nullptr) collect_target(each->child("target"), *scope);
    }
  }
  return scope;
}

// A generator expression that nobody asks for an element: of all of it, what it goes over is made.
bool Lowerer::never_asked(const Node* value, const Node* target) {
  if (value == nullptr || value->type() != NodeType::kGeneratorExp) return false;
  if (target != nullptr && target->type() != NodeType::kName) return false;
  const Node* around = functions_[static_cast<std::size_t>(frame_->function)]->node;
  if (target != nullptr && mentions(around, target->text("id")) > 1) return false;
  const std::vector<const Node*> generators = value->list("generators");
  if (!generators.empty() && generators[0] != nullptr) expression(generators[0]->child("iter"));
  return true;
}

// The elements that pass the tests of a comprehension, when that is known of each of them.
std::optional<std::vector<Operand>> Lowerer::taken(const std::vector<Operand>& items, const Node* node) {
  const Node* generator = node->list("generators")[0];
  const std::vector<const Node*> tests = generator->list("ifs");
  if (tests.empty()) return items;
  const Id block = frame_->current;
  const std::size_t before = frame_->blocks[static_cast<std::size_t>(block)].statements.size();
  const FlowState state = frame_->state;
  Scope* const outer = std::exchange(frame_->scope, comprehension_scope(node));
  std::vector<Operand> kept;
  bool decided = true;
  for (const Operand& item : items) {
    assign(generator->child("target"), item);
    bool passes = true;
    for (const Node* test : tests) {
      const Abstract holds = expression(test).abs;
      passes = passes && !is_false(holds);
      decided = decided && (is_true(holds) || is_false(holds));
    }
    if (passes) kept.push_back(item);
  }
  frame_->scope = outer;
  if (frame_->current != block) return std::nullopt;
  frame_->blocks[static_cast<std::size_t>(block)].statements.resize(before);
  frame_->state = state;
  return decided ? std::optional(kept) : std::nullopt;
}

// [f(x) for x in (a, b)], of a list, of a generator that something consumes at once; {x: f(x) for x in (a, b)}.
std::optional<Operand> Lowerer::unrolled(const Node* node) {
  const std::vector<const Node*> generators = node->list("generators");
  const bool dict = node->type() == NodeType::kDictComp;
  const bool list = node->type() == NodeType::kListComp || node->type() == NodeType::kGeneratorExp;
  if ((!list && !dict) || generators.size() != 1 || generators[0] == nullptr) return {};
  const std::vector<const Node*> made =
      dict ? std::vector{node->child("key"), node->child("value")} : std::vector{node->child("elt")};
  if (std::any_of(made.begin(), made.end(), is_one_thing)) return {};
  const std::vector<Operand> items = written_out(generators[0]->child("iter"), kMostInComprehension,
                                                 std::any_of(made.begin(), made.end(), puts_texts));
  if (items.empty()) return {};
  const auto kept = taken(items, node);
  if (!kept) return {};
  std::vector<Operand> parts;
  Scope* const outer = std::exchange(frame_->scope, comprehension_scope(node));
  HeapObject object;
  copies_.push_back(0);
  for (const Operand& item : *kept) {
    assign(generators[0]->child("target"), item);
    for (const Node* each : made) parts.push_back(expression(each));
    if (dict)
      object.entries.emplace_back(parts[parts.size() - 2].abs, parts.back().abs);
    else
      object.items.push_back(parts.back().abs);
    ++copies_.back();
  }
  copies_.pop_back();
  frame_->scope = outer;
  if (node->type() == NodeType::kGeneratorExp) return tuple_of(parts, node);  // nothing changes it afterwards
  // A place of its own: the list that a loop fills is never known element by element.
  const TypeKind kind = dict ? TypeKind::kDict : TypeKind::kList;
  const Abstract abs = new_heap(kind, std::move(object), generators[0], kNone).abs;
  return emit_call(dict ? "builtins.dict" : "builtins.list", parts, abs, node);
}

bool Lowerer::unrolled_loop(const Node* node) {
  const std::vector<const Node*> body = node->list("body");
  if (!node->list("orelse").empty() || std::any_of(body.begin(), body.end(), is_one_thing)) return false;
  const bool for_texts = only_puts_texts(body), for_names = std::any_of(body.begin(), body.end(), sets_by_name);
  const bool in_turn = std::any_of(body.begin(), body.end(), rotates) || takes_buffers(node);
  const std::vector<Operand> items =
      written_out(node->child("iter"), for_texts || for_names ? kMostInComprehension : kMostElements,
                  for_texts || in_turn, for_names);
  if (items.empty()) return false;
  copies_.push_back(0);
  for (const Operand& item : items) {
    assign(node->child("target"), item);
    statements(body);
    ++copies_.back();
  }
  copies_.pop_back();
  return true;
}

}  // namespace kernel_audit::analysis::python
