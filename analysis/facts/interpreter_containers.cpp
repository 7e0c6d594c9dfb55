// Lists, dictionaries, sets and their like, in both languages: how they are made, and their methods.
#include <algorithm>

#include "analysis/facts/interpreter.h"
#include "analysis/facts/interpreter_frame.h"

namespace kernel_audit::analysis::facts {

// What a key decides: the surroundings may have a part in it, and of several functions what an argument holds.
void Interpreter::note_choice(Abstract& taken, const Abstract& key) const {
  merge_into(taken.nodes, chosen_by_surroundings(key.nodes));
  const bool several = objects_of_kind(taken, ObjectKind::kFunction).size() > 1;
  if (several && graph_.reaches(key.nodes, NodeKind::kArgument, false)) merge_into(taken.nodes, key.nodes);
}

std::optional<Abstract> Interpreter::container_method(const Abstract& receiver, const std::string& name,
                                                      std::vector<Abstract>& args, const CallSite& site) {
  const ObjectId id = receiver.objects.front();
  Abstract result;
  if (const bool puts = name == "put" || name == "put_nowait";
      site.statement->callee.starts_with("queue.") && (puts || name == "get" || name == "get_nowait")) {
    std::vector<Abstract> given(args.begin(), args.begin() + (puts && !args.empty() ? 1 : 0));
    return container_method(receiver, puts ? "append" : "popleft", given, site);
  }
  const auto argument = [&](std::size_t i) { return i < args.size() ? args[i] : Abstract{}; };
  const bool adds = name == "append" || name == "add" || name == "appendleft" || name == "push_back" ||
                    name == "emplace_back" || name == "push_front" || name == "emplace_front" || name == "put" ||
                    name == "insert";
  if (adds && phase_ == Phase::kForward && !args.empty() &&
      (object(id).phase != Phase::kForward || object(id).from_earlier_call))
    appends.push_back({site.where, site.context, phase_, nodes_of(args.back())});
  if (phase_ == Phase::kForward && (adds || name == "extend")) grown_.insert(id);
  if (phase_ == Phase::kForward && (name.starts_with("pop") || name == "clear" || name == "remove")) shrunk_.insert(id);
  if (adds && name != "put" && name != "insert") {
    Abstract added = argument(0);
    if (name.starts_with("emplace") && args.size() > 1) {  // a pair, made of both
      added = of_object(make_object(ObjectKind::kContainer, site.where, site.context, 910));
      for (std::size_t i = 0; i < args.size(); ++i)
        write_field(added.objects[0], key_of("#" + std::to_string(i)), args[i], true);
    }
    write_field(id, kAnyKey, added, false);
    return constant(Json());
  }
  if (in_native(site.where.function) && name == "insert" && args.size() == 3 &&
      has_kind(args[1], ObjectKind::kContainer)) {  // of a range
    write_field(id, kAnyKey, elements_of(args[1]), false);
    return open_value({});
  }
  if (name == "insert" || name == "emplace" || name == "insert_or_assign" || name == "try_emplace") {
    const bool dependent = site.statement->callee.starts_with("?.") && args.size() == 2 && name != "insert";
    const bool map = dependent || site.statement->callee.find("map::") != std::string::npos;
    Abstract stored = args.empty() || (name == "try_emplace" && args.size() == 1) ? Abstract{} : args.back();
    ObjectSet pairs;  // of a key and its value
    if (map && name == "insert") pairs = objects_of_kind(stored, ObjectKind::kContainer);
    if (!pairs.empty()) stored = {};
    for (const ObjectId pair : pairs) join(stored, read_field(pair, key_of("#1")));
    write_field(id, kAnyKey, stored, false);
    if (!map) return open_value({});
    Abstract place = all_fields(id);  // of the element, old or new, and whether it is new
    merge_into(place.objects, {id});
    return packed({place, open_value({})}, site, 710);
  }
  if (name == "extend" || name == "update") {
    if (name == "extend" && !args.empty()) {
      const Abstract more = elements_of(drained(args[0], site));
      write_field(id, kAnyKey, more, false);
      if (phase_ == Phase::kForward && (object(id).phase != Phase::kForward || object(id).from_earlier_call))
        appends.push_back({site.where, site.context, phase_, nodes_of(more)});
      return constant(Json());
    }
    const NodeSet around = name == "update" ? surroundings_in({argument(0)}) : NodeSet{};  // os.environ
    if (!around.empty() && !has_kind(argument(0), ObjectKind::kContainer))
      write_field(id, kAnyKey, open_value(around), false);
    for (const ObjectId more : argument(0).objects) {
      if (object(more).kind != ObjectKind::kContainer) continue;
      std::vector<std::pair<KeyId, Abstract>> given;  // by key: it replaces what was there
      for_each_field(more, [&](KeyId key, const Abstract& value) { given.emplace_back(key, value); });
      for (const auto& [key, value] : given) write_field(id, key, value, !object(id).from_earlier_call);
    }
    return constant(Json());
  }
  if (!in_native(site.where.function) &&
      (name == "to" || name == "cuda" || name == "contiguous" || name == "pin_memory"))
    return receiver;  // a table of addresses, elsewhere
  if (name == "setdefault" || name == "get" || name == "pop" || name == "at" || name == "find" ||
      name == "__getitem__") {
    result = read_field(id, key_of(argument(0)));
    note_choice(result, argument(0));
    if (name == "setdefault") write_field(id, key_of(argument(0)), argument(1), false);
    if (name == "find") merge_into(result.objects, {id});
    if (args.size() > 1) join(result, argument(1));
    if (name == "get" && args.size() < 2) join(result, constant(Json()));
    if (result.nothing()) result.open = true;
    return result;
  }
  if ((name == "add_module" || name == "register_module") && args.size() == 2) {
    write_field(id, kAnyKey, args[1], false);  // numbers in names stand for any
    return constant(Json());
  }
  if (name == "__setitem__") {
    write_field(id, key_of(argument(0)), argument(1), false);
    return constant(Json());
  }
  if (name == "send" || name == "throw" || name == "__next__") {  // of a generator that was run through
    result = all_fields(id);
    if (result.nothing()) result.open = true;
    return result;
  }
  if (name == "items" && !in_native(site.where.function) && object(id).kind == ObjectKind::kContainer) {
    // Rows of a key and its value.
    const ObjectId rows = make_object(ObjectKind::kContainer, site.where, site.context, 720);
    std::vector<std::pair<KeyId, Abstract>> held;
    for_each_field(id, [&](KeyId key, const Abstract& value) { held.emplace_back(key, value); });
    if (held.empty() || held.size() > 32) {
      const Abstract row = packed({open_value({}), all_fields(id)}, site, 721);
      write_field(rows, kAnyKey, row, false);
    }
    for (const auto& [key, value] : held) {
      if (held.size() > 32) break;
      const std::string text = key == kAnyKey ? std::string("#") : key_names_[static_cast<std::size_t>(key)];
      const Json place = text.starts_with('#') ? Json::parse(text.substr(1), nullptr, false) : Json(text);
      const Abstract word = place.is_discarded() ? open_value({}) : constant(place);
      write_field(rows, kAnyKey, packed({word, value}, site, 722 + (static_cast<std::int64_t>(key) << 12U)), false);
    }
    return of_object(rows);
  }
  if (name == "values" || name == "popleft" || name == "popitem" || name == "front" || name == "back" ||
      name == "begin" || name == "data" || name == "items") {
    if (name == "data") exposed_.insert(id);
    result = receiver;  // iterating gives the elements
    if (name == "popleft" || name == "front" || name == "back") result = all_fields(id);
    if (result.nothing()) result.open = true;
    return result;
  }
  if (in_native(site.where.function)) {
    if (name == "fill" && !args.empty()) {
      std::vector<KeyId> keys{kAnyKey};
      for_each_field(id, [&](KeyId key, const Abstract&) { keys.push_back(key); });
      for (const KeyId key : keys) write_field(id, key, args[0], receiver.objects.size() == 1);
      return constant(Json());
    }
    const bool to_none = name == "clear" || (name == "resize" && !args.empty() && truth(args[0]) == false);
    if (to_none && receiver.objects.size() == 1 && !object(id).from_earlier_call) {
      std::vector<KeyId> keys;
      for_each_field(id, [&](KeyId key, const Abstract&) { keys.push_back(key); });
      for (const KeyId key : keys) state_.fields.set(field_key(id, key), Abstract{});
      return constant(Json());
    }
    if (name == "swap" && args.size() == 1 && has_kind(args[0], ObjectKind::kContainer)) {
      const Abstract here = all_fields(id);
      for (const ObjectId other : objects_of_kind(args[0], ObjectKind::kContainer)) {
        const Abstract there = all_fields(other);
        write_field(id, kAnyKey, there, false);
        write_field(other, kAnyKey, here, false);
      }
    }
    if (name == "resize" || name == "assign" || name == "swap" || name == "splice") exposed_.insert(id);
    if (name == "size" && known_empty(of_object(id))) return constant(Json(0));
    if (name == "empty" && known_empty(of_object(id))) return constant(Json(true));
  }
  if (name == "rotate" || name == "reverse") {  // each element may stand anywhere
    write_field(id, kAnyKey, all_fields(id), false);
    return constant(Json());
  }
  if (name == "clear" || name == "erase" || name == "pop_front" || name == "pop_back" || name == "reserve" ||
      name == "sort" || name == "resize" || name == "end" || name == "keys" || name == "size" || name == "empty" ||
      name == "qsize" || name == "full" || name == "count" || name == "index" || name == "move_to_end" ||
      name == "copy" || name == "save_for_backward" || name == "mark_non_differentiable" ||
      name == "set_materialize_grads" || name == "__len__") {
    if (name == "copy") return receiver;
    return open_value({});
  }
  return std::nullopt;
}

// dict(other): of another dictionary its entries, of anything else pairs of a key and its value.
void Interpreter::take_entries(ObjectId into, const Abstract& from) {
  const KeyId first = key_of("#0"), second = key_of("#1");
  for (const ObjectId id : from.objects) {
    if (object(id).kind != ObjectKind::kContainer) continue;
    std::vector<std::pair<KeyId, Abstract>> entries;
    for_each_field(id, [&](KeyId key, const Abstract& value) {
      const bool word = key != kAnyKey && !key_names_[static_cast<std::size_t>(key)].starts_with('#');
      const ObjectSet rows = word ? ObjectSet{} : objects_of_kind(value, ObjectKind::kContainer);
      if (rows.empty()) entries.emplace_back(key, value);
      for (const ObjectId row : rows) entries.emplace_back(key_of(read_field(row, first)), read_field(row, second));
    });
    for (const auto& [key, value] : entries) write_field(into, key, value, false);
  }
  if (!has_kind(from, ObjectKind::kContainer)) write_field(into, kAnyKey, open_value(from.nodes), false);
}

Abstract Interpreter::apply_container(const std::string& callee, std::vector<Abstract>& args, const Keywords& keywords,
                                      const CallSite& site) {
  const ObjectId id = make_object(ObjectKind::kContainer, site.where, site.context, 0);
  const bool shown = site.statement->callee_value == kNone && callee.starts_with("builtins.");  // [x], not list(x)
  const auto index_key = [&](std::size_t i) { return key_of("#" + std::to_string(i)); };
  const auto known_one_by_one = [&](const Abstract& list) {
    const std::size_t known = items_in_order(list).size();
    std::size_t all = 0;
    for (const ObjectId each : list.objects) for_each_field(each, [&](KeyId, const Abstract&) { ++all; });
    return list.objects.size() == 1 && !list.open && known > 0 && known == all;
  };
  if (callee == "builtins.iter_rest") {  // what `a, *rest = value` leaves: the elements from a place on
    const Json* from = args.size() > 1 && args[1].constants.size() == 1
                           ? &constants_[static_cast<std::size_t>(args[1].constants[0])]
                           : nullptr;
    const int skipped = from != nullptr && from->is_number_integer() ? from->get<int>() : 0;
    for (const ObjectId list : objects_of_kind(args[0], ObjectKind::kContainer)) {
      for_each_field(list, [&](KeyId key, const Abstract& value) {
        const std::string& name = key == kAnyKey ? std::string() : key_names_[static_cast<std::size_t>(key)];
        const int place = name.starts_with('#') ? std::atoi(name.c_str() + 1) : -1;
        if (place < 0)
          write_field(id, kAnyKey, value, false);
        else if (place >= skipped)
          write_field(id, index_key(static_cast<std::size_t>(place - skipped)), value, true);
      });
    }
    if (!has_kind(args[0], ObjectKind::kContainer)) write_field(id, kAnyKey, elements_of(args[0]), false);
  } else if (!shown &&
             (callee == "builtins.dict" || callee == "collections.OrderedDict" || callee == "collections.ChainMap" ||
              (callee == "types.SimpleNamespace" && site.statement->star_args))) {
    for (const Abstract& arg : args) take_entries(id, arg);
    for (const auto& [name, given] : keywords) write_field(id, key_of(name), given, true);
  } else if (callee == "builtins.dict" || callee == "collections.OrderedDict") {
    for (std::size_t i = 0; i + 1 < args.size(); i += 2) write_field(id, key_of(args[i]), args[i + 1], true);
    for (const auto& [name, given] : keywords) write_field(id, key_of(name), given, true);
  } else if (callee == "collections.defaultdict" && !args.empty()) {
    // Each key that is asked for first gets what the factory makes: one object stands for all.
    std::vector<Abstract> nothing;
    const bool own = has_kind(args[0], ObjectKind::kFunction) || has_kind(args[0], ObjectKind::kClass);
    const ObjectId inner = make_object(ObjectKind::kContainer, site.where, site.context, 2);
    for (const ObjectId factory : objects_of_kind(args[0], ObjectKind::kSymbol)) {
      const std::string& name = object(factory).symbol;
      const bool container = name == "builtins.list" || name == "builtins.dict" || name == "builtins.set";
      write_field(id, kAnyKey, container ? of_object(inner) : open_value({}), false);
    }
    if (own) write_field(id, kAnyKey, call_object(args[0], nothing, {}, site), false);
  } else if (callee == "builtins.zip" && site.statement->star_args && args.size() == 1) {
    // zip(*rows): a list for each place of a row
    const Abstract row = elements_of(args[0]);
    for (const ObjectId each : objects_of_kind(row, ObjectKind::kContainer)) {
      for_each_field(each, [&](KeyId key, const Abstract& value) {
        const ObjectId column = make_object(ObjectKind::kContainer, site.where, site.context, 10 + key);
        write_field(column, kAnyKey, value, false);
        write_field(id, key, of_object(column), key != kAnyKey);
      });
    }
    if (!has_kind(row, ObjectKind::kContainer)) write_field(id, kAnyKey, row, false);
  } else if (callee == "builtins.zip" && std::any_of(args.begin(), args.end(), [&](const Abstract& arg) {
               return Frame::holds_nothing(*this, arg);
             })) {
    return of_object(id);
  } else if (callee == "builtins.enumerate" || callee == "builtins.zip") {
    const ObjectId row = make_object(ObjectKind::kContainer, site.where, site.context, 1);
    std::size_t column = 0;
    if (callee == "builtins.enumerate") write_field(row, index_key(column++), open_value({}), true);
    for (const Abstract& arg : args) write_field(row, index_key(column++), elements_of(arg), true);
    write_field(id, kAnyKey, of_object(row), false);
  } else if (callee == "builtins.map" || callee == "builtins.filter") {
    const std::vector<Abstract> known = args.size() == 2 ? items_in_order(args[1]) : std::vector<Abstract>{};
    if (known.size() <= 16 && args.size() == 2 && known_one_by_one(args[1]) && callee == "builtins.map") {
      for (std::size_t i = 0; i < known.size(); ++i) {
        std::vector<Abstract> given{known[i]};
        write_field(id, index_key(i), call_object(args[0], given, {}, site), true);
      }
      return of_object(id);
    }
    std::vector<Abstract> each;
    for (std::size_t i = 1; i < args.size(); ++i) each.push_back(elements_of(args[i]));
    if (!args.empty()) {
      const Abstract got = call_object(args[0], each, {}, site);
      write_field(id, kAnyKey, callee == "builtins.map" || each.empty() ? got : each[0], false);
    }
  } else if (callee == "operator.add") {  // list + list
    const bool apart = std::all_of(args.begin(), args.end(), [&](const Abstract& each) {
      return known_one_by_one(each) ? each.objects.front() != id : Frame::holds_nothing(*this, each);
    });
    std::size_t place = 0;
    for (const Abstract& each : args) {
      if (!apart) write_field(id, kAnyKey, elements_of(each), false);
      for (const Abstract& item : apart ? items_in_order(each) : std::vector<Abstract>{})
        write_field(id, index_key(place++), item, true);
    }
  } else if (!shown && args.size() == 1 && known_one_by_one(args[0]) &&
             (callee == "builtins.tuple" || callee == "builtins.list" || callee == "torch.nn.ModuleList")) {
    const std::vector<Abstract> items = items_in_order(args[0]);
    for (std::size_t i = 0; i < items.size(); ++i) write_field(id, index_key(i), items[i], true);
  } else if (!shown && args.size() == 1 &&
             (has_kind(args[0], ObjectKind::kContainer) || has_kind(args[0], ObjectKind::kModule) ||
              (args[0].objects.size() == 1 && holds_elements(args[0].objects[0])) || callee == "builtins.reversed" ||
              callee == "builtins.sorted" || callee == "collections.deque")) {
    write_field(id, kAnyKey, elements_of(args[0]), false);
  } else {
    for (std::size_t i = 0; i < args.size(); ++i) write_field(id, index_key(i), args[i], true);
    for (const auto& [name, given] : keywords) write_field(id, key_of(name), given, true);
  }
  return of_object(id);
}

// A field of a named tuple by its place.
Abstract Interpreter::field_by_place(ObjectId id, const Abstract& key, const Statement& statement,
                                     const CallSite& site) {
  if (!derives_from(object(id).class_id, "typing.NamedTuple") || key.constants.size() != 1 || key.open) return {};
  const Json& place = constants_[static_cast<std::size_t>(key.constants[0])];
  const auto& fields = facts_.classes[static_cast<std::size_t>(object(id).class_id)].attributes;
  const std::int64_t at = place.is_number_integer() ? place.get<std::int64_t>() : -1;
  if (at < 0 || at >= std::ssize(fields)) return {};
  return load_attribute(of_object(id), fields[static_cast<std::size_t>(at)].first, statement, site);
}

}  // namespace kernel_audit::analysis::facts
