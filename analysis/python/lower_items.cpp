// Reading and writing elements of containers.
#include <algorithm>
#include <array>

#include "analysis/python/lowerer.h"

namespace kernel_audit::analysis::python {
namespace {

// Storage from which `value` was loaded by the last statements of the block, if it was.
Id loaded_from(const Frame& frame, Id value) {
  const std::vector<facts::Statement>& statements = frame.blocks[static_cast<std::size_t>(frame.current)].statements;
  for (std::size_t i = statements.size(), seen = 0; i-- > 0 && seen < 64; ++seen) {
    if (statements[i].result != value) continue;
    const bool whole = statements[i].kind == facts::StatementKind::kLoad && !statements[i].location.element;
    return whole ? statements[i].location.storage : kNone;
  }
  return kNone;
}

bool same_key(const Abstract& left, const Abstract& right) {
  const Atom* a = left.single();
  const Atom* b = right.single();
  return a != nullptr && b != nullptr && equal(*a, *b);
}

bool is_plain_key(const Abstract& key) {
  const Atom* atom = key.single();
  return atom != nullptr &&
         (atom->kind == AtomKind::kConstant || atom->kind == AtomKind::kText || atom->kind == AtomKind::kClass ||
          atom->kind == AtomKind::kSymbol || atom->kind == AtomKind::kFunction);
}

// A number that is not known stands as any number in what is made of it.
std::string without_digits(std::string name) {
  std::erase_if(name, [](char c) { return c >= '0' && c <= '9'; });
  return name;
}

// Of a slice of a thing of that size whose parts are known: begin, end and step as they are written.
std::optional<std::array<std::int64_t, 3>> bounds_of(const Atom& slice, std::int64_t size) {
  if (slice.type.name != "builtins.slice" || slice.items.size() != 3) return std::nullopt;
  std::array<std::int64_t, 3> bounds = {0, size, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    const Atom* part = slice.items[i].single();
    if (part == nullptr || part->kind != AtomKind::kConstant) return std::nullopt;
    if (part->constant.is_null()) continue;
    if (!part->constant.is_number_integer()) return std::nullopt;
    bounds[i] = part->constant.get<std::int64_t>();
  }
  return bounds;
}

// A part of a tuple, in its order.
Abstract part_of_tuple(const Atom& tuple, const Atom* slice) {
  const auto size = static_cast<std::int64_t>(tuple.items.size());
  const auto bounds = slice == nullptr ? std::nullopt : bounds_of(*slice, size);
  if (!bounds || (*bounds)[2] != 1) return typed(TypeKind::kTuple);
  const auto place = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size); };
  Atom part = tuple;
  const std::int64_t begin = place((*bounds)[0]), end = std::max(begin, place((*bounds)[1]));
  part.items.assign(tuple.items.begin() + begin, tuple.items.begin() + end);
  part.item_values.assign(part.items.size(), kNone);
  return make(std::move(part));
}

}  // namespace

// What a dictionary whose entries are all known holds under a key: nothing where it has none such; not to be told where
// a key may be another.
std::optional<Abstract> Lowerer::entry_of(const HeapObject& object, const Abstract& key) {
  if (!object.exact || !is_plain_key(key)) return std::nullopt;
  Abstract found;
  for (const auto& [each, value] : object.entries) {
    if (!is_plain_key(each)) return std::nullopt;
    if (same_key(each, key)) found = value;
  }
  return found;
}

// text[i], text[a:b] and text[::-1] of a text whose bytes are its characters.
Abstract Lowerer::fold_text_item(const Atom& atom, const Abstract& key) {
  Abstract any = typed(atom.type.kind == TypeKind::kBytes ? TypeKind::kBytes : TypeKind::kString);
  const Atom* at = key.single();
  if (at == nullptr || atom.partial || atom.type.kind != TypeKind::kString || !split::is_ascii(atom.text->bytes))
    return any;
  const auto size = static_cast<std::int64_t>(atom.text->bytes.size());
  const auto cut = [&](std::int64_t begin, std::int64_t end) {
    begin = std::clamp<std::int64_t>(begin < 0 ? begin + size : begin, 0, size);
    end = std::clamp<std::int64_t>(end < 0 ? end + size : end, begin, size);
    return text(atom.text->slice(static_cast<std::size_t>(begin), static_cast<std::size_t>(end)));
  };
  if (const std::optional<std::int64_t> index = index_of(key)) {
    if (*index >= size || *index < -size) return any;
    return cut(*index, *index == -1 ? size : *index + 1);
  }
  const auto bounds = bounds_of(*at, size);
  if (!bounds) return any;
  const auto [begin, end, step] = *bounds;
  if (step == 1) return cut(begin, end);
  if (step != -1 || begin != 0 || end != size) return any;
  std::string turned(atom.text->bytes.rbegin(), atom.text->bytes.rend());
  return text(split::Text::coarse(std::move(turned), atom.text->map.resolve(0, size)));
}

