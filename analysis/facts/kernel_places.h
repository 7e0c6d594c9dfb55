// What the values of a kernel lead to: its parameters, the members of structures among them, and its own variables.
// Where an object lies is kept apart from what it holds, so that changing a copy is no store to where it came from.
// The interpreter's closure over a kernel (kernel_access.cpp) owns one and feeds it the statements.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "analysis/facts/facts.h"

namespace kernel_audit::analysis::facts {

// Parameters by position, then the object that a method is called on, then variables of the function. The name is the
// member of a structure, empty for the whole: what it leads to, or, behind kItself, where it lies itself.
using Mask = std::set<std::pair<std::size_t, std::string>>;
inline constexpr char kItself = '&';

bool merge(Mask& into, const Mask& from);
bool holds(const Mask& mask, std::size_t parameter);
Mask member(const Mask& of, const std::string& name);  // the member `name` of each
Mask outside(const Mask& mask);                        // without the variables of the function

class KernelPlaces {
 public:
  KernelPlaces(const Facts& facts, const Function& function, bool native);

  bool is_object(Id value) const;  // the object that the method is called on
  bool points(Id value) const;
  // Members are told apart of structures that are handed over whole, and of the object of a method.
  bool apart(const Mask& of) const;

  const Mask& of(Id value) { return by_value_[value]; }
  // Where the object lies that a value was read from; what the value leads to when that is not known.
  const Mask& address(Id value);
  // All that code which is handed a value gets at.
  Mask reached(Id value);
  // Of what a callee does to a parameter of its own: the places here, where it is handed that value.
  Mask through_call(const Mask& inner, std::size_t parameter, Id given);
  Mask place(const Location& at);

  // Each says whether anything was added.
  bool load(Id result, const Location& at, const Mask& from);
  bool store(const Location& at, Id value, const Mask& to);
  bool result(const Statement& statement, const Mask& made_of);

 private:
  const Storage& storage(Id id) const { return facts_.storages[static_cast<std::size_t>(id)]; }
  const Type& type(Id value) const { return facts_.values[static_cast<std::size_t>(value)].type; }
  bool is_own(Id storage_id) const;
  Mask contents(const Mask& place);

  const Facts& facts_;
  const Function& function_;
  const bool native_;
  std::map<Id, Mask> by_value_, by_storage_, by_address_;
  std::map<std::pair<std::size_t, std::string>, Mask> by_member_;  // of variables of the function
};

}  // namespace kernel_audit::analysis::facts
