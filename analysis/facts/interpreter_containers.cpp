// Methods of lists, dictionaries, sets and their like, in both languages.
#include <algorithm>

#include "analysis/facts/interpreter.h"

namespace kernel_audit::analysis::facts {

std::optional<Abstract> Interpreter::container_method(const Abstract& receiver, const std::string& name,
                                                      std::vector<Abstract>& args, const CallSite& site) {
  const ObjectId id = receiver.objects.front();
  Abstract result;
  const auto argument = [&](std::size_t i) { return i < args.size() ? args[i] : Abstract{}; };
  const bool adds = name == "append" || name == "add" || name == "appendleft" || name == "push_back" ||
                    name == "emplace_back" || name == "push_front" || name == "emplace_front" || name == "put" ||
                    name == "insert";
  if (adds && phase_ == Phase::kForward && !args.empty() &&
      (object(id).phase != Phase::kForward || object(id).from_earlier_call))
    appends.push_back({site.where, site.context, phase_, nodes_of(args.back())});
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
  if (name == "insert" || name == "emplace" || name == "insert_or_assign" || name == "try_emplace") {
    const bool map = site.statement->callee.find("map::") != std::string::npos;
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
    for (const ObjectId more : argument(0).objects) {
      if (object(more).kind != ObjectKind::kContainer) continue;
      if (name == "extend") {
        write_field(id, kAnyKey, all_fields(more), false);
        continue;
      }
      std::vector<std::pair<KeyId, Abstract>> given;  // by key: it replaces what was there
      for_each_field(more, [&](KeyId key, const Abstract& value) { given.emplace_back(key, value); });
      for (const auto& [key, value] : given) write_field(id, key, value, !object(id).from_earlier_call);
    }
    return constant(Json());
  }
  if (name == "setdefault" || name == "get" || name == "pop" || name == "at" || name == "find" ||
      name == "__getitem__") {
    result = read_field(id, key_of(argument(0)));
    if (name == "setdefault") write_field(id, key_of(argument(0)), argument(1), false);
    if (name == "find") merge_into(result.objects, {id});
    if (args.size() > 1) join(result, argument(1));
    if (name == "get" && args.size() < 2) join(result, constant(Json()));
    if (result.nothing()) result.open = true;
    return result;
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
  if (name == "values" || name == "popleft" || name == "popitem" || name == "front" || name == "back" ||
      name == "begin" || name == "data" || name == "items") {
    result = receiver;  // iterating gives the elements
    if (name == "popleft" || name == "front" || name == "back") result = all_fields(id);
    if (result.nothing()) result.open = true;
    return result;
  }
  if (name == "clear" || name == "erase" || name == "pop_front" || name == "pop_back" || name == "reserve" ||
      name == "sort" || name == "resize" || name == "end" || name == "keys" || name == "size" || name == "empty" ||
      name == "count" || name == "index" || name == "move_to_end" || name == "copy" || name == "save_for_backward" ||
      name == "mark_non_differentiable" || name == "set_materialize_grads" || name == "__len__") {
    if (name == "copy") return receiver;
    return open_value({});
  }
  return std::nullopt;
}

}  // namespace kernel_audit::analysis::facts