Operand Lowerer::get_item(const Operand& base, const Operand& key, const Node* node) {
  Abstract found;
  const split::Text* word = folded_text(key.abs);
  for (const AtomPtr& atom : base.abs.atoms) {
    switch (atom->kind) {
      case AtomKind::kTuple: {
        const std::optional<std::int64_t> index = index_of(key.abs);
        const auto size = static_cast<std::int64_t>(atom->items.size());
        if (index && *index < size && *index >= -size) {
          join_into(found, atom->items[static_cast<std::size_t>(*index < 0 ? *index + size : *index)]);
        } else {
          Abstract one;
          one.atoms.push_back(atom);
          const Atom* slice = key.abs.single();
          join_into(found, slice != nullptr && slice->type.name == "builtins.slice" ? part_of_tuple(*atom, slice)
                                                                                    : elements_of(one));
        }
        break;
      }
      case AtomKind::kHeap: {
        const HeapObject object = read_heap(atom->site);
        if (object.names != nullptr && word != nullptr) {
          if (Cell* cell = object.names->find(word->bytes)) {
            join_into(found, read_cell(*cell));
            break;
          }
        }
        if (object.kind == TypeKind::kDict) {
          bool matched = false;
          bool only_plain = is_plain_key(key.abs);
          for (const auto& [each, value] : object.entries) {
            only_plain = only_plain && is_plain_key(each);
            if (!same_key(each, key.abs)) continue;
            join_into(found, value);
            matched = true;
          }
          if (!matched || !only_plain) {
            for (const auto& [each, value] : object.entries) join_into(found, value);
            if (object.entries.empty()) join_into(found, unknown("an element of a dict whose content is not known"));
          }
        } else {
          const std::optional<std::int64_t> index = index_of(key.abs);
          const auto size = static_cast<std::int64_t>(object.items.size());
          if (object.exact && index && *index < size && *index >= -size) {
            join_into(found, object.items[static_cast<std::size_t>(*index < 0 ? *index + size : *index)]);
          } else if (key.abs.single() != nullptr && key.abs.single()->type.name == "builtins.slice") {
            Abstract one;
            one.atoms.push_back(atom);
            join_into(found, one);
          } else {
            Abstract one;
            one.atoms.push_back(atom);
            join_into(found, elements_of(one));
          }
        }
        break;
      }
      case AtomKind::kText:
        join_into(found, fold_text_item(*atom, key.abs));
        break;
      case AtomKind::kModule:  // globals()["name"]
        if (word != nullptr) return load_name(word->bytes, node, atom->scope);
        join_into(found, unknown("the name of a global variable is not known"));
        break;
      case AtomKind::kWrapped:
        if (atom->symbol == "__dict__" && word != nullptr) {  // vars(x)["name"]
          return attribute(owner_of_attributes(base, *atom, node), word->bytes, node);
        }
        join_into(found, unknown("an element of a value whose content is not known"));
        break;
      case AtomKind::kSymbol:
        if (atom->symbol == "sys.modules") {
          const Atom* own = key.abs.single();
          if (own != nullptr && own->kind == AtomKind::kSymbol && own->symbol == "__name__") {
            Atom module;
            module.kind = AtomKind::kModule;
            module.scope = units_.front()->scope;
            return make_value(make(std::move(module)), node, facts::OriginKind::kConstant);
          }
          if (word != nullptr) return make_value(symbol(canonical(word->bytes)), node, facts::OriginKind::kConstant);
          for (const AtomPtr& each : key.abs.atoms) {  // the callers of a helper name several
            Abstract one;
            one.atoms.push_back(each);
            if (const split::Text* named = folded_text(one)) join_into(found, symbol(canonical(named->bytes)));
          }
          if (!found.bottom()) break;
        }
        if (atom->symbol == "builtins" && word != nullptr)  // __builtins__ may be its dictionary
          return foreign_attribute(atom->symbol, word->bytes, node);
        if (atom->symbol.ends_with(".__dict__") && word != nullptr)  // vars(torch)["mm"]
          return foreign_attribute(atom->symbol.substr(0, atom->symbol.size() - 9), word->bytes, node);
        if (atom->symbol.ends_with(".__mro__") && index_of(key.abs) == 0) {  // the class itself comes first
          join_into(found, symbol(atom->symbol.substr(0, atom->symbol.size() - 8)));
          break;
        }
        join_into(found, unknown("an element of '" + atom->symbol + "'"));
        break;
      case AtomKind::kTyped:
        if (atom->type.name == "ctypes.CDLL" && !index_of(key.abs) && base.abs.single() != nullptr)  // library["name"]
          return get_attribute_call({{base, "", false, node}, {key, "", false, node}}, node);
        if (atom->type.kind == TypeKind::kTensor || atom->type.kind == TypeKind::kParameter) {
          join_into(found, typed(TypeKind::kTensor, "torch.Tensor"));
        } else if (atom->type.kind == TypeKind::kModule && !atom->items.empty() && index_of(key.abs) &&
                   *index_of(key.abs) >= 0 && *index_of(key.abs) < static_cast<std::int64_t>(atom->items.size())) {
          join_into(found, atom->items[static_cast<std::size_t>(*index_of(key.abs))]);
        } else {
          Abstract one;
          one.atoms.push_back(atom);
          join_into(found, elements_of(one));
        }
        break;
      case AtomKind::kFunction:  // kernel[grid]
      case AtomKind::kExtension: {
        Atom configured;
        configured.kind = AtomKind::kPartial;
        configured.symbol = "kernel[grid]";
        Abstract kernel;
        kernel.atoms.push_back(atom);
        configured.items = {kernel, key.abs};
        configured.item_values = {base.value, key.value};
        configured.self_function = frame_->function;
        join_into(found, make(std::move(configured)));
        break;
      }
      case AtomKind::kClass: {
        const Abstract member = class_attribute(atom->class_id, "__class_getitem__", false, nullptr);
        if (!member.bottom()) {
          const Operand callee =
              make_value(bound(member, base, atom->class_id, false), node, facts::OriginKind::kComputed);
          return call(callee, {{key, "", false, nullptr}}, node);
        }
        Abstract one;
        one.atoms.push_back(atom);
        join_into(found, elements_of(one));
        break;
      }
      case AtomKind::kInstance: {
        const Abstract member = class_attribute(atom->class_id, "__getitem__", false, nullptr);
        if (!member.bottom()) {
          const Operand callee =
              make_value(bound(member, base, atom->class_id, false), node, facts::OriginKind::kComputed);
          return call(callee, {{key, "", false, nullptr}}, node);
        }
        if (const auto held = entries_of_own(*atom)) {
          if (const auto entry = entry_of(*held, key.abs); entry && !entry->bottom()) {
            join_into(found, *entry);
            break;
          }
        }
        join_into(found, missing_element(*atom, base, key));
        join_into(found, unknown("an element of an object"));
        break;
      }
      default: {
        Abstract one;
        one.atoms.push_back(atom);
        join_into(found, elements_of(one));
      }
    }
  }
  if (base.abs.unknown) join_into(found, unknown("an element of an unknown value"));
  if (found.bottom()) found = unknown("an element of a value that was not seen");
  if (found.usual == nullptr) found.usual = usual_element(base.abs, key.abs);
  facts::Location location;
  location.base = base.value;
  location.element = true;
  location.key = key.value;
  location.storage = loaded_from(*frame_, base.value);
  return emit_load(location, std::move(found), node);
}

