// Abstract memory: objects, contents, fields, constants.
#include <algorithm>
#include <functional>

#include "analysis/facts/interpreter.h"
#include "analysis/facts/surroundings.h"

namespace kernel_audit::analysis::facts {
namespace {

// Begins the name of a key of which not all is known: of a tuple, whose unknown elements stand as {}, or of a text.
const std::string kPartlyKnown = "#?", kTupleInPart = "#?[", kTextInPart = "#?{";

bool names_tuple(const std::string& name) { return name.starts_with("#[") || name.starts_with(kTupleInPart); }
bool names_text(const std::string& name) { return !name.starts_with('#') || name.starts_with(kTextInPart); }

bool includes(const NodeSet& all, const NodeSet& some) {
  if (some.size() == 1) return std::binary_search(all.begin(), all.end(), some.front());
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

// Whether both may be one tuple, element for element.
bool may_be_same(const Json& one, const Json& other) {
  if (one.is_object() || other.is_object()) return true;
  if (one.is_array() && other.is_array())
    return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                      [](const Json& a, const Json& b) { return may_be_same(a, b); });
  const auto number = [](const Json& each) { return each.is_number() || each.is_boolean(); };
  return one == other || (number(one) && number(other) && (one.is_boolean() || other.is_boolean()));
}

// Whether two texts may be one. Of those that one place puts together, what they begin and end with tells them apart.
bool may_be_same_text(const std::string& one, const std::string& other) {
  if (!one.starts_with(kTextInPart) || !other.starts_with(kTextInPart)) return true;
  const Json a = Json::parse(one.begin() + 2, one.end()), b = Json::parse(other.begin() + 2, other.end());
  if (a.at("at") != b.at("at")) return true;
  const auto part = [](const Json& text, bool last) {
    const Json& each = last ? text.at("text").back() : text.at("text").front();
    return each.is_string() ? each.get<std::string>() : std::string();
  };
  const std::string first = part(a, false), other_first = part(b, false);
  const std::string last = part(a, true), other_last = part(b, true);
  return (first.starts_with(other_first) || other_first.starts_with(first)) &&
         (last.ends_with(other_last) || other_last.ends_with(last));
}

bool may_be_same(const std::string& one, const std::string& other) {
  if (one == other) return true;
  if (!one.starts_with(kPartlyKnown) && !other.starts_with(kPartlyKnown)) return false;
  if (names_text(one) && names_text(other)) return may_be_same_text(one, other);
  if (!names_tuple(one) || !names_tuple(other)) return false;
  const auto shape = [](const std::string& name) { return Json::parse(name.begin() + name.find('['), name.end()); };
  return may_be_same(shape(one), shape(other));
}

}  // namespace

bool join(Abstract& into, const Abstract& from) {
  const int shape = into.objects.empty()                               ? from.shape
                    : from.objects.empty() || into.shape == from.shape ? into.shape
                                                                       : -1;
  bool grew = std::exchange(into.shape, shape) != shape;
  grew = merge_into(into.objects, from.objects) || grew;
  grew = merge_into(into.nodes, from.nodes) || grew;
  const bool was_open = into.open, was_partial = into.partial;
  into.open = into.open || from.open;
  into.partial = into.partial || from.partial;
  for (const int constant : from.constants) {
    if (std::find(into.constants.begin(), into.constants.end(), constant) == into.constants.end()) {
      into.constants.push_back(constant);
      std::sort(into.constants.begin(), into.constants.end());
      grew = true;
    }
  }
  return grew || into.open != was_open || into.partial != was_partial;
}

ObjectId Interpreter::make_object(ObjectKind kind, const StatementRef& where, ContextId context,
                                  std::int64_t discriminator) {
  const auto [it, fresh] = object_index_.try_emplace({static_cast<int>(kind), where, context, discriminator},
                                                     static_cast<ObjectId>(objects_.size()));
  if (fresh) {
    Object made;
    made.kind = kind;
    made.made = where;
    made.context = context;
    made.phase = phase_;
    objects_.push_back(std::move(made));
  }
  return it->second;
}

Abstract Interpreter::of_object(ObjectId id) const {
  Abstract value;
  value.objects = {id};
  return value;
}

Abstract Interpreter::fresh_tensor(const CallSite& site, const NodeSet& contents, std::int64_t discriminator) {
  const ObjectId id = make_object(ObjectKind::kTensor, site.where, site.context, discriminator);
  write_contents({id}, contents);
  return of_object(id);
}

Abstract Interpreter::symbol(const std::string& name) {
  const auto [it, fresh] = symbols_.try_emplace(name, static_cast<ObjectId>(objects_.size()));
  if (fresh) {
    Object made;
    made.kind = ObjectKind::kSymbol;
    made.symbol = name;
    objects_.push_back(std::move(made));
  }
  return of_object(it->second);
}

Abstract Interpreter::function_value(Id function, std::vector<Abstract> bound, const CallSite& site) {
  // Bound arguments are part of the identity: one bound method per receiver.
  std::int64_t discriminator = function;
  if (!bound.empty()) {
    discriminator = discriminator * 4099 + 1 + (bound[0].objects.empty() ? 0 : bound[0].objects[0]);
  }
  const bool plain = bound.empty();
  const ObjectId id =
      make_object(ObjectKind::kFunction, plain ? StatementRef{} : site.where, plain ? 0 : site.context, discriminator);
  Object& made = objects_[static_cast<std::size_t>(id)];
  made.function = function;
  if (made.bound.size() < bound.size()) made.bound.resize(bound.size());
  for (std::size_t i = 0; i < bound.size(); ++i) join(made.bound[i], bound[i]);
  return of_object(id);
}

SetId Interpreter::set_id(const ObjectSet& objects) {
  const auto [it, fresh] = set_index_.try_emplace(objects, static_cast<SetId>(sets_.size()));
  if (fresh) {
    for (const ObjectId id : objects) sets_with_[id].push_back(it->second);
    sets_.push_back(objects);
  }
  return it->second;
}

// What is known of a set and what is known of its objects one by one both hold.
NodeSet Interpreter::read_contents(const State& state, const ObjectSet& objects) const {
  const auto held = [&](ObjectId id) -> const NodeSet& {
    const NodeSet* single = state.single.find(map_key(id));
    return single != nullptr ? *single : object(id).initial;
  };
  const auto known = objects.size() > 1 ? set_index_.find(objects) : set_index_.end();
  const NodeSet* together = known == set_index_.end() ? nullptr : state.several.find(map_key(known->second));
  NodeSet nodes;
  if (together == nullptr) {
    for (const ObjectId id : objects) merge_into(nodes, held(id));
    return nodes;
  }
  for (const NodeId node : *together) {
    const bool in_one = std::any_of(objects.begin(), objects.end(), [&](ObjectId id) {
      const NodeSet& of = held(id);
      return std::binary_search(of.begin(), of.end(), node);
    });
    if (in_one) nodes.push_back(node);
  }
  return nodes.empty() ? *together : nodes;
}

void Interpreter::write_contents(const ObjectSet& objects, const NodeSet& nodes) {
  if (objects.empty()) return;
  for (const ObjectId id : objects) {
    if (phase_ == Phase::kForward && object(id).from_earlier_call) rewritten.insert(id);
  }
  if (objects.size() > 1) {
    for (const ObjectId id : objects) {
      const NodeSet* known = state_.single.find(map_key(id));
      if (known != nullptr && includes(*known, nodes)) continue;
      NodeSet merged = known != nullptr ? *known : object(id).initial;
      merge_into(merged, nodes);
      state_.single.set(map_key(id), std::move(merged));
    }
  } else {
    state_.single.set(map_key(objects.front()), nodes);
  }
  // Other sets that hold one of them may now hold this too.
  for (const ObjectId id : objects) {
    const auto holding = sets_with_.find(id);
    if (holding == sets_with_.end()) continue;
    for (const SetId other : holding->second) {
      const NodeSet* contents = state_.several.find(map_key(other));
      if (contents == nullptr || includes(*contents, nodes)) continue;
      NodeSet merged = *contents;
      merge_into(merged, nodes);
      state_.several.edit(map_key(other)) = std::move(merged);
    }
  }
  if (objects.size() > 1) state_.several.set(map_key(set_id(objects)), nodes);
}

void Interpreter::write_tensor(const Abstract& target, const NodeSet& nodes, const CallSite& site,
                               std::int64_t discriminator) {
  const ObjectSet objects = objects_of_kind(target, ObjectKind::kTensor);
  if (objects.empty()) return;
  note_write(objects);
  note_argument_write(objects, site.where);
  const NodeSet before = read_contents(state_, objects);
  if (phase_ != Phase::kForward && before.size() == 1 && graph_.at(before.front()).kind == NodeKind::kWeights) {
    graph_.add_slot(before.front(), 0, nodes);  // what a weight starts with
    return;
  }
  if (!target.partial) {
    write_contents(objects, nodes);
    return;
  }
  const NodeId node = graph_.node(NodeKind::kPartial, site.where, site.context, discriminator);
  graph_.at(node).phase = phase_;
  graph_.add_operands(node, 0, before);
  graph_.add_slot(node, 1, nodes);
  write_contents(objects, {node});
}

NodeSet Interpreter::nodes_of(const Abstract& value) const {
  NodeSet nodes = value.nodes;
  const ObjectSet tensors = objects_of_kind(value, ObjectKind::kTensor);
  if (!tensors.empty()) merge_into(nodes, read_contents(state_, tensors));
  for (const ObjectId id : value.objects) {
    if (object(id).kind == ObjectKind::kSymbol && object(id).symbol.compare(0, 13, "torch.Tensor.") == 0) {
      // An attribute of a tensor that was not tied to its tensor, used as data.
      const NodeId node = graph_.node(NodeKind::kUnknown, StatementRef{}, 0, id);
      graph_.at(node).name = "which tensor the attribute " + object(id).symbol.substr(13) + " belongs to is not known";
      insert_into(nodes, node);
    }
    if (object(id).kind == ObjectKind::kSymbol && surroundings_of(object(id).symbol) != Surroundings::kNothing) {
      const NodeId node = graph_.node(NodeKind::kSurroundings, StatementRef{}, 0, id);
      graph_.at(node).name = object(id).symbol;
      insert_into(nodes, node);
    }
    if (object(id).kind != ObjectKind::kContainer) continue;
    const Abstract inner = all_fields(id);
    merge_into(nodes, inner.nodes);
    const ObjectSet inner_tensors = objects_of_kind(inner, ObjectKind::kTensor);
    if (!inner_tensors.empty()) merge_into(nodes, read_contents(state_, inner_tensors));
  }
  return nodes;
}

// What an operand is made of: one set of alternatives, or for a list as many as it has elements, all of which are used.
// An element whose place is not known may be any number of elements.
std::vector<NodeSet> Interpreter::taken_together(const Abstract& operand, int depth) const {
  const ObjectSet lists = objects_of_kind(operand, ObjectKind::kContainer);
  Abstract rest = operand;
  std::erase_if(rest.objects, [&](ObjectId id) { return object(id).kind == ObjectKind::kContainer; });
  std::vector<NodeSet> parts{nodes_of(rest)};
  std::map<KeyId, std::size_t> part_of;
  for (const ObjectId id : lists) {
    for_each_field(id, [&](KeyId key, const Abstract& field) {
      if (depth < 3 && has_kind(field, ObjectKind::kContainer)) {
        for (NodeSet& part : taken_together(field, depth + 1)) parts.push_back(std::move(part));
        return;
      }
      const NodeSet nodes = nodes_of(field);
      const bool any = key == kAnyKey || key_names_[static_cast<std::size_t>(key)].starts_with(kPartlyKnown);
      if (any && nodes.size() > 1) {
        parts.push_back(nodes);  // one of them, or all: which it is cannot be told
        for (const NodeId each : nodes) parts.push_back({each});
        return;
      }
      const auto [known, fresh] = part_of.try_emplace(key, parts.size());
      if (fresh) parts.emplace_back();
      merge_into(parts[known->second], nodes);
    });
  }
  if (parts.size() > 1 && parts[0].empty()) parts.erase(parts.begin());
  return parts;
}

ObjectSet Interpreter::objects_of_kind(const Abstract& value, ObjectKind kind) const {
  ObjectSet found;
  for (const ObjectId id : value.objects) {
    if (object(id).kind == kind) found.push_back(id);
  }
  return found;
}

bool Interpreter::has_kind(const Abstract& value, ObjectKind kind) const {
  return std::any_of(value.objects.begin(), value.objects.end(), [&](ObjectId id) { return object(id).kind == kind; });
}

Abstract Interpreter::read_field(ObjectId id, KeyId key) const {
  if (key == kAnyKey) return all_fields(id);
  Abstract value;
  const auto texts = keys_.lower_bound(kTextInPart);
  const bool any_text = texts != keys_.end() && texts->first.starts_with(kTextInPart);
  const std::string& name = key_names_[static_cast<std::size_t>(key)];
  if (names_tuple(name) || (any_text && names_text(name) && object(id).kind == ObjectKind::kContainer)) {
    for_each_field(id, [&](KeyId other, const Abstract& field) {
      if (other == kAnyKey || may_be_same(name, key_names_[static_cast<std::size_t>(other)])) join(value, field);
    });
    return value;
  }
  if (const Abstract* field = state_.fields.find(field_key(id, key))) join(value, *field);
  if (const Abstract* any = state_.fields.find(field_key(id, kAnyKey))) join(value, *any);
  return value;
}

Abstract Interpreter::all_fields(ObjectId id) const {
  Abstract value;
  for_each_field(id, [&](KeyId, const Abstract& field) { join(value, field); });
  return value;
}

void Interpreter::write_field(ObjectId id, KeyId key, const Abstract& value, bool strong) {
  const std::uint64_t field = field_key(id, key);
  if (strong && key != kAnyKey) {
    state_.fields.set(field, value);
  } else {
    const Abstract* known = state_.fields.find(field);
    Abstract joined = known != nullptr ? *known : Abstract{};
    if (join(joined, value) || known == nullptr) state_.fields.edit(field) = std::move(joined);
  }
}

KeyId Interpreter::key_of(const std::string& name) {
  const auto [it, fresh] = keys_.try_emplace(name, static_cast<KeyId>(keys_.size()));
  if (fresh) key_names_.push_back(name);
  return it->second;
}

KeyId Interpreter::key_of(const Abstract& value) {
  if (value.objects.size() == 1 && value.constants.empty() && !value.open) {  // a tuple
    bool whole = true;
    const std::function<Json(const Abstract&, int)> shape = [&](const Abstract& part, int depth) -> Json {
      if (part.constants.size() == 1 && !part.open && part.objects.empty())
        return constants_[static_cast<std::size_t>(part.constants[0])];
      const bool tuple = depth < 4 && part.objects.size() == 1 && part.constants.empty() && !part.open &&
                         !state_.fields.contains(field_key(part.objects[0], kAnyKey));
      Json items = Json::array();
      for (const Abstract& item : tuple ? items_in_order(part) : std::vector<Abstract>{})
        items.push_back(shape(item, depth + 1));
      if (!items.empty()) return items;
      whole = false;
      return Json::object();
    };
    const Json items = shape(value, 0);
    if (!items.is_array()) return kAnyKey;
    return key_of((whole ? "#" : kPartlyKnown) + items.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  const bool part = value.open && value.constants.size() == 1 && constant_at(value.constants[0]).is_object();
  if (part && value.objects.empty())
    return key_of(kPartlyKnown + constant_at(value.constants[0]).dump(-1, ' ', false, Json::error_handler_t::replace));
  if (value.constants.size() != 1 || value.open || !value.objects.empty()) return kAnyKey;
  const Json& key = constants_[static_cast<std::size_t>(value.constants[0])];
  return key_of(key.is_string() ? key.get<std::string>() : "#" + key.dump());
}

int Interpreter::constant_id(const Json& json) {
  const auto [it, fresh] = constant_index_.try_emplace(json.dump(-1, ' ', false, Json::error_handler_t::replace),
                                                       static_cast<int>(constants_.size()));
  if (fresh) constants_.push_back(json);
  return it->second;
}

Abstract Interpreter::constant(const Json& json) {
  Abstract value;
  value.constants = {constant_id(json)};
  return value;
}

Abstract Interpreter::open_value(NodeSet nodes) const {
  Abstract value;
  value.open = true;
  value.nodes = std::move(nodes);
  return value;
}

Abstract Interpreter::unknown(const std::string& reason, const CallSite& site, const NodeSet& inputs) {
  const NodeId node = graph_.node(NodeKind::kUnknown, site.where, site.context, 0);
  Node& made = graph_.at(node);
  made.name = reason;
  made.phase = phase_;
  graph_.add_operands(node, 0, inputs);
  // It may be a tensor: give views and writes something to hold on to.
  Abstract value = fresh_tensor(site, {node}, -7);
  value.open = true;
  value.nodes = {node};
  return value;
}

std::optional<bool> Interpreter::truth(const Abstract& value) const {
  const auto is_dtype = [&](ObjectId id) {
    static constexpr std::string_view kinds[] = {"torch.float", "torch.bfloat", "torch.half", "torch.double",
                                                 "torch.int"};
    return object(id).kind == ObjectKind::kSymbol &&
           std::any_of(std::begin(kinds), std::end(kinds),
                       [&](std::string_view kind) { return object(id).symbol.starts_with(kind); });
  };
  if (!value.open && value.constants.empty() && value.nodes.empty() && !value.objects.empty() &&
      std::all_of(value.objects.begin(), value.objects.end(), is_dtype))
    return true;  // `dtype or x.dtype`
  if (value.open || value.constants.empty() || !value.objects.empty()) return std::nullopt;
  std::optional<bool> result;
  for (const int id : value.constants) {
    const Json& json = constants_[static_cast<std::size_t>(id)];
    bool truthy = false;
    if (json.is_boolean()) {
      truthy = json.get<bool>();
    } else if (json.is_number()) {
      truthy = json.get<double>() != 0;
    } else if (!json.is_null()) {
      truthy = !json.empty() && !(json.is_string() && json.get_ref<const std::string&>().empty());
    }
    if (result && *result != truthy) return std::nullopt;
    result = truthy;
  }
  return result;
}

bool Interpreter::only_null(const Abstract& value) const {
  return !value.open && value.objects.empty() && value.constants.size() == 1 &&
         constants_[static_cast<std::size_t>(value.constants[0])].is_null();
}

bool Interpreter::never_null(const Abstract& value) const {
  if (value.nothing() || value.open) return false;
  return std::none_of(value.constants.begin(), value.constants.end(),
                      [&](int id) { return constants_[static_cast<std::size_t>(id)].is_null(); });
}

Abstract Interpreter::value_from_facts(Id id, const CallSite& site) {
  const Value& facts = facts_.values[static_cast<std::size_t>(id)];
  if (facts.constant) return constant(*facts.constant);
  if (facts.function != kNone) return function_value(facts.function, {}, site);
  if (facts.type.kind == TypeKind::kExtension && !facts.symbol.empty()) {
    const ObjectId made =
        make_object(ObjectKind::kExtension, StatementRef{}, 0, static_cast<std::int64_t>(key_of(facts.symbol)));
    objects_[static_cast<std::size_t>(made)].symbol = facts.symbol;
    return of_object(made);
  }
  if (facts.class_id != kNone && (facts.type.kind == TypeKind::kClass || facts.type.kind == TypeKind::kUnknown)) {
    const ObjectId made = make_object(ObjectKind::kClass, StatementRef{}, 0, facts.class_id);
    objects_[static_cast<std::size_t>(made)].class_id = facts.class_id;
    return of_object(made);
  }
  if (!facts.symbol.empty()) return symbol(facts.symbol);
  if (facts.origin == OriginKind::kConstant || facts.type.kind == TypeKind::kDtype ||
      facts.type.kind == TypeKind::kDevice) {
    return open_value({});
  }
  if (facts.origin == OriginKind::kUnknown && !facts.reason.empty()) return unknown(facts.reason, site);
  return {};
}

void Interpreter::store_storage(Id storage_id, const Abstract& stored, const CallSite& site) {
  const Id canonical = canonical_storage(storage_id);
  const Storage& storage = facts_.storages[static_cast<std::size_t>(storage_id)];
  const bool shared = storage.kind == StorageKind::kInstanceAttribute && storage.owner_class != kNone &&
                      instances_[storage.owner_class] > 1;
  if (shared) {
    join(state_.storage.edit(map_key(canonical)), stored);
  } else {
    state_.storage.set(map_key(canonical), stored);
  }
  if (storage.kind == StorageKind::kForeign) note_foreign_store(storage.name, stored, site);
  const bool captured_local = storage.kind == StorageKind::kClosure;
  if (storage.lifetime != Lifetime::kCall || captured_local) {
    stores[canonical].push_back({site.where, site.context, phase_, nodes_of(stored)});
  }
}

bool Interpreter::slices(const Statement& statement) const {
  const Id key = statement.kind == StatementKind::kLoad ? statement.location.key : kNone;
  return key != kNone && facts_.values[static_cast<std::size_t>(key)].type.name == "builtins.slice";
}

// What is not known may write what it is handed, except the task's inputs and what derives from weights alone.
ObjectSet Interpreter::hand_over(const std::vector<Abstract>& operands, const Abstract& result) {
  ObjectSet handed;
  for (const Abstract& operand : operands) {
    ObjectSet mutable_objects;
    for (const ObjectId id : objects_of_kind(operand, ObjectKind::kTensor)) {
      if (!is_input(id)) mutable_objects.push_back(id);
    }
    if (!mutable_objects.empty()) write_contents(mutable_objects, result.nodes);
    merge_into(handed, mutable_objects);
  }
  return handed;
}

}  // namespace kernel_audit::analysis::facts
