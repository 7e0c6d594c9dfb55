#include "analysis/facts/kernel_places.h"

#include <algorithm>

namespace kernel_audit::analysis::facts {
namespace {

constexpr std::size_t kFirstVariable = std::size_t{1} << 32U;

bool is_variable(const Mask::value_type& place) { return place.first >= kFirstVariable; }

bool is_attribute(StorageKind kind) {
  return kind == StorageKind::kInstanceAttribute || kind == StorageKind::kOtherAttribute;
}

// What has no room for an address.
bool is_number(const Type& type) {
  return type.numbers || type.kind == TypeKind::kFloat || type.kind == TypeKind::kBool;
}

bool lies_there(const std::string& name) { return name.starts_with(kItself); }

// Of references to structures: where those lie.
Mask lying(const Mask& denoted) {
  Mask places;
  for (const auto& [place, name] : denoted) places.emplace(place, name.empty() ? std::string(1, kItself) : name);
  return places;
}

bool is_array(const Type& type) { return type.kind == TypeKind::kPointer && type.name.ends_with(']'); }

}  // namespace

bool merge(Mask& into, const Mask& from) {
  const std::size_t before = into.size();
  into.insert(from.begin(), from.end());
  return into.size() != before;
}

bool holds(const Mask& mask, std::size_t parameter) {
  const auto first = mask.lower_bound({parameter, ""});
  return first != mask.end() && first->first == parameter;
}

Mask member(const Mask& of, const std::string& name) {
  Mask taken;
  for (const auto& [parameter, inner] : of) {
    const bool whole = inner.empty() || (inner.size() == 1 && lies_there(inner));
    taken.emplace(parameter, whole ? inner + name : inner);
  }
  return taken;
}

Mask outside(const Mask& mask) {
  Mask left;
  for (const auto& place : mask) {
    if (!is_variable(place)) left.insert(place);
  }
  return left;
}

KernelPlaces::KernelPlaces(const Facts& facts, const Function& function, bool native)
    : facts_(facts), function_(function), native_(native) {
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const Parameter& parameter = function.parameters[i];
    if (parameter.value != kNone) by_value_[parameter.value].emplace(i, "");
    if (parameter.storage == kNone) continue;
    const bool copied_number = is_own(parameter.storage) && is_number(parameter.type);
    if (!copied_number) by_storage_[parameter.storage].emplace(i, "");
  }
}

bool KernelPlaces::is_object(Id value) const {
  const Value& self = facts_.values[static_cast<std::size_t>(value)];
  return native_ && function_.class_id != kNone && self.origin == OriginKind::kArgument && self.class_id != kNone;
}

bool KernelPlaces::points(Id value) const { return value != kNone && type(value).kind == TypeKind::kPointer; }

bool KernelPlaces::apart(const Mask& of) const {
  return native_ && std::all_of(of.begin(), of.end(), [&](const auto& place) {
           if (place.first >= function_.parameters.size()) return true;
           const TypeKind kind = function_.parameters[place.first].type.kind;
           return kind != TypeKind::kPointer && kind != TypeKind::kTensor && kind != TypeKind::kUnknown;
         });
}

// References denote what lies elsewhere: they are no objects of the function's own.
bool KernelPlaces::is_own(Id storage_id) const {
  const Storage& variable = storage(storage_id);
  return native_ &&
         (variable.kind == StorageKind::kBlockShared || (variable.kind == StorageKind::kLocal && variable.bytes > 0));
}

const Mask& KernelPlaces::address(Id value) {
  const auto known = by_address_.find(value);
  return known != by_address_.end() ? known->second : by_value_[value];
}

Mask KernelPlaces::contents(const Mask& place) {
  Mask held;
  for (const auto& each : place) {
    if (!is_variable(each)) {
      held.emplace(each.first, lies_there(each.second) ? each.second.substr(1) : each.second);
      continue;
    }
    const Mask& whole = by_storage_[static_cast<Id>(each.first - kFirstVariable)];
    merge(held, !each.second.empty() && apart(whole) ? member(whole, each.second) : whole);
    for (auto at = by_member_.lower_bound({each.first, ""}); at != by_member_.end() && at->first.first == each.first;
         ++at) {
      if (each.second.empty() || at->first.second == each.second) merge(held, at->second);
    }
  }
  return held;
}

Mask KernelPlaces::reached(Id value) {
  if (value == kNone) return {};
  Mask all = by_value_[value];
  if (!native_) return all;
  merge(all, contents(all));
  merge(all, address(value));
  return all;
}

