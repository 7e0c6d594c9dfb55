// Loads, stores and returns.
#include <algorithm>

#include "analysis/facts/interpreter.h"
#include "analysis/facts/interpreter_frame.h"
#include "analysis/facts/interpreter_rehearsal.h"

namespace kernel_audit::analysis::facts {
namespace {

bool is_native(const Facts& facts, const Storage& storage) {
  if (storage.owner_function != kNone) {
    const Id unit = facts.functions[static_cast<std::size_t>(storage.owner_function)].unit;
    if (unit != kNone) return facts.units[static_cast<std::size_t>(unit)].language != UnitLanguage::kPython;
  }
  return storage.type.name.find("::") != std::string::npos || storage.type.name.find('*') != std::string::npos;
}

// Whether a value of C++ is a pointer, or an object that owns what it points to.
bool points(const Facts& facts, Id value) {
  if (value == kNone) return false;
  const Type& type = facts.values[static_cast<std::size_t>(value)].type;
  return type.kind == TypeKind::kPointer || type.name.starts_with("std::unique_ptr<") ||
         type.name.starts_with("std::shared_ptr<");
}

// What an element of a thing that a package's class or object has is called.
std::optional<std::string> named_element(const std::string& symbol, const Json* key) {
  if (key == nullptr) return std::nullopt;
  if (symbol.ends_with(".__dict__") && key->is_string())
    return symbol.substr(0, symbol.size() - 8) + key->get<std::string>();
  if (symbol.ends_with(".__mro__") && key->is_number_integer() && *key == 0) return symbol.substr(0, symbol.size() - 8);
  return std::nullopt;
}

std::string display(const std::string& name) { return name.empty() ? "a value" : name; }

}  // namespace

void Interpreter::run_statement(Frame& frame, const Statement& statement, const StatementRef& where) {
  const CallSite site{&statement, where, frame.context};
  Abstract result;
  switch (statement.kind) {
    case StatementKind::kCall:
      result = call(frame, statement, site);
      break;
    case StatementKind::kLoad:
      result = load_or(frame, statement, site);
      break;
    case StatementKind::kStore:
      store(frame, statement, site);
      break;
    case StatementKind::kLaunch:
      launch(frame, statement, site);
      break;
    case StatementKind::kPhi: {
      Abstract last;
      // Of names that one place may stand for, those of other calls: what this one has read is known.
      const bool read =
          flow(frame.id).predecessors(where.block).size() < 2 &&
          std::any_of(
              statement.args.begin(), statement.args.end(),
              [&](Id arg) { return frame.values.contains(arg) && has_kind(frame.values[arg], ObjectKind::kSymbol); });
      const auto taken = frame.in_order ? frame.phi_taken.find({where.block, where.index}) : frame.phi_taken.end();
      for (const Id arg : statement.args) {
        if (read && !frame.values.contains(arg)) continue;
        if (taken != frame.phi_taken.end() && !taken->second.empty() && !taken->second.contains(arg)) continue;
        if (frame.values.contains(arg) || facts_.values[static_cast<std::size_t>(arg)].constant ||
            facts_.values[static_cast<std::size_t>(arg)].origin == OriginKind::kConstant) {
          join(result, value(frame, arg));
          last = value(frame, arg);
        }
      }
      // `a and b` is false when b is, `a or b` true when b is: what comes by an earlier way is as well.
      if ((statement.callee == "and" && truth(last) == false) || (statement.callee == "or" && truth(last) == true)) {
        last.nodes = std::move(result.nodes);
        result = std::move(last);
      }
      if (statement.args.size() > 1) {
        settle_phi(frame, result, where);
        add_choice_of_phi(frame, result, where.block);
      }
      break;
    }
    case StatementKind::kReturn: {
      Abstract returned = statement.value == kNone ? constant(Json()) : value(frame, statement.value);
      if (!frame.is_entry) add_decided(returned, around_);
      if (frame.generator >= 0) {
        leave_generator(frame, statement, returned);
        break;
      }
      if (statement.yields) {
        const ObjectId items = make_object(ObjectKind::kContainer, StatementRef{frame.id, kNone, -9}, frame.context, 0);
        write_field(items, kAnyKey, returned, false);
        returned = of_object(items);
      } else if (frame.function->is_generator) {
        break;
      }
      if (frame.is_entry) collect_return(returned, where);
      add_way(frame.returned_ways, returned);
      join(frame.returned, returned);
      break;
    }
    case StatementKind::kRaise:
      break;
  }
  if (statement.result == kNone) return;
  const Value& known = facts_.values[static_cast<std::size_t>(statement.result)];
  if (result.nothing() && statement.kind != StatementKind::kPhi) result = value_from_facts(statement.result, site);
  if (statement.kind == StatementKind::kCall && known.function != kNone && !in_native(frame.id) &&
      in_native(known.function) && facts_.functions[static_cast<std::size_t>(known.function)].is_kernel)
    result = function_value(known.function, {}, site);
  // What the extractor folded is exact, but an object carries more.
  if (known.constant && result.objects.empty()) {
    result.constants = {constant_id(*known.constant)};
    result.open = false;
  }
  if (rehearsal_) result = rehearsal_->known(*this, frame, site, std::move(result));
  frame.values[statement.result] = std::move(result);
  if (statement.kind == StatementKind::kLoad && statement.location.element)
    note_tried(frame, where.block, statement.result);
}

// Whether an object certainly has no such attribute.
bool Interpreter::lacks_attribute(ObjectId id, const std::string& name) {
  const Object& owner = object(id);
  if (!read_field(id, key_of(name)).nothing()) return false;
  switch (owner.kind) {
    case ObjectKind::kContainer:
      return true;
    case ObjectKind::kFunction:
      return function_attribute(owner.function, name).nothing();
    case ObjectKind::kInstance: {
      const Id klass = owner.class_id;
      if (name == "training" || find_method(klass, name) != kNone || find_method(klass, "__getattr__") != kNone)
        return false;
      const std::vector<Id> order = class_order(klass);
      const bool of_framework = std::any_of(order.begin(), order.end(), [&](Id each) {
        const auto& bases = facts_.classes[static_cast<std::size_t>(each)].bases;
        return std::any_of(bases.begin(), bases.end(), [](const std::string& base) {
          return base.starts_with("torch.") && base != "torch.nn.Module" && base != "torch.autograd.Function";
        });
      });
      return !of_framework && instance_attribute(klass, name).nothing() && class_attribute(klass, name).nothing();
    }
    default:
      return false;
  }
}

// Whether a place holds nothing yet, as far as the candidate fills it.
bool Interpreter::nothing_stored(Frame& frame, const Location& location) {
  if (location.storage == kNone || location.element) return false;
  if (state_.storage.contains(map_key(canonical_storage(location.storage)))) return false;
  const Storage& storage = facts_.storages[static_cast<std::size_t>(location.storage)];
  switch (storage.kind) {
    case StorageKind::kForeign:
      return classify(storage.name).kind == OperationKind::kUnclassified;
    case StorageKind::kGlobal:
    case StorageKind::kClassAttribute:
    case StorageKind::kFunctionAttribute:
      return true;
    case StorageKind::kInstanceAttribute:
    case StorageKind::kOtherAttribute:
    case StorageKind::kThreadOrContext: {
      const Abstract base = value(frame, location.base);
      return !base.open && !base.objects.empty() &&
             std::all_of(base.objects.begin(), base.objects.end(),
                         [&](ObjectId id) { return lacks_attribute(id, storage.name); });
    }
    default:
      return false;
  }
}

// getattr(object, name, default): a Load with an argument, which it gives where nothing is stored.
Abstract Interpreter::load_or(Frame& frame, const Statement& statement, const CallSite& site) {
  if (statement.args.empty()) return load(frame, statement, site);
  const Abstract otherwise = value(frame, statement.args.front());
  if (nothing_stored(frame, statement.location)) return otherwise;
  Abstract held = load(frame, statement, site);
  join(held, otherwise);
  return held;
}

Abstract Interpreter::load(Frame& frame, const Statement& statement, const CallSite& site) {
  const Location& location = statement.location;
  const Storage* storage =
      location.storage == kNone ? nullptr : &facts_.storages[static_cast<std::size_t>(location.storage)];
  Abstract base = value(frame, location.base);
  if (storage != nullptr && storage->kind == StorageKind::kDeref) {
    const bool alias = statement.result != kNone &&
                       facts_.values[static_cast<std::size_t>(statement.result)].type.kind == TypeKind::kTensor;
    if (alias) return base;
    Abstract result = open_value(nodes_of(base));
    // Pointers to streams, events, …: the pointee is what the pointer was made of.
    for (const ObjectId id : base.objects) {
      const bool container = object(id).kind == ObjectKind::kContainer;
      const Abstract held = container ? read_field(id, key_of(value(frame, location.key))) : Abstract{};
      join(result, held);
      const bool function = location.element && has_kind(held, ObjectKind::kFunction);  // of a table of pointers
      if (object(id).kind != ObjectKind::kTensor && !function) merge_into(result.objects, {id});
    }
    return result;
  }
  if (location.element) {
    const Abstract container = location.base != kNone ? base
                               : storage != nullptr   ? load_storage(location.storage, statement, site)
                                                      : Abstract{};
    return load_element(container, value(frame, location.key), statement, site);
  }
  if (storage == nullptr) return unknown("the place that is read is not known", site, nodes_of(base));
  switch (storage->kind) {
    case StorageKind::kInstanceAttribute: {
      if (in_native(frame.id) && has_kind(base, ObjectKind::kInstance))
        return load_attribute(base, storage->name, statement, site);
      if (const auto own = own_attribute(base, *storage)) return *own;
      if (state_.storage.contains(map_key(canonical_storage(location.storage)))) {
        Abstract held = load_storage(location.storage, statement, site);
        // Set by its name, too.
        for (const ObjectId id : objects_of_kind(base, ObjectKind::kInstance))
          join(held, read_field(id, key_of(storage->name)));
        return held;
      }
      if (!base.nothing()) return load_attribute(base, storage->name, statement, site);
      return load_storage(location.storage, statement, site);
    }
    case StorageKind::kOtherAttribute:
      return load_attribute(base, storage->name, statement, site);
    case StorageKind::kForeign:
      return state_.storage.contains(map_key(canonical_storage(location.storage)))
                 ? load_storage(location.storage, statement, site)
                 : symbol(storage->name);
    case StorageKind::kFile:
      return unknown("the contents of a file are not known", site);
    default:
      return load_storage(location.storage, statement, site);
  }
}

Abstract Interpreter::load_storage(Id storage_id, const Statement& statement, const CallSite& site) {
  const Id canonical = canonical_storage(storage_id);
  if (const Abstract* kept = state_.storage.find(map_key(canonical))) return *kept;
  const Storage& storage = facts_.storages[static_cast<std::size_t>(storage_id)];
  if (statement.result != kNone) {
    Abstract folded = value_from_facts(statement.result, site);
    if (!folded.nothing()) return folded;
    const Value& result = facts_.values[static_cast<std::size_t>(statement.result)];
    if (result.origin == OriginKind::kWeights || result.type.kind == TypeKind::kParameter ||
        storage.type.kind == TypeKind::kParameter) {
      const NodeId node = graph_.node(NodeKind::kWeights, StatementRef{}, 0, canonical);
      graph_.at(node).name = storage.name;
      graph_.at(node).phase = Phase::kInit;
      const ObjectId made = make_object(ObjectKind::kTensor, StatementRef{}, 0, 1'000'000 + canonical);
      Object& weights = objects_[static_cast<std::size_t>(made)];
      weights.phase = Phase::kInit;
      if (weights.initial.empty()) weights.initial = {node};
      return of_object(made);
    }
  }
  if (const Id klass = class_named(facts_, storage.type.name);
      klass != kNone && storage.kind == StorageKind::kStaticLocal && in_native(site.where.function)) {
    const ObjectId made = make_object(ObjectKind::kInstance, StatementRef{}, 0, 5'000'000 + canonical);
    objects_[static_cast<std::size_t>(made)].class_id = klass;
    objects_[static_cast<std::size_t>(made)].phase = Phase::kImport;
    state_.storage.set(map_key(canonical), of_object(made));
    return of_object(made);
  }
  if (is_native(facts_, storage)) {
    // Declared without a store: an undefined tensor, a null pointer, or raw memory of its own.
    if (storage.type.kind == TypeKind::kPointer || storage.type.kind == TypeKind::kOther ||
        storage.type.kind == TypeKind::kTuple || storage.type.kind == TypeKind::kList ||
        storage.type.kind == TypeKind::kUnknown) {
      const NodeId node = graph_.node(NodeKind::kAllocation, StatementRef{}, 0, canonical);
      graph_.at(node).name = storage.name;
      const ObjectId made = make_object(ObjectKind::kTensor, StatementRef{}, site.context, 2'000'000 + canonical);
      Object& memory = objects_[static_cast<std::size_t>(made)];
      if (memory.initial.empty()) memory.initial = {node};
      if (storage.lifetime != Lifetime::kCall) memory.phase = Phase::kImport;
      Abstract value = of_object(made);
      state_.storage.set(map_key(canonical), value);
      return value;
    }
    if (storage.type.kind == TypeKind::kTensor) return constant(Json());
    return open_value({});
  }
  if (storage.kind == StorageKind::kGlobal) {
    return unknown("nothing in the candidate defines " + display(storage.name), site);
  }
  return unknown(display(storage.name) + " is read, and no store to it was seen", site);
}

Abstract Interpreter::load_element(const Abstract& base, const Abstract& key, const Statement& statement,
                                   const CallSite& site) {
  if (auto part = part_of_constant(base, key)) return *part;
  Abstract result;
  bool other = base.open || base.nothing();
  const Json* known = key.constants.size() == 1 && !key.open && key.objects.empty()
                          ? &constants_[static_cast<std::size_t>(key.constants[0])]
                          : nullptr;
  for (const ObjectId id : base.objects) {
    switch (object(id).kind) {
      case ObjectKind::kTensor:
        merge_into(result.objects, {id});
        result.partial = true;
        note_part(key.nodes, site.where);
        note_part_of_input(of_object(id), true, site);
        break;
      case ObjectKind::kContainer:
        if (slices(statement)) {
          merge_into(result.objects, {id});  // some of its elements, in a list of their own
          if (varies_between_calls(graph_, key.nodes)) merge_into(result.nodes, key.nodes);
        } else {
          Abstract held = read_field(id, key_of(key));
          const bool from_end = known != nullptr && known->is_number_integer() && known->get<std::int64_t>() < 0;
          if (held.nothing() && from_end) {
            const std::vector<Abstract> items = items_in_order(of_object(id));
            const std::int64_t place = std::ssize(items) + known->get<std::int64_t>();
            const bool in_order = place >= 0 && !state_.fields.contains(field_key(id, kAnyKey));
            held = in_order ? items[static_cast<std::size_t>(place)] : all_fields(id);
          }
          join(result, held);
        }
        break;
      case ObjectKind::kFunction:  // kernel[grid] of a host wrapper
      case ObjectKind::kInstance: {
        std::vector<Abstract> args{key};
        if (object(id).kind == ObjectKind::kInstance) {
          const bool holds = holds_elements(id) && find_method(object(id).class_id, "__getitem__") == kNone;
          if (auto got = holds ? std::nullopt : call_method(of_object(id), "__getitem__", args, {}, site)) {
            join(result, *got);
            break;
          }
          Abstract held = holds ? read_field(elements_held(id), key_of(key)) : field_by_place(id, key, statement, site);
          if (holds && held.nothing()) {
            if (auto made = call_method(of_object(id), "__missing__", args, {}, site)) held = *made;
          }
          if (held.nothing() && text_of(key)) {  // of its __dict__
            held = read_field(id, key_of(key));
            join(held, instance_attribute(object(id).class_id, *text_of(key)));
          }
          join(result, held);
          if (!held.nothing()) break;
        }
        merge_into(result.objects, {id});
        break;
      }
      case ObjectKind::kGenerator:  // a, b = generator
        join(result, next_of(id, site));
        break;
      case ObjectKind::kModule: {
        const bool place = known != nullptr && known->is_number_integer() && *known >= 0;
        const Abstract child = place ? read_field(id, key_of(name_of_child(known->get<std::int64_t>()))) : Abstract{};
        join(result, child.nothing() ? all_fields(id) : child);
        break;
      }
      case ObjectKind::kSymbol:
        // Whichever module is loaded under a name that is looked for.
        if (object(id).symbol == "sys.modules" && texts_of(key).empty())
          join(result, symbol(std::string(kFound) + "sys.modules"));
        else if (const auto named = named_element(object(id).symbol, known))
          join(result, symbol(*named));
        else
          merge_into(result.objects, {id});
        break;
      default:
        merge_into(result.objects, {id});
    }
  }
  merge_into(result.nodes, base.nodes);
  note_choice(result, key);
  if (result.nothing() && !base.nothing() && !base.open) {
    // An empty container of ours: a key that nothing stored.
    if (has_kind(base, ObjectKind::kContainer)) {
      const bool tensor = statement.result != kNone &&
                          facts_.values[static_cast<std::size_t>(statement.result)].type.kind == TypeKind::kTensor;
      // std::map makes an undefined one, or a pointer to nothing
      if ((tensor || points(facts_, statement.result)) && in_native(site.where.function)) return constant(Json());
      if (const Id made = own_class(facts_, statement.result); made != kNone && in_native(site.where.function)) {
        std::vector<Abstract> none;
        result = construct(made, none, {}, site);
        for (const ObjectId map : objects_of_kind(base, ObjectKind::kContainer))
          write_field(map, key_of(key), result, false);
        return result;
      }
      return open_value({});  // raises: nothing comes of it
    }
  }
  result.open = result.open || other;
  return result;
}

void Interpreter::store(Frame& frame, const Statement& statement, const CallSite& site) {
  const Location& location = statement.location;
  const Storage* storage =
      location.storage == kNone ? nullptr : &facts_.storages[static_cast<std::size_t>(location.storage)];
  Abstract stored = value(frame, statement.value);
  add_decided(stored, around_);
  if (storage != nullptr && storage->kind == StorageKind::kDeref) {
    // Authored host code writes elements through a pointer.
    const Abstract base = value(frame, location.base);
    const ObjectSet memory = objects_of_kind(base, ObjectKind::kTensor);
    for (const ObjectId id : objects_of_kind(base, ObjectKind::kSymbol)) {
      if (in_native(frame.id)) note_foreign_store(object(id).symbol, stored, site);
    }
    for (const ObjectId id : objects_of_kind(base, ObjectKind::kContainer)) write_field(id, kAnyKey, stored, false);
    for (const ObjectId id : objects_of_kind(base, ObjectKind::kInstance)) {  // a whole structure is assigned
      std::vector<std::pair<KeyId, Abstract>> fields;
      for (const ObjectId from : objects_of_kind(stored, ObjectKind::kInstance))
        for_each_field(from, [&](KeyId key, const Abstract& field) { fields.emplace_back(key, field); });
      for (const auto& [key, field] : fields) write_field(id, key, field, base.objects.size() == 1);
    }
    if (memory.empty()) return;
    put_addresses(memory, stored, site);
    loop_on_host(frame.function->qualified_name, memory, nodes_of(stored), site);
    return;
  }
  if (location.element) {
    const Abstract container = location.base != kNone ? value(frame, location.base)
                               : storage != nullptr   ? load_storage(location.storage, statement, site)
                                                      : Abstract{};
    const Abstract key = value(frame, location.key);
    bool persistent = false;
    for (const ObjectId id : container.objects) {
      const Object& owner = object(id);
      if (owner.kind == ObjectKind::kContainer) {
        write_field(id, key_of(key), stored, container.objects.size() == 1 && !owner.from_earlier_call);
        persistent = persistent || owner.phase != Phase::kForward || owner.from_earlier_call;
      } else if (owner.kind == ObjectKind::kInstance) {
        std::vector<Abstract> args{key, stored};
        const bool kept = holds_elements(id) && find_method(owner.class_id, "__setitem__") == kNone;
        persistent = persistent || (kept && (owner.phase != Phase::kForward || owner.from_earlier_call));
        if (kept)
          write_field(elements_held(id), key_of(key), stored, false);
        else if (find_method(owner.class_id, "__setitem__") == kNone && text_of(key))  // of its __dict__
          write_field(id, key_of(key), stored, container.objects.size() == 1);
        else
          call_method(of_object(id), "__setitem__", args, {}, site);
      } else if (owner.kind == ObjectKind::kSymbol) {
        // os.environ["X"] = …, sys.modules["torch"] = …, vars(torch)["allclose"] = …
        std::string place = owner.symbol;
        if (register_hook({}, place, {stored}, {})) continue;
        if (place.ends_with(".__dict__")) place.resize(place.size() - 9);
        std::vector<std::string> names = texts_of(key);
        if (names.empty()) names.emplace_back("?");
        for (const std::string& name : names) note_foreign_store(place + "." + name, stored, site);
      }
    }
    if (has_kind(container, ObjectKind::kTensor)) {
      put_addresses(container.objects, stored, site);
      Abstract part = container;
      part.partial = true;
      NodeSet nodes = nodes_of(stored);
      if (has_kind(key, ObjectKind::kTensor)) merge_into(nodes, nodes_of(key));  // y[y < 0] = 0
      if (phase_ == Phase::kForward && has_kind(stored, ObjectKind::kTensor))
        merge_into(repeats[site.where], nodes_of(stored));  // y[:] = row
      write_tensor(part, nodes, site, 1);
    }
    if (persistent && storage != nullptr) {
      stores[canonical_storage(location.storage)].push_back({site.where, site.context, phase_, nodes_of(stored)});
    }
    return;
  }
  if (storage == nullptr) return;
  if (storage->kind == StorageKind::kInstanceAttribute && in_native(frame.id)) {
    const Abstract base = value(frame, location.base);
    const ObjectSet owners = objects_of_kind(base, ObjectKind::kInstance);
    for (const ObjectId id : owners) write_field(id, key_of(storage->name), stored, base.objects.size() == 1);
    if (!owners.empty()) {
      if (phase_ == Phase::kForward)
        stores[canonical_storage(location.storage)].push_back({site.where, site.context, phase_, nodes_of(stored)});
      return;
    }
  }
  if (storage->kind == StorageKind::kOtherAttribute) {
    const Abstract base = value(frame, location.base);
    if (storage->name == "data" && has_kind(base, ObjectKind::kTensor) && !in_native(frame.id)) {
      // `t.data = u`: from now on t shows what u holds.
      write_tensor(base, nodes_of(stored), site, 1);
      return;
    }
    for (const ObjectId id : base.objects) {
      if (object(id).kind == ObjectKind::kSymbol)
        note_foreign_store(object(id).symbol + "." + storage->name, stored, site);
      if (object(id).kind == ObjectKind::kTensor)
        tensor_stores.push_back({storage->name, site.where, site.context, phase_, stored});
      const bool inside = object(id).kind == ObjectKind::kTensor || object(id).kind == ObjectKind::kModule ||
                          (object(id).kind == ObjectKind::kSymbol && of_library_model(object(id).symbol));
      own_parts =
          own_parts || (inside && (has_kind(stored, ObjectKind::kInstance) || has_kind(stored, ObjectKind::kFunction)));
      const bool element =
          in_native(frame.id) && storage->name == "second" && object(id).kind == ObjectKind::kContainer;
      write_field(id, element ? kAnyKey : key_of(storage->name), stored, !element && base.objects.size() == 1);
    }
    return;
  }
  if (storage->kind == StorageKind::kLocal && storage->type.name.find('&') != std::string::npos &&
      storage->type.name.find("const") == std::string::npos) {
    // A reference parameter: the caller's tensor is assigned.
    if (const Abstract* bound = state_.storage.find(map_key(canonical_storage(location.storage)))) {
      const NodeSet nodes = nodes_of(stored);
      if (!nodes.empty() && has_kind(*bound, ObjectKind::kTensor))
        write_contents(objects_of_kind(*bound, ObjectKind::kTensor), nodes);
    }
  }
  store_storage(location.storage, stored, site);
  if (storage->kind == StorageKind::kInstanceAttribute)
    store_own_attribute(value(frame, location.base), storage->name, stored);
}

}  // namespace kernel_audit::analysis::facts