void Lowerer::set_item(const Operand& base, const Operand& key, const Operand& value, const Node* node,
                       bool augmented) {
  const split::Text* word = folded_text(key.abs);
  for (const AtomPtr& atom : base.abs.atoms) {
    if (atom->kind == AtomKind::kInstance) note_changed_elements(atom->class_id, "__setitem__");
    if (atom->kind == AtomKind::kHeap) {
      change_heap(*atom, [&](HeapObject& object) {
        if (object.kind == TypeKind::kDict) {
          if (object.exact) {
            std::erase_if(object.entries, [&](const auto& entry) { return same_key(entry.first, key.abs); });
          }
          object.entries.emplace_back(key.abs, value.abs);
          return;
        }
        const std::optional<std::int64_t> index = index_of(key.abs);
        if (object.exact && index && *index >= 0 && *index < static_cast<std::int64_t>(object.items.size())) {
          object.items[static_cast<std::size_t>(*index)] = value.abs;
        } else {
          object.exact = false;
          object.items.push_back(value.abs);
          object.items.push_back(elements_of(value.abs));
        }
      });
      escape(value.abs);
    } else if (atom->kind == AtomKind::kModule && word != nullptr) {  // globals()["name"] = value
      Cell& cell = atom->scope->cell(word->bytes);
      if (atom->scope->function != frame_->function) cell.stored_elsewhere = true;
      write_cell(cell, atom->scope, value.abs);
      facts::Location location;
      location.storage = storage_of(cell, *atom->scope, word->bytes, node);
      emit_store(location, value, node, augmented);
      return;
    } else if (atom->kind == AtomKind::kSymbol && atom->symbol.ends_with(".__dict__") &&
               !possible_names(key.abs).empty()) {  // vars(torch)["mm"] = value
      const bool only = base.abs.single() != nullptr;
      if (word != nullptr && only) {
        set_named(base, word->bytes, value, node);
        return;
      }
      const Operand package =
          only ? base : make_value(symbol(atom->symbol), node, facts::OriginKind::kConstant);  // one of several
      for (const std::string& each : possible_names(key.abs))
        perhaps(node, [&] { set_named(package, each, value, node); });
      if (only) return;
    } else if (atom->kind == AtomKind::kWrapped && atom->symbol == "__dict__" && word != nullptr) {
      set_attribute(owner_of_attributes(base, *atom, node), word->bytes, value, node, augmented);
      return;
    } else if (const auto names = possible_names(key.abs);
               atom->kind == AtomKind::kWrapped && atom->symbol == "__dict__" && !names.empty()) {
      const Operand object = owner_of_attributes(base, *atom, node);
      for (const std::string& each : names) perhaps(node, [&] { set_attribute(object, each, value, node, augmented); });
      return;
    } else if (atom->kind == AtomKind::kWrapped && atom->symbol == "__dict__") {
      problem("dynamic-call", "An attribute whose name is not known is set through a dictionary.", node);
    }
  }
  facts::Location location;
  location.base = base.value;
  location.element = true;
  location.key = key.value;
  location.storage = loaded_from(*frame_, base.value);
  emit_store(location, value, node, augmented);
}