Mask KernelPlaces::through_call(const Mask& inner, std::size_t parameter, Id given) {
  Mask taken;
  if (given == kNone) return taken;
  const bool object = is_object(given);
  const std::size_t self = function_.parameters.size();
  const Mask led_to = object ? Mask{{self, ""}} : reached(given);
  const Mask lies = object ? Mask{{self, std::string(1, kItself)}} : points(given) ? by_value_[given] : address(given);
  for (auto at = inner.lower_bound({parameter, ""}); at != inner.end() && at->first == parameter; ++at)
    merge(taken, lies_there(at->second) ? member(lies, at->second.substr(1)) : member(led_to, at->second));
  return taken;
}

// The memory that a statement reads or writes.
Mask KernelPlaces::place(const Location& at) {
  if (at.storage == kNone) return at.base == kNone ? Mask{} : by_value_[at.base];
  const StorageKind kind = storage(at.storage).kind;
  if (at.base == kNone) {
    if (is_own(at.storage)) return {{kFirstVariable + static_cast<std::size_t>(at.storage), ""}};
    const Mask& denoted = by_storage_[at.storage];
    const bool structure = kind == StorageKind::kLocal && storage(at.storage).type.kind == TypeKind::kOther;
    return structure && apart(denoted) ? lying(denoted) : denoted;
  }
  if (!native_) {
    Mask place = by_value_[at.base];
    if (kind != StorageKind::kDeref) merge(place, by_storage_[at.storage]);
    return place;
  }
  const std::string& name = storage(at.storage).name;
  if (is_object(at.base)) {
    by_value_[at.base].emplace(function_.parameters.size(), "");
    return {{function_.parameters.size(), kItself + (is_attribute(kind) ? name : "")}};
  }
  Mask place = points(at.base) ? by_value_[at.base] : address(at.base);
  if (is_attribute(kind)) return apart(place) ? member(place, name) : place;
  if (kind == StorageKind::kDeref) {
    // An accessor, subscripted itself, leads to what it was made of.
    const Type& accessor = type(at.base);
    if (accessor.kind == TypeKind::kOther && !accessor.numbers) merge(place, contents(place));
    return place;
  }
  // What is subscripted like a container may lead elsewhere.
  const Type& whole = storage(at.storage).type;
  if (!is_own(at.storage)) merge(place, by_storage_[at.storage]);
  if (whole.kind == TypeKind::kOther && !whole.numbers) merge(place, contents(place));
  return place;
}

bool KernelPlaces::load(Id result, const Location& at, const Mask& from) {
  if (result == kNone) return false;
  if (!native_) return merge(by_value_[result], from);
  bool added = merge(by_address_[result], from);
  if (is_array(type(result))) return merge(by_value_[result], from) || added;
  if (at.base != kNone && is_number(type(result))) return added;
  Mask held = contents(from);
  if (at.storage != kNone && is_attribute(storage(at.storage).kind)) merge(held, by_storage_[at.storage]);
  return merge(by_value_[result], held) || added;
}

bool KernelPlaces::store(const Location& at, Id value, const Mask& to) {
  if (value == kNone) return false;
  bool added = false;
  for (const auto& each : to) {
    if (!is_variable(each) || is_number(type(value))) continue;
    Mask& held = each.second.empty() ? by_storage_[static_cast<Id>(each.first - kFirstVariable)] : by_member_[each];
    added = merge(held, by_value_[value]) || added;
  }
  if (at.storage == kNone || at.element || storage(at.storage).kind == StorageKind::kDeref) return added;
  if (at.base == kNone && is_own(at.storage)) return added;
  const bool reference = native_ && at.base == kNone && storage(at.storage).kind == StorageKind::kLocal;
  return merge(by_storage_[at.storage], reference && !points(value) ? address(value) : by_value_[value]) || added;
}

bool KernelPlaces::result(const Statement& statement, const Mask& made_of) {
  if (statement.result == kNone) return false;
  if (!native_) return merge(by_value_[statement.result], made_of);
  if (statement.callee == "operator.addressof" && !statement.args.empty() && statement.args[0] != kNone)
    return merge(by_value_[statement.result], address(statement.args[0]));
  const bool number = is_number(type(statement.result));
  return merge((number ? by_address_ : by_value_)[statement.result], made_of);
}

}  // namespace kernel_audit::analysis::facts
