#include "analysis/python/abstract.h"

#include <algorithm>

namespace kernel_audit::analysis::python {
namespace {

constexpr int kMaxDepth = 6;

bool equal_lists(const std::vector<Abstract>& left, const std::vector<Abstract>& right, int depth) {
  return left.size() == right.size() &&
         std::equal(left.begin(), left.end(), right.begin(),
                    [&](const Abstract& a, const Abstract& b) { return equal(a, b, depth); });
}

TypeKind constant_type(const Json& value) {
  if (value.is_boolean()) return TypeKind::kBool;
  if (value.is_number_integer()) return TypeKind::kInt;
  if (value.is_number_float()) return TypeKind::kFloat;
  return value.is_null() ? TypeKind::kNoneValue : TypeKind::kOther;
}

int depth_of(const Atom& atom) {
  int deepest = 0;
  for (const Abstract& item : atom.items) {
    for (const AtomPtr& each : item.atoms) deepest = std::max(deepest, 1 + depth_of(*each));
  }
  for (const Abstract& item : atom.self) {
    for (const AtomPtr& each : item.atoms) deepest = std::max(deepest, 1 + depth_of(*each));
  }
  return deepest;
}

}  // namespace

Abstract make(Atom atom) {
  if (depth_of(atom) > kMaxDepth) return unknown("the value nests too deeply");
  Abstract value;
  value.atoms.push_back(std::make_shared<const Atom>(std::move(atom)));
  return value;
}

Abstract unknown(std::string reason) {
  Abstract value;
  value.unknown = true;
  value.reason = std::move(reason);
  return value;
}

Abstract typed(TypeKind kind, std::string name) {
  Atom atom;
  atom.type = facts::Type{kind, std::move(name)};
  return make(std::move(atom));
}

Abstract symbol(std::string name) {
  Atom atom;
  atom.kind = AtomKind::kSymbol;
  atom.symbol = std::move(name);
  return make(std::move(atom));
}

Abstract constant(Json value) {
  Atom atom;
  atom.kind = AtomKind::kConstant;
  atom.type.kind = constant_type(value);
  atom.constant = std::move(value);
  return make(std::move(atom));
}

Abstract text(split::Text value, bool partial) {
  Atom atom;
  atom.kind = AtomKind::kText;
  atom.type.kind = TypeKind::kString;
  atom.text = std::make_shared<const split::Text>(std::move(value));
  atom.partial = partial;
  return make(std::move(atom));
}

bool equal(const Atom& left, const Atom& right, int depth) {
  if (&left == &right) return true;
  if (depth > kMaxDepth) return false;
  if (left.kind != right.kind || left.type.kind != right.type.kind || left.type.name != right.type.name ||
      left.symbol != right.symbol || left.name != right.name || left.function != right.function ||
      left.class_id != right.class_id || left.site != right.site || left.scope != right.scope ||
      left.partial != right.partial || left.constant != right.constant) {
    return false;
  }
  if ((left.text == nullptr) != (right.text == nullptr)) return false;
  if (left.text != nullptr && left.text != right.text && left.text->bytes != right.text->bytes) return false;
  if (left.keywords.size() != right.keywords.size()) return false;
  for (std::size_t i = 0; i < left.keywords.size(); ++i) {
    if (left.keywords[i].first != right.keywords[i].first ||
        !equal(left.keywords[i].second, right.keywords[i].second, depth + 1)) {
      return false;
    }
  }
  return equal_lists(left.items, right.items, depth + 1) && equal_lists(left.self, right.self, depth + 1);
}

bool equal(const Abstract& left, const Abstract& right, int depth) {
  const bool both = left.usual != nullptr && right.usual != nullptr;
  if (left.usual != right.usual && (!both || *left.usual != *right.usual)) return false;
  if (left.unknown != right.unknown || left.atoms.size() != right.atoms.size()) return false;
  return std::all_of(left.atoms.begin(), left.atoms.end(), [&](const AtomPtr& a) {
    return std::any_of(right.atoms.begin(), right.atoms.end(), [&](const AtomPtr& b) { return equal(*a, *b, depth); });
  });
}

bool join_into(Abstract& into, const Abstract& from) {
  bool grew = false;
  if (into.usual == nullptr) {
    into.usual = from.usual;
  } else if (from.usual != nullptr && *from.usual != *into.usual) {
    into.usual = std::make_shared<const Json>();
  }
  if (from.unknown && !into.unknown) {
    into.unknown = true;
    into.reason = from.reason;
    grew = true;
  }
  for (const AtomPtr& atom : from.atoms) {
    const bool known =
        std::any_of(into.atoms.begin(), into.atoms.end(), [&](const AtomPtr& each) { return equal(*each, *atom); });
    if (known) continue;
    if (into.atoms.size() >= kMaxAtoms) {
      const facts::Type type = type_of(into);
      const facts::Type other = type_of(*atom);
      if (type.kind != TypeKind::kUnknown && type.kind == other.kind &&
          into.atoms.front()->class_id == atom->class_id) {
        const bool same_name = type.name == other.name;
        const bool was_unknown = into.unknown;
        const std::string reason = into.reason;
        Abstract wide = typed(type.kind, same_name ? type.name : std::string());
        wide.unknown = was_unknown;
        wide.reason = reason;
        if (equal(wide, into)) continue;
        into = std::move(wide);
      } else {
        if (into.unknown && into.atoms.empty()) continue;
        into = unknown("too many different values are possible");
      }
      grew = true;
      continue;
    }
    into.atoms.push_back(atom);
    grew = true;
  }
  return grew;
}

Abstract joined(Abstract left, const Abstract& right) {
  join_into(left, right);
  return left;
}

Abstract widened(const Abstract& value) {
  Abstract wide;
  wide.unknown = value.unknown;
  wide.reason = value.reason;
  for (const AtomPtr& atom : value.atoms) {
    switch (atom->kind) {
      case AtomKind::kConstant:
      case AtomKind::kText:
        join_into(wide, typed(atom->type.kind, atom->type.name));
        break;
      case AtomKind::kTuple:
        join_into(wide, typed(TypeKind::kTuple));
        break;
      case AtomKind::kPartial:
      case AtomKind::kWrapped:
        join_into(wide, unknown("the value keeps changing"));
        break;
      default: {
        Abstract one;
        one.atoms.push_back(atom);
        join_into(wide, one);
      }
    }
  }
  return wide;
}

facts::Type type_of(const Atom& atom) {
  switch (atom.kind) {
    case AtomKind::kSymbol: {
      const std::size_t dot = atom.symbol.rfind('.');
      if (dot == std::string::npos) {
        return {TypeKind::kPackage, atom.symbol};
      }
      if (atom.type.kind != TypeKind::kUnknown) return atom.type;
      const char first = atom.symbol[dot + 1];
      return {first >= 'A' && first <= 'Z' ? TypeKind::kClass : TypeKind::kFunction, atom.symbol};
    }
    case AtomKind::kFunction:
    case AtomKind::kMethod:
    case AtomKind::kPartial:
      return {TypeKind::kFunction, ""};
    case AtomKind::kWrapped:
      return atom.items.empty() ? facts::Type{} : type_of(atom.items.front());
    case AtomKind::kClass:
      return {TypeKind::kClass, atom.type.name};
    case AtomKind::kTuple:
      return {TypeKind::kTuple, ""};
    case AtomKind::kModule:
      return {TypeKind::kPackage, atom.symbol};
    case AtomKind::kExtension:
      return {atom.name.empty() ? TypeKind::kExtension : TypeKind::kFunction, ""};
    default:
      return atom.type;
  }
}

facts::Type type_of(const Abstract& value) {
  if (value.unknown || value.atoms.empty()) return {};
  facts::Type type = type_of(*value.atoms.front());
  for (const AtomPtr& atom : value.atoms) {
    const facts::Type other = type_of(*atom);
    if (other.kind != type.kind) return {};
    if (other.name != type.name) type.name.clear();
  }
  return type;
}

namespace {

// 1 true, 0 false, -1 not known
int truth(const Abstract& value) {
  const Atom* atom = value.single();
  if (atom == nullptr) return -1;
  switch (atom->kind) {
    case AtomKind::kConstant:
      if (atom->constant.is_null()) return 0;
      if (atom->constant.is_boolean()) return atom->constant.get<bool>() ? 1 : 0;
      if (atom->constant.is_number()) return atom->constant.get<double>() != 0 ? 1 : 0;
      return -1;
    case AtomKind::kText:
      return atom->partial ? -1 : (atom->text->bytes.empty() ? 0 : 1);
    case AtomKind::kTuple:
      return atom->items.empty() ? 0 : 1;
    case AtomKind::kFunction:
    case AtomKind::kClass:
      return 1;
    default:
      return -1;
  }
}

}  // namespace

bool is_true(const Abstract& value) { return truth(value) == 1; }
bool is_false(const Abstract& value) { return truth(value) == 0; }

std::optional<std::int64_t> index_of(const Abstract& key) {
  const Atom* atom = key.single();
  if (atom == nullptr || atom->kind != AtomKind::kConstant || !atom->constant.is_number_integer()) return std::nullopt;
  return atom->constant.get<std::int64_t>();
}

const split::Text* folded_text(const Abstract& value) {
  const Atom* atom = value.single();
  if (atom == nullptr || atom->kind != AtomKind::kText || atom->partial || atom->type.kind != TypeKind::kString)
    return nullptr;
  return atom->text.get();
}

}  // namespace kernel_audit::analysis::python