Operand Lowerer::display(const Node* node) {
  std::vector<Operand> parts;
  std::vector<Abstract> items;
  std::vector<Id> ids;
  // From the first starred part on whose elements are not known: what stands there, and whether it is starred.
  std::vector<std::pair<Operand, bool>> added;
  bool exact = true;
  for (const Node* each : node->list("elts")) {
    if (each == nullptr) continue;
    const Operand part = expression(each);
    const auto take = [&](const Operand& item, bool starred) {
      if (added.empty() && !starred)
        parts.push_back(item);
      else
        added.emplace_back(item, starred);
      items.push_back(starred ? elements_of(item.abs) : item.abs);
      ids.push_back(starred ? kNone : item.value);
    };
    if (each->type() != NodeType::kStarred) {
      take(part, false);
    } else if (const auto more = sequence_of(part.abs)) {
      for (std::size_t i = 0; i < more->size(); ++i) {
        facts::Location location;
        location.base = part.value;
        location.element = true;
        location.key = make_value(constant(static_cast<std::int64_t>(i)), each, facts::OriginKind::kConstant).value;
        take(emit_load(location, (*more)[i], each), false);
      }
    } else {
      take(part, true);
      exact = false;
    }
  }
  const bool is_tuple = node->type() == NodeType::kTuple;
  const TypeKind kind = is_tuple                          ? TypeKind::kTuple
                        : node->type() == NodeType::kList ? TypeKind::kList
                                                          : TypeKind::kOther;
  const char* callee = is_tuple ? "builtins.tuple" : kind == TypeKind::kList ? "builtins.list" : "builtins.set";
  Abstract abs;
  if (is_tuple && exact && items.size() <= 256) {
    Atom atom;
    atom.kind = AtomKind::kTuple;
    atom.type.kind = TypeKind::kTuple;
    atom.items = std::move(items);
    atom.item_values = std::move(ids);
    atom.self_function = frame_->function;
    abs = make(std::move(atom));
  } else {
    HeapObject object;
    object.exact = exact;
    object.items = std::move(items);
    abs = new_heap(kind, std::move(object), node, kNone).abs;
  }
  const Operand result = emit_call(callee, parts, std::move(abs), node);
  for (const auto& [part, starred] : added) {
    emit_call(starred ? "builtins.list.extend" : "builtins.list.append", {part}, constant(nullptr), node);
    last_statement()->receiver = result.value;
  }
  return result;
}

