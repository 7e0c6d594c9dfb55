// Attributes and names that are set through dictionaries, and what makes a class other than its body says.
#include "analysis/python/lowerer.h"

namespace kernel_audit::analysis::python {

facts::Statement* Lowerer::last_statement() {
  std::vector<facts::Statement>& statements = frame_->blocks[static_cast<std::size_t>(frame_->current)].statements;
  return statements.empty() ? nullptr : &statements.back();
}

// `holder` is a module's dictionary, or the `__dict__` of an object.
void Lowerer::set_named(const Operand& holder, const std::string& name, const Operand& value, const Node* node) {
  const Atom* atom = holder.abs.single();
  if (atom != nullptr && atom->kind == AtomKind::kWrapped) {
    set_attribute(make_value(atom->items.front(), node, facts::OriginKind::kComputed), name, value, node, false);
  } else {
    set_attribute(holder, name, value, node, false);
  }
}

// globals().update(f=g), vars(self).update({"forward": g}): stores by another name.
bool Lowerer::update_attributes(const Operand& receiver, const std::string& method, const std::vector<Argument>& args,
                                const Node* node, Operand& result) {
  const Atom* atom = receiver.abs.single();
  const bool of_object = atom != nullptr && atom->kind == AtomKind::kWrapped && atom->symbol == "__dict__";
  if (!of_object && (atom == nullptr || atom->kind != AtomKind::kModule)) return false;
  if (method == "setdefault" && !of_object && args.size() == 2) {
    if (const split::Text* word = folded_text(args[0].operand.abs)) {
      const std::string name = word->bytes;
      Cell& cell = atom->scope->cell(name);
      const bool there = !cell.prev.bottom();
      const Operand held = there ? load_name(name, node, atom->scope) : args[1].operand;
      set_named(receiver, name, there ? emit_phi({held, args[1].operand}, node) : held, node);
      result = load_name(name, node, atom->scope);
      return true;
    }
  }
  if (method != "update") return false;
  for (const Argument& arg : args) {
    if (!arg.star && !arg.keyword.empty()) {
      set_named(receiver, arg.keyword, arg.operand, node);
      continue;
    }
    const Atom* given = arg.operand.abs.single();
    bool known = given != nullptr && given->kind == AtomKind::kHeap && read_heap(given->site).exact;
    if (known) {
      for (const auto& [key, item] : read_heap(given->site).entries) {
        const split::Text* word = folded_text(key);
        known = known && word != nullptr;
        if (word == nullptr) continue;
        const Operand name = make_value(key, node, facts::OriginKind::kConstant);
        set_named(receiver, word->bytes, get_item(arg.operand, name, node), node);
      }
    }
    if (!known) problem("dynamic-call", "Names that are not known are set through a dictionary.", node);
  }
  return true;
}

// Attributes that replace what a function, an instance or a class is.
void Lowerer::note_replaced_part(const Atom& atom, const std::string& name, const Node* node) {
  if (atom.kind == AtomKind::kFunction && (name == "__code__" || name == "__globals__" || name == "__closure__")) {
    problem("dynamic-call",
            "The code of '" + functions_[static_cast<std::size_t>(atom.function)]->qualified_name + "' is replaced.",
            node);
  }
  if ((atom.kind == AtomKind::kInstance && name == "__class__") ||
      (atom.kind == AtomKind::kClass && (name == "__bases__" || name == "__class__"))) {
    problem("dynamic-call",
            "The class of '" + classes_[static_cast<std::size_t>(atom.class_id)]->qualified_name + "' is replaced.",
            node);
  }
}

// What can make the entry class other than its body says.
void Lowerer::note_dynamic_class(Id class_id) {
  const auto note = [&](const ClassInfo& info, const std::string& what) {
    problem("dynamic-call", "The class '" + info.qualified_name + "' " + what, nullptr);
    if (final_round_)
      facts_.problems.back().span = locator_.locate(info.unit->text.map.resolve(info.node->begin, info.node->end));
  };
  for (const Id each : mro(class_id)) {
    const ClassInfo& info = *classes_[static_cast<std::size_t>(each)];
    if (info.own_metaclass) note(info, "is made by a metaclass, which may replace any part of it.");
    if (info.scope == nullptr) continue;
    if (info.scope->find("__getattribute__") != nullptr)
      note(info, "looks its attributes up by its own __getattribute__.");
    if (each != class_id && info.scope->find("__init_subclass__") != nullptr)
      note(info, "changes its subclasses in __init_subclass__.");
  }
}

}  // namespace kernel_audit::analysis::python
