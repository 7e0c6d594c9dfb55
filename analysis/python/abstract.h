// Abstract values of the Python lowering: a value is a small set of atoms (what it may be) and, when
// something else is possible too, `unknown` with the reason. Atoms are constants, folded strings with
// provenance, canonical symbols of imported packages, own functions and classes, and light types.
// Values only grow from round to round (lower.h), so that the lowering reaches a fixpoint.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analysis/facts/facts.h"
#include "analysis/python/ast.h"
#include "analysis/split/text.h"

namespace kernel_audit::analysis::python {

using facts::Id;
using facts::kNone;
using facts::TypeKind;

struct Atom;
struct Scope;
using AtomPtr = std::shared_ptr<const Atom>;

// For the inputs that get_inputs makes: a number, or the sizes of a tensor. Null within: several, which do not agree.
using Usual = std::shared_ptr<const Json>;

struct Abstract {
  std::vector<AtomPtr> atoms;  // empty and not unknown: not computed yet (bottom)
  bool unknown = false;
  std::string reason;
  Usual usual;

  bool bottom() const { return atoms.empty() && !unknown; }
  // The only thing that the value can be, or nullptr.
  const Atom* single() const { return atoms.size() == 1 && !unknown ? atoms.front().get() : nullptr; }
};

enum class AtomKind {
  kConstant,   // number, bool, None (constant)
  kText,       // folded str (or bytes when type is kBytes)
  kTyped,      // some value of `type`; items: children of a container module, when known
  kSymbol,     // named thing of an imported package
  kFunction,   // own function, bound to `self` when that is not empty
  kClass,      // own class
  kInstance,   // instance of own class
  kMethod,     // method of a value of known or unknown type: symbol "torch.Tensor.relu", "?.relu"
  kSuper,      // super() of class_id, bound to self
  kTuple,      // items
  kHeap,       // list, dict or set made at `site`
  kPartial,    // functools.partial: items[0] is the callee, the rest are arguments
  kWrapped,    // foreign wrapper `symbol` (torch.compile, functools.lru_cache) around items[0]
  kModule,     // another Python file of the candidate
  kExtension,  // extension module, or its function when `name` is set; symbol "ext:…"
};

struct Atom {
  AtomKind kind = AtomKind::kTyped;
  facts::Type type;
  Json constant;
  std::shared_ptr<const split::Text> text;
  bool partial = false;  // kText: some pieces could not be folded and are placeholders
  std::string symbol;
  std::string name;  // kExtension: function
  Id function = kNone;
  Id class_id = kNone;
  std::vector<Abstract> self;  // 0 or 1: the bound receiver
  Id self_value = kNone;       // its value id, valid in function `self_function` of the current round only
  Id self_function = kNone;
  std::vector<Abstract> items;
  std::vector<Id> item_values;  // value ids of items, valid in `self_function` only
  std::vector<std::pair<std::string, Abstract>> keywords;
  std::vector<Id> keyword_values;
  const Node* site = nullptr;
  Scope* scope = nullptr;  // kModule
};

inline constexpr std::size_t kMaxAtoms = 8;

Abstract make(Atom atom);
Abstract unknown(std::string reason);
Abstract typed(TypeKind kind, std::string name = {});
Abstract symbol(std::string name);
Abstract constant(Json value);
Abstract text(split::Text value, bool partial = false);

bool equal(const Atom& left, const Atom& right, int depth = 0);
bool equal(const Abstract& left, const Abstract& right, int depth = 0);
// `into` joined with `from`; true when it grew.
bool join_into(Abstract& into, const Abstract& from);
Abstract joined(Abstract left, const Abstract& right);
// Constants replaced by their types: what a value that keeps changing settles on.
Abstract widened(const Abstract& value);

facts::Type type_of(const Atom& atom);
facts::Type type_of(const Abstract& value);
bool is_true(const Abstract& value);   // known to be true
bool is_false(const Abstract& value);  // known to be false
// Text of a fully folded str.
const split::Text* folded_text(const Abstract& value);
std::optional<std::int64_t> index_of(const Abstract& key);  // when it is one whole number

}  // namespace kernel_audit::analysis::python
