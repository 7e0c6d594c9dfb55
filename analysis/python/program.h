// What the lowering of one candidate's Python knows across its rounds: units, scopes, variables,
// functions and classes. A Cell is one variable or attribute; in each round everything that is stored
// into it is joined in `next`, and readers see `prev`, the result of the round before.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/python/abstract.h"

namespace kernel_audit::analysis::python {

struct Cell {
  Abstract prev;
  Abstract next;
  Id storage = kNone;
  bool stored_elsewhere = false;  // assigned in another function than its own: its value does not follow the flow
  bool captured = false;          // read by a nested function
  // Module variables whose last value is the only one that functions can see (no own code runs between
  // the stores): that value, from the round before.
  std::optional<Abstract> settled;
  std::optional<int> first_store_epoch;
  bool calls_between_stores = false;
};

enum class ScopeKind { kModule, kClass, kFunction, kComprehension };

struct PythonUnit;

struct Scope {
  ScopeKind kind = ScopeKind::kModule;
  Scope* parent = nullptr;
  PythonUnit* unit = nullptr;
  const Node* node = nullptr;
  Id function = kNone;  // in whose body its code runs
  Id class_id = kNone;
  std::map<std::string, std::unique_ptr<Cell>> cells;
  std::set<std::string> globals;
  std::set<std::string> nonlocals;
  std::vector<std::string> star_modules;  // foreign packages star-imported here

  Cell& cell(const std::string& name) {
    std::unique_ptr<Cell>& slot = cells[name];
    if (slot == nullptr) slot = std::make_unique<Cell>();
    return *slot;
  }
  Cell* find(const std::string& name) const {
    const auto found = cells.find(name);
    return found == cells.end() ? nullptr : found->second.get();
  }
};

struct PythonUnit {
  std::string name;
  std::string path;  // relative path of the file, for imports among the candidate's files
  split::Text text;
  std::unique_ptr<Ast> ast;
  Scope* scope = nullptr;  // module scope its code runs in
  Id facts_unit = kNone;
  Id parent_unit = kNone;
  Id body = kNone;         // function
  bool importing = false;  // lowered on import in the current round
};

struct FunctionInfo {
  static constexpr int kVaries = -1;
  const Node* node = nullptr;
  Scope* scope = nullptr;
  PythonUnit* unit = nullptr;
  Id class_id = kNone;
  Id enclosing = kNone;
  std::string name;
  std::string qualified_name;
  std::vector<std::string> decorators;
  bool is_static = false, is_class_method = false, is_property = false, is_kernel = false, is_generator = false;
  Id setter = kNone;                                // of a property, the function that assigning to it calls
  bool reached = false;                             // its definition was met in this round
  bool called = false;                              // a call of it was seen
  bool in_place = false;                            // some calls of it are lowered where they stand
  bool entered_prev = false, entered_next = false;  // others are not, in the round before and so far in this one
  bool escapes = false;                             // used as a value that something unknown may call
  bool handed_out = false;              // returned to callers that are known: it outlives the call that made it
  std::vector<std::string> parameters;  // names in order: positional, *args, keyword-only, **kwargs
  std::size_t positional = 0;           // how many can be given by position (without *args)
  std::string var_positional, var_keyword;
  std::map<std::string, Abstract> given_prev, given_next;  // what callers pass, by parameter
  std::vector<std::string> keywords;                       // what **keywords takes, as the first call has it
  bool keywords_vary = false;                              // other calls have others, or they are not all known
  std::optional<int> rest_prev, rest_next;                 // how many *positional takes, kVaries where calls differ
  std::map<std::string, Id> default_values;                // value ids of the defaults, this round
  Abstract returns_prev, returns_next;
  std::map<std::string, std::unique_ptr<Cell>> attributes;
  // Parameters that a call of a TileLang kernel allocates and gives back, as its compiler is told; counted from the end
  // when negative. Of a function that makes kernels they are those of what it makes.
  std::vector<std::int64_t> allocated;
  bool assume_tensors = false;  // the entry: arguments are tensors unless annotated
};

struct ClassInfo {
  const Node* node = nullptr;
  Scope* scope = nullptr;  // class attributes and methods
  PythonUnit* unit = nullptr;
  std::string name;
  std::string qualified_name;
  std::vector<std::string> base_names;
  std::vector<Id> base_ids;
  std::vector<std::string> fields;  // annotated in the body, in order: what a dataclass takes
  bool unknown_base = false;
  bool own_metaclass = false;                               // other than ABCMeta and its like
  Id metaclass = kNone;                                     // when it is a class of this candidate
  bool elements_change = false;                             // of a dictionary of its own kind, after it is made
  bool dynamic_attributes = false;                          // setattr of an unknown name, __getattr__ and its like
  std::map<std::string, std::unique_ptr<Cell>> attributes;  // of instances
  // Stores to class attributes from outside the class body, in order: the last unconditional one wins.
  std::map<std::string, std::vector<std::pair<Abstract, bool>>> overrides;
};

// A list, dict or set made at one place of the source.
struct HeapObject {
  TypeKind kind = TypeKind::kList;
  bool exact = true;  // items and entries are all there is, in order
  std::vector<Abstract> items;
  std::vector<std::pair<Abstract, Abstract>> entries;
  Scope* names = nullptr;  // a dict that served as the globals of exec()
};

struct HeapCell {
  HeapObject prev;
  HeapObject next;
  bool met = false;
  bool many = false;  // made in a loop that is not written out: one cell stands for several objects
  // Changed in a loop, or by another function than the one that makes it: in the round before, or so far in this one.
  bool shared = false;
  bool shared_now = false;
};

}  // namespace kernel_audit::analysis::python