Operand Lowerer::dict_display(const Node* node) {
  const std::vector<const Node*> keys = node->list("keys");
  const std::vector<const Node*> values = node->list("values");
  std::vector<Operand> parts;
  std::vector<Operand> merged;  // dictionaries whose entries are not known
  HeapObject object;
  const auto add = [&](const Operand& key, const Operand& value) {
    parts.push_back(key);
    parts.push_back(value);
    object.entries.emplace_back(key.abs, value.abs);
  };
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == nullptr) continue;
    if (i >= keys.size() || keys[i] == nullptr) {  // **other
      const Operand other = expression(values[i]);
      const Atom* only = other.abs.single();
      if (only != nullptr && only->kind == AtomKind::kHeap && read_heap(only->site).exact) {
        const HeapObject more = read_heap(only->site);
        for (const auto& [key, value] : more.entries) {
          const Operand word = make_value(key, values[i], facts::OriginKind::kConstant);
          add(word, get_item(other, word, values[i]));
        }
        continue;
      }
      merged.push_back(other);
      object.exact = false;
      for (const AtomPtr& atom : other.abs.atoms) {
        if (atom->kind != AtomKind::kHeap) {  // it may have any entry
          object.entries.emplace_back(unknown("a key of a dictionary that is not known"),
                                      unknown("an element of a dictionary that is not known"));
          continue;
        }
        const HeapObject more = read_heap(atom->site);
        object.entries.insert(object.entries.end(), more.entries.begin(), more.entries.end());
      }
      continue;
    }
    const Operand key = expression(keys[i]);
    add(key, expression(values[i]));
  }
  const Abstract abs = new_heap(TypeKind::kDict, std::move(object), node, kNone).abs;
  const Operand result = emit_call("builtins.dict", parts, abs, node);
  for (const Operand& other : merged) {
    emit_call("builtins.dict.update", {other}, constant(nullptr), node);
    last_statement()->receiver = result.value;
  }
  return result;
}

// The part of a ModuleDict, ModuleList or Sequential that stands under a name.
std::optional<Operand> Lowerer::named_part(const Atom& atom, const Operand& base, const std::string& name,
                                           const Node* node, bool for_call) {
  const bool module = atom.kind == AtomKind::kTyped && atom.type.kind == TypeKind::kModule;
  if ((atom.kind != AtomKind::kHeap && !module) || name.empty()) return std::nullopt;
  const HeapObject held = module ? HeapObject{} : read_heap(atom.site);
  if (held.kind == TypeKind::kList && !module) {
    Abstract added;  // by add_module
    for (const auto& [key, part] : held.entries) {
      const split::Text* word = folded_text(key);
      if (word == nullptr || without_digits(word->bytes) == without_digits(name)) join_into(added, part);
    }
    if (!added.bottom()) {
      facts::Location location;
      location.base = base.value;
      location.element = true;
      location.key = make_value(text(split::Text::coarse(name, span(node))), node, facts::OriginKind::kConstant).value;
      return emit_load(location, std::move(added), node);
    }
  }
  if (for_call) return std::nullopt;
  if (!module && held.kind == TypeKind::kDict) {
    const Operand word = make_value(text(split::Text::coarse(name, span(node))), node, facts::OriginKind::kConstant);
    const bool there = std::any_of(held.entries.begin(), held.entries.end(), [&](const auto& entry) {
      const split::Text* key = folded_text(entry.first);
      return key != nullptr && key->bytes == name;
    });
    return there ? std::optional(get_item(base, word, node)) : std::nullopt;
  }
  if (name.find_first_not_of("0123456789") != std::string::npos || name.size() > 6) return std::nullopt;
  return get_item(base, make_value(constant(std::stoi(name)), node, facts::OriginKind::kConstant), node);
}

// The entries of dict(other, name=value).
HeapObject Lowerer::entries_given(const std::vector<Argument>& args) {
  HeapObject object;
  for (const Argument& arg : args) {
    if (arg.star) {
      object.exact = false;
    } else if (!arg.keyword.empty()) {
      object.entries.emplace_back(text(split::Text::coarse(arg.keyword, SourceSpan{})), arg.operand.abs);
    } else if (const Atom* atom = arg.operand.abs.single(); atom != nullptr && atom->kind == AtomKind::kHeap) {
      const HeapObject other = read_heap(atom->site);
      object.exact = object.exact && other.exact && other.kind == TypeKind::kDict;
      object.entries.insert(object.entries.end(), other.entries.begin(), other.entries.end());
    } else {
      object.exact = false;
      if (arg.operand.abs.single() != nullptr && arg.operand.abs.single()->kind == AtomKind::kSymbol)  // os.environ
        object.entries.emplace_back(unknown("a key of a dictionary that is not known"),
                                    unknown("an element of a dictionary that is not known"));
    }
  }
  return object;
}

}  // namespace kernel_audit::analysis::python
