// Members of objects in host code, and what a list that is handed over as arguments holds, for HostNumbers.
#include <algorithm>

#include "analysis/rules/host_numbers.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Function;
using facts::Id;
using facts::kNone;
using facts::Statement;
using facts::StatementKind;
using facts::StorageKind;

namespace {

bool attribute(const facts::Storage& storage) {
  return storage.kind == StorageKind::kInstanceAttribute || storage.kind == StorageKind::kOtherAttribute;
}

}  // namespace

// f(*values): the list is all that is handed over, and has an element for each parameter.
HostNumbers::Value HostNumbers::spread(Id storage, int frame, int depth) {
  const Frame& in = frames_[static_cast<std::size_t>(frame)];
  if (in.call == nullptr || !in.call->star_args || in.call->args.size() != 1 || !in.call->keywords.empty()) return {};
  const Function& callee = model_.function(in.function);
  const Value list = of(in.call->args[0], in.around, depth + 1);
  const std::size_t first = callee.class_id != kNone && !callee.is_static_method ? 1 : 0;
  if (!list.list || callee.parameters.size() != list.items.size() + first) return {};
  for (std::size_t p = first; p < callee.parameters.size(); ++p) {
    if (callee.parameters[p].storage == storage && !callee.parameters[p].variadic) return list.items[p - first];
  }
  return {};
}

// The stores to members of that name; those of objects of other classes are among them.
std::vector<HostNumbers::Place> HostNumbers::stores_to_member(const std::string& name) const {
  std::vector<Place> found;
  for (const auto& [storage, stores] : stores_) {
    const facts::Storage& place = model_.facts().storages[static_cast<std::size_t>(storage)];
    if (attribute(place) && place.name == name) found.insert(found.end(), stores.begin(), stores.end());
  }
  return found;
}

// What a member of an object is where one statement alone makes the object and says it: as one of the values that a
// structure is made of, in its constructor, or in the only store to that object.
std::optional<HostNumbers::Held> HostNumbers::member(const Statement& load, int frame, int depth) {
  if (load.location.storage == kNone || load.location.base == kNone || load.location.element || nested_ > kMostNested)
    return std::nullopt;
  const facts::Storage& place = model_.facts().storages[static_cast<std::size_t>(load.location.storage)];
  if (!attribute(place)) return std::nullopt;
  const Nested nested(nested_);
  Made object = origin(load.location.base, frame, depth + 1);
  for (int hops = 0; hops < 4 && object.statement != nullptr && object.statement->target != kNone; ++hops) {
    const Function& callee = model_.function(object.statement->target);
    const bool makes = callee.class_id != kNone &&
                       (callee.name == "__init__" ||
                        callee.name == model_.facts().classes[static_cast<std::size_t>(callee.class_id)].name);
    if (makes) break;
    const int inside = add({object.statement->target, object.statement, nullptr, object.frame});
    object = origin(returned(object.statement->target, inside), inside, depth + 1);
  }
  if (object.statement == nullptr || object.statement->kind != StatementKind::kCall) return std::nullopt;
  const Statement& made = *object.statement;
  const std::vector<Place> stores = stores_to_member(place.name);
  const auto& classes = model_.facts().classes;
  const auto own = std::find_if(classes.begin(), classes.end(), [&](const facts::Class& each) {
    return each.qualified_name == made.callee || each.qualified_name == model_.value(made.result).type.name;
  });
  if (own == classes.end()) return std::nullopt;
  if (made.target != kNone) {
    const Function& constructor = model_.function(made.target);
    const bool inside = model_.native(made.target) && constructor.name == own->name && stores.size() == 1 &&
                        stores[0].where.function == made.target && !stores[0].statement->augmented &&
                        model_.run().flow(made.target).deciders(stores[0].where.block).empty();
    if (!inside) return std::nullopt;
    return Held{stores[0].statement->value, add({made.target, &made, nullptr, object.frame})};
  }
  std::vector<Place> to_it;
  for (const Place& store : stores) {
    const Place other = made_at(store.statement->location.base);
    const bool another = other.statement != nullptr && other.statement != &made &&
                         other.statement->kind == StatementKind::kCall && other.statement->callee == made.callee;
    if (!another) to_it.push_back(store);
  }
  if (to_it.size() == 1 && to_it[0].statement->location.base == made.result && !to_it[0].statement->augmented)
    return Held{to_it[0].statement->value, object.frame};
  if (!to_it.empty() || made.star_args || !made.keywords.empty()) return std::nullopt;
  for (std::size_t i = 0; i < own->attributes.size() && i < made.args.size(); ++i) {
    if (own->attributes[i].first == place.name) return Held{made.args[i], object.frame};
  }
  return std::nullopt;
}

}  // namespace kernel_audit::analysis::rules
