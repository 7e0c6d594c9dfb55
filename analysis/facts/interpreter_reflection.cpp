// Attributes by names that only the call at hand knows, methods handed on as values, iterators put together from
// others, texts put together while the candidate runs, and objects that a search of the process finds.
#include <algorithm>

#include "analysis/facts/interpreter.h"
#include "analysis/facts/interpreter_frame.h"
#include "analysis/facts/operations.h"
#include "analysis/facts/surroundings.h"

namespace kernel_audit::analysis::facts {
namespace {

bool sets_attribute(const std::string& callee) {
  return callee == "builtins.setattr" || callee.ends_with(".__setattr__");
}

// What setattr puts fields on.
bool keeps_attributes(ObjectKind kind) {
  return kind == ObjectKind::kInstance || kind == ObjectKind::kContainer || kind == ObjectKind::kFunction ||
         kind == ObjectKind::kClass;
}

bool is_getter(const std::string& name) {
  return name == "operator.attrgetter" || name == "operator.itemgetter" || name == "operator.methodcaller";
}

}  // namespace

// A method that is not called where it is looked up: a symbol that carries its receiver.
Abstract Interpreter::bound_method(ObjectId owner, const std::string& name, const CallSite& site) {
  const ObjectId made =
      make_object(ObjectKind::kSymbol, site.where, site.context,
                  (static_cast<std::int64_t>(key_of(name)) << 32U) | static_cast<std::uint32_t>(owner));
  Object& method = objects_[static_cast<std::size_t>(made)];
  method.symbol = "?." + name;
  if (method.bound.empty()) method.bound = {of_object(owner)};
  return of_object(made);
}

// functools.partial(f, …) of what is no own function; args[0] is f.
Abstract Interpreter::bound_arguments(const Abstract& callee, const std::vector<Abstract>& args, const CallSite& site) {
  Abstract result = callee;
  std::erase_if(result.objects, [&](ObjectId id) { return object(id).kind == ObjectKind::kSymbol; });
  for (const ObjectId id : objects_of_kind(callee, ObjectKind::kSymbol)) {
    const ObjectId made = make_object(ObjectKind::kSymbol, site.where, site.context,
                                      (std::int64_t{1} << 62U) | static_cast<std::int64_t>(id));
    Object& bound = objects_[static_cast<std::size_t>(made)];
    bound.symbol = object(id).symbol;
    std::vector<Abstract> leading = object(id).bound;
    leading.insert(leading.end(), args.begin() + 1, args.end());
    if (bound.bound.size() < leading.size()) bound.bound.resize(leading.size());
    for (std::size_t i = 0; i < leading.size(); ++i) join(bound.bound[i], leading[i]);
    merge_into(result.objects, {made});
  }
  return result;
}

Abstract Interpreter::call_bound_symbol(ObjectId id, const std::vector<Abstract>& args, const Keywords& keywords,
                                        const CallSite& site) {
  const Object method = object(id);
  if (method.symbol == "functools.singledispatch") {  // the type of the argument chooses
    std::vector<Abstract> given = args;
    return call_object(method.bound[0], given, keywords, site);
  }
  if (method.symbol == "weakref.ref" && args.empty()) return method.bound[0];
  if (is_getter(method.symbol) && args.size() == 1) {
    if (method.symbol == "operator.itemgetter") return load_element(args[0], method.bound[0], *site.statement, site);
    if (method.symbol == "operator.attrgetter") {
      const auto found = attribute_by_name({args[0], method.bound[0]}, site);
      return found ? *found : unknown("an attribute whose name is not known is read", site, nodes_of(args[0]));
    }
    const auto name = text_of(method.bound[0]);
    std::vector<Abstract> given(method.bound.begin() + 1, method.bound.end());
    if (!name && has_kind(args[0], ObjectKind::kTensor) && !given.empty()) {  // some method or other that computes
      given.insert(given.begin(), args[0]);
      return call_object(symbol("torch.Tensor.?"), given, keywords, site);
    }
    if (!name) return unknown("a method whose name is not known is called", site, nodes_of(args[0]));
    if (auto done = call_method(args[0], *name, given, keywords, site)) return *done;
    return apply(classify("?." + *name, has_kind(args[0], ObjectKind::kTensor)), "?." + *name, &args[0], given,
                 keywords, site);
  }
  if (!method.symbol.starts_with("?.")) {  // a function of a package with leading arguments
    std::vector<Abstract> all = method.bound;
    all.insert(all.end(), args.begin(), args.end());
    return call_object(symbol(method.symbol), all, keywords, site);
  }
  std::vector<Abstract> all(method.bound.begin() + 1, method.bound.end());
  all.insert(all.end(), args.begin(), args.end());
  if (auto done = call_method(method.bound[0], method.symbol.substr(2), all, keywords, site)) return *done;
  return apply(classify(method.symbol, has_kind(method.bound[0], ObjectKind::kTensor)), method.symbol, &method.bound[0],
               all, keywords, site);
}

// f(*args, **kwargs) in Python, when f is the candidate's: what this function was handed under these names, or the only
// argument that there is, in the places that it has there.
void Interpreter::Frame::spread_arguments(Interpreter& run, const Statement& statement, const Abstract& callee,
                                          std::vector<Abstract>& args, Keywords& keywords) const {
  if (run.in_native(id) || (statement.target != kNone && run.in_native(statement.target))) return;
  const bool own = statement.target != kNone || run.has_kind(callee, ObjectKind::kFunction) ||
                   run.has_kind(callee, ObjectKind::kInstance) || run.has_kind(callee, ObjectKind::kClass);
  if (!own) return;
  const auto is_list = [&](const Abstract& arg) {
    return !arg.objects.empty() && std::all_of(arg.objects.begin(), arg.objects.end(), [&](ObjectId each) {
      return run.object(each).kind == ObjectKind::kContainer;
    });
  };
  const auto lists = std::count_if(args.begin(), args.end(), is_list);
  const auto in_places = [&](const Abstract& arg) {  // no dictionary that is known
    bool places = is_list(arg);
    for (const ObjectId each : arg.objects) {
      run.for_each_field(each, [&](KeyId key, const Abstract&) {
        places = places && (key == kAnyKey || run.key_names_[static_cast<std::size_t>(key)].starts_with('#'));
      });
    }
    return places;
  };
  const bool one_in_places = std::count_if(args.begin(), args.end(), in_places) == 1;
  const auto starred = [&](const Abstract& arg) {
    if (!is_list(arg)) return false;
    if (lists == 1 || (one_in_places && in_places(arg))) return true;
    return std::any_of(function->parameters.begin(), function->parameters.end(), [&](const Parameter& each) {
      const Abstract* held = each.variadic && each.storage != kNone
                                 ? run.state_.storage.find(map_key(run.canonical_storage(each.storage)))
                                 : nullptr;
      return held != nullptr && held->objects == arg.objects;
    });
  };
  std::vector<Abstract> spread;
  for (const Abstract& arg : args) {
    if (!starred(arg)) {
      spread.push_back(arg);
      continue;
    }
    Abstract rest;
    std::map<int, Abstract> places;
    const auto take = [&](KeyId key, const Abstract& held) {
      const std::string name = key == kAnyKey ? std::string() : run.key_names_[static_cast<std::size_t>(key)];
      if (name.empty()) {
        join(rest, held);
      } else if (name.starts_with('#')) {
        join(places[std::atoi(name.c_str() + 1)], held);
      } else if (std::none_of(keywords.begin(), keywords.end(), [&](const auto& each) { return each.first == name; })) {
        keywords.emplace_back(name, held);
      }
    };
    for (const ObjectId each : arg.objects) run.for_each_field(each, take);
    for (const auto& [place, held] : places) spread.push_back(held);
    if (rest.nothing()) continue;
    // Any number of them: as many as the function takes.
    Id target = statement.target;
    for (const ObjectId each : run.objects_of_kind(callee, ObjectKind::kFunction))
      target = target == kNone ? run.object(each).function : target;
    const std::size_t wanted =
        target == kNone ? 1 : run.facts_.functions[static_cast<std::size_t>(target)].parameters.size();
    do {
      spread.push_back(rest);
    } while (spread.size() < wanted);
  }
  args = std::move(spread);
}

// getattr(object, name[, default]), where only the call at hand knows the name; a path has dots.
std::optional<Abstract> Interpreter::attribute_by_name(const std::vector<Abstract>& operands, const CallSite& site) {
  const Abstract& holder = operands[0];
  if (holder.objects.empty() || holder.open) return std::nullopt;
  const std::vector<std::string> names = texts_of(operands[1]);
  Abstract found;
  if (has_kind(holder, ObjectKind::kTensor)) {
    const bool compute = std::all_of(names.begin(), names.end(), [](const std::string& name) {
      return classify_tensor_attribute(name).kind == OperationKind::kCompute;
    });
    if (names.empty() || !compute) return std::nullopt;
    for (const std::string& name : names) {
      for (const ObjectId id : holder.objects) join(found, bound_method(id, name, site));
    }
    return found;
  }
  if (names.empty()) {
    // Some function or other of the framework, or of an extension: that is one of those that it binds.
    for (const ObjectId id : holder.objects) {
      if (object(id).kind == ObjectKind::kExtension) {
        for (const auto& [bound, function] : bindings_) {
          if (bound.first == object(id).symbol) join(found, function_value(function, {}, site));
        }
        if (found.nothing()) return std::nullopt;
        continue;
      }
      if (object(id).kind != ObjectKind::kSymbol || !object(id).symbol.starts_with("torch")) return std::nullopt;
      join(found, symbol(object(id).symbol + ".?"));
    }
    return found;
  }
  for (const std::string& path : names) {
    Abstract at = holder;
    if (operands.size() > 2) std::erase_if(at.objects, [&](ObjectId id) { return lacks_attribute(id, path); });
    if (at.objects.size() < holder.objects.size()) join(found, operands[2]);
    if (at.nothing()) continue;
    for (std::size_t begin = 0; begin <= path.size();) {
      const std::size_t dot = std::min(path.find('.', begin), path.size());
      at = load_attribute(at, path.substr(begin, dot - begin), *site.statement, site);
      begin = dot + 1;
    }
    join(found, at);
  }
  if (operands.size() > 2 && !has_kind(found, ObjectKind::kSymbol)) join(found, operands[2]);
  return found;
}

// setattr(package, name, value): a store there, also when the name is not known.
std::optional<Abstract> Interpreter::set_attribute_by_name(const std::vector<Abstract>& operands,
                                                           const CallSite& site) {
  std::vector<std::string> names = texts_of(operands[1]);
  if (names.empty()) names.emplace_back("?");
  bool done = false;
  for (const ObjectId id : objects_of_kind(operands[0], ObjectKind::kSymbol)) {
    for (const std::string& name : names) note_foreign_store(object(id).symbol + "." + name, operands[2], site);
    done = true;
  }
  for (const ObjectId id : operands[0].objects) {
    if (!keeps_attributes(object(id).kind)) continue;
    const bool known = names.front() != "?";
    for (const std::string& name : names)
      write_field(id, known ? key_of(name) : kAnyKey, operands[2], known && names.size() == 1);
    done = true;
  }
  return done ? std::optional(constant(Json())) : std::nullopt;
}

// Classes derived from one: the candidate's own are known, any other is something of the process around it, and so is
// whatever is reached from there.
std::optional<Abstract> Interpreter::found_in_process(const std::string& callee, const std::vector<Abstract>& operands,
                                                      const CallSite& site) {
  if (callee.starts_with(kFound)) {
    // What is done there with tensors is not known.
    const bool tensors = std::any_of(operands.begin(), operands.end(), [&](const Abstract& operand) {
      if (has_kind(operand, ObjectKind::kTensor)) return true;
      return std::any_of(operand.objects.begin(), operand.objects.end(), [&](ObjectId id) {
        return object(id).kind == ObjectKind::kContainer && has_kind(all_fields(id), ObjectKind::kTensor);
      });
    });
    return tensors ? std::nullopt : std::optional(symbol(callee));
  }
  // vars(package).items(): something or other of the package under each name.
  const std::size_t table = callee.rfind(".__dict__.");
  if (const std::string_view view = table == std::string::npos ? "" : std::string_view(callee).substr(table + 10);
      (view == "items" || view == "values") && surroundings_of(callee.substr(0, table)) == Surroundings::kNothing) {
    const Abstract any = symbol(callee.substr(0, table) + ".?");
    const ObjectId list = make_object(ObjectKind::kContainer, site.where, site.context, 0);
    write_field(list, kAnyKey, view == "values" ? any : packed({open_value({}), any}, site, 1), false);
    return of_object(list);
  }
  if (!callee.ends_with(".__subclasses__")) return std::nullopt;
  const std::string owner = callee.substr(0, callee.size() - std::string_view(".__subclasses__").size());
  Id own = kNone;
  for (const Abstract& operand : operands) {
    for (const ObjectId id : objects_of_kind(operand, ObjectKind::kClass)) own = object(id).class_id;
  }
  for (std::size_t c = 0; own == kNone && c < facts_.classes.size(); ++c) {
    if (facts_.classes[c].qualified_name == owner) own = static_cast<Id>(c);
  }
  if (own == kNone) return symbol(std::string(kFound) + callee);
  const ObjectId list = make_object(ObjectKind::kContainer, site.where, site.context, 0);
  for (std::size_t c = 0; c < facts_.classes.size(); ++c) {
    const auto& bases = facts_.classes[c].base_classes;
    if (std::find(bases.begin(), bases.end(), own) == bases.end()) continue;
    const ObjectId made = make_object(ObjectKind::kClass, StatementRef{}, 0, static_cast<std::int64_t>(c));
    objects_[static_cast<std::size_t>(made)].class_id = static_cast<Id>(c);
    write_field(list, kAnyKey, of_object(made), false);
  }
  return of_object(list);
}

// What iterating gives, whichever step it is.
Abstract Interpreter::elements_of(const Abstract& value) {
  Abstract elements;
  for (const ObjectId id : value.objects) {
    const ObjectKind kind = object(id).kind;
    if (holds_elements(id)) {
      join(elements, all_fields(elements_held(id)));
    } else if (kind == ObjectKind::kContainer || kind == ObjectKind::kModule) {
      join(elements, all_fields(id));
    } else {
      merge_into(elements.objects, {id});
      elements.partial = true;
      if (const int position = argument_behind(id); phase_ == Phase::kForward && position >= 0)
        input_reads[position].other = true;
    }
  }
  merge_into(elements.nodes, value.nodes);
  if (elements.nothing() || value.open) elements.open = true;
  return elements;
}

// iter(value): of an own object what its __iter__ gives.
Abstract Interpreter::iterator_of(const Abstract& value, const CallSite& site) {
  if (value.nothing()) return open_value({});
  Abstract iterator = value;
  for (const ObjectId id : objects_of_kind(value, ObjectKind::kInstance)) {
    if (find_method(object(id).class_id, "__iter__") == kNone) continue;
    std::vector<Abstract> none;
    const auto made = call_method(of_object(id), "__iter__", none, {}, site);
    if (!made || made->objects == ObjectSet{id}) continue;
    std::erase(iterator.objects, id);
    join(iterator, *made);
  }
  return iterator;
}

// Iterators made of iterators: which of the elements a step gives is not told apart.
std::optional<Abstract> Interpreter::apply_iterator(const std::string& callee, std::vector<Abstract>& operands,
                                                    const CallSite& site) {
  if (!callee.starts_with("itertools.") || operands.empty()) return std::nullopt;
  const std::string name = callee.substr(10);
  Abstract elements;
  if (name == "repeat") {
    elements = operands[0];
  } else if (name == "chain") {
    for (const Abstract& each : operands) {
      // chain(*lists)
      const bool lists = site.statement->star_args && has_kind(each, ObjectKind::kContainer);
      join(elements, lists ? elements_of(elements_of(each)) : elements_of(each));
    }
  } else if (name == "chain.from_iterable") {
    elements = elements_of(elements_of(operands[0]));
  } else if (name == "pairwise") {
    const Abstract each = elements_of(operands[0]);
    elements = packed({each, each}, site, 2);
  } else if (name == "cycle" || name == "islice" || name == "tee") {
    elements = elements_of(operands[0]);
  } else if (name == "accumulate") {
    elements = elements_of(operands[0]);
    if (operands.size() > 1 && !only_null(operands[1])) {
      std::vector<Abstract> given{elements, elements};
      join(elements, call_object(operands[1], given, {}, site));
    }
  } else if ((name == "takewhile" || name == "dropwhile" || name == "filterfalse") && operands.size() > 1) {
    elements = elements_of(operands[1]);
    std::vector<Abstract> given{elements};
    call_object(operands[0], given, {}, site);
  } else if (name == "starmap" && operands.size() > 1) {
    const Abstract row = elements_of(operands[1]);
    std::vector<Abstract> given = items_in_order(row);
    elements = call_object(operands[0], given, {}, site);
  } else {
    return std::nullopt;
  }
  const ObjectId made = make_object(ObjectKind::kContainer, site.where, site.context, 0);
  write_field(made, kAnyKey, elements, false);
  Abstract iterator = of_object(made);
  for (std::size_t i = 1; i < operands.size(); ++i) {  // how many there are
    if (varies_between_calls(graph_, operands[i].nodes)) merge_into(iterator.nodes, operands[i].nodes);
  }
  if (name != "tee") return iterator;
  const ObjectId copies = make_object(ObjectKind::kContainer, site.where, site.context, 1);
  write_field(copies, kAnyKey, of_object(made), false);
  return of_object(copies);
}

// functools.reduce(f, items[, first]) of elements that only the call at hand knows.
std::optional<Abstract> Interpreter::apply_reduce(const std::vector<Abstract>& operands, const CallSite& site) {
  std::vector<Abstract> items = items_in_order(operands[1]);
  if (items.empty()) items.assign(2, elements_of(operands[1]));
  if (operands.size() > 2) items.insert(items.begin(), operands[2]);
  Abstract result = items.front();
  for (std::size_t i = 1; i < items.size(); ++i) {
    std::vector<Abstract> given{result, items[i]};
    result = call_object(operands[0], given, {}, site);
  }
  return result;
}

// The memory that an own object describes to those that read its __cuda_array_interface__.
std::optional<Abstract> Interpreter::shared_memory(const std::string& callee, const std::vector<Abstract>& operands,
                                                   const CallSite& site) {
  const bool reads = callee == "numba.cuda.as_cuda_array" || callee == "cupy.asarray" || callee == "torch.as_tensor";
  if (!reads || operands.empty() || !has_kind(operands[0], ObjectKind::kInstance)) return std::nullopt;
  const Abstract described = load_attribute(operands[0], "__cuda_array_interface__", *site.statement, site);
  Abstract memory;
  for (const ObjectId table : objects_of_kind(described, ObjectKind::kContainer)) {
    const Abstract data = read_field(table, key_of("data"));
    for (const ObjectId pair : objects_of_kind(data, ObjectKind::kContainer))
      join(memory, read_field(pair, key_of("#0")));
  }
  if (memory.nothing()) return std::nullopt;
  return memory;
}

// Whether objects of own classes lack an attribute that the candidate gives to some of them.
bool Interpreter::certainly_lacks(const Abstract& holder, const Abstract& name) {
  const auto word = text_of(name);
  return word && attributes_.contains(*word) && !holder.open && !holder.objects.empty() &&
         std::all_of(holder.objects.begin(), holder.objects.end(), [&](ObjectId id) {
           return object(id).kind == ObjectKind::kInstance && !holds_elements(id) && lacks_attribute(id, *word);
         });
}

std::optional<Abstract> Interpreter::apply_reflection(const std::string& callee, std::vector<Abstract>& operands,
                                                      const Keywords& keywords, const CallSite& site) {
  if (auto found = found_in_process(callee, operands, site)) return found;
  if (in_native(site.where.function)) return std::nullopt;
  if (callee == "builtins.getattr" && operands.size() >= 2) return attribute_by_name(operands, site);
  if (sets_attribute(callee) && operands.size() == 3) return set_attribute_by_name(operands, site);
  if (callee.ends_with(".__setattr__") && operands.size() == 2) {  // of a package
    const Abstract package = symbol(callee.substr(0, callee.rfind('.')));
    return set_attribute_by_name({package, operands[0], operands[1]}, site);
  }
  if (const bool merges = callee == "operator.ior" || callee == "operator.or_";
      (merges && operands.size() == 2 && operands[0].objects == symbol("os.environ").objects) ||
      callee == "os.environ.update") {
    for (const ObjectId id : objects_of_kind(operands.back(), ObjectKind::kContainer)) {
      std::vector<std::pair<Abstract, Abstract>> entries;
      for_each_field(id, [&](KeyId key, const Abstract& held) {
        const bool word = key != kAnyKey && !key_names_[static_cast<std::size_t>(key)].starts_with('#');
        if (word) entries.emplace_back(constant(Json(key_names_[static_cast<std::size_t>(key)])), held);
        for (const ObjectId row : word ? ObjectSet{} : objects_of_kind(held, ObjectKind::kContainer))
          entries.emplace_back(read_field(row, key_of("#0")), read_field(row, key_of("#1")));
      });
      for (const auto& [names, held] : entries) {
        for (const std::string& name : texts_of(names)) note_foreign_store("os.environ." + name, held, site);
      }
    }
  }
  if (const bool asks = callee == "builtins.hasattr" || callee == "operator.contains";
      (asks || callee == "operator.not_contains") && operands.size() == 2 && certainly_lacks(operands[0], operands[1]))
    return constant(Json(!asks));
  if (callee == "functools.reduce" && operands.size() >= 2) return apply_reduce(operands, site);
  if (callee == "operator.call" && !operands.empty()) {
    std::vector<Abstract> given(operands.begin() + 1, operands.end());
    return call_object(operands[0], given, keywords, site);
  }
  if (callee == "numpy.random.default_rng" || callee == "numpy.random.RandomState" ||
      callee == "cupy.random.default_rng")
    return symbol("numpy.random.Generator");
  if (callee == "functools.singledispatch" && !operands.empty())
    return bound_arguments(symbol(callee), {Abstract{}, operands[0]}, site);
  if (const auto memory = shared_memory(callee, operands, site)) return memory;
  if (callee == "weakref.proxy" && !operands.empty()) return operands[0];
  if (callee == "weakref.ref" && !operands.empty() && !has_kind(operands[0], ObjectKind::kTensor))
    return bound_arguments(symbol(callee), {Abstract{}, operands[0]}, site);
  if (callee == "threading.local") return of_object(make_object(ObjectKind::kContainer, site.where, site.context, 730));
  if (is_getter(callee) && !operands.empty()) {
    std::vector<Abstract> leading{Abstract{}};
    leading.insert(leading.end(), operands.begin(), operands.end());
    return bound_arguments(symbol(callee), leading, site);
  }
  if ((callee == "builtins.max" || callee == "builtins.min" || callee == "random.choice") && operands.size() == 1) {
    // One of several objects: a class, a function, an entry of a registry.
    Abstract chosen = elements_of(operands[0]);
    if (has_kind(chosen, ObjectKind::kClass) || has_kind(chosen, ObjectKind::kFunction) ||
        has_kind(chosen, ObjectKind::kInstance) || has_kind(chosen, ObjectKind::kContainer))
      return chosen;
  }
  if (auto iterator = apply_iterator(callee, operands, site)) return iterator;
  return apply_text(callee, operands, site);
}

// Whether a value that may be called is the function that a call of several was lowered for.
Abstract Interpreter::selects(Frame& frame, const Statement& statement, const CallSite& site) {
  if (statement.args.size() != 2 || statement.args[1] == kNone) return value_from_facts(statement.result, site);
  const Abstract called = value(frame, statement.args[0]);
  const Value& choice = facts_.values[static_cast<std::size_t>(statement.args[1])];
  const Id function = choice.function;
  if (function == kNone && choice.class_id != kNone && !called.open && !called.objects.empty()) {  // an object of it
    const auto of_class = [&](ObjectId id) {
      return object(id).kind == ObjectKind::kInstance && object(id).class_id == choice.class_id;
    };
    const auto are = std::count_if(called.objects.begin(), called.objects.end(), of_class);
    if (are == 0 || are == std::ssize(called.objects)) return constant(Json(are != 0));
  }
  const auto callable = [&](ObjectId id) {
    const ObjectKind kind = object(id).kind;
    return kind == ObjectKind::kFunction || kind == ObjectKind::kSymbol || kind == ObjectKind::kClass ||
           kind == ObjectKind::kModule;
  };
  const bool functions = function != kNone && !called.open && !called.objects.empty() &&
                         std::all_of(called.objects.begin(), called.objects.end(), callable);
  const auto is_it = [&](ObjectId id) { return object(id).function == function; };
  if (functions && std::none_of(called.objects.begin(), called.objects.end(), is_it)) return constant(Json(false));
  if (functions && std::all_of(called.objects.begin(), called.objects.end(), is_it)) return constant(Json(true));
  Abstract either = value_from_facts(statement.result, site);
  merge_into(either.nodes, called.nodes);  // by which it was taken out of a table
  return either;
}

// What an attribute of an own class's instance holds, by its name alone.
Abstract Interpreter::instance_attribute(Id class_id, const std::string& name) const {
  Abstract held;
  const auto [first, last] = attributes_.equal_range(name);
  for (auto it = first; it != last; ++it) {
    const Storage& storage = facts_.storages[static_cast<std::size_t>(it->second)];
    if (storage.owner_class != kNone && !related(storage.owner_class, class_id)) continue;
    if (const Abstract* stored = state_.storage.find(map_key(canonical_storage(it->second)))) join(held, *stored);
  }
  return held;
}

// What a class holds under a name, or the first above it that does.
Abstract Interpreter::class_attribute(Id class_id, const std::string& name) const {
  for (const Id each : class_order(class_id)) {
    const auto [first, last] = class_attributes_.equal_range(name);
    for (auto it = first; it != last; ++it) {
      if (facts_.storages[static_cast<std::size_t>(it->second)].owner_class != each) continue;
      if (const Abstract* stored = state_.storage.find(map_key(canonical_storage(it->second)))) return *stored;
    }
  }
  return {};
}

Abstract Interpreter::function_attribute(Id function, const std::string& name) const {
  for (std::size_t s = 0; s < facts_.storages.size(); ++s) {
    const Storage& storage = facts_.storages[s];
    if (storage.kind != StorageKind::kFunctionAttribute || storage.owner_function != function || storage.name != name)
      continue;
    if (const Abstract* stored = state_.storage.find(map_key(canonical_storage(static_cast<Id>(s))))) return *stored;
  }
  return {};
}

// Whether one of two own classes derives from the other.
bool Interpreter::related(Id a, Id b) const {
  const std::vector<Id> of_a = class_order(a);
  const std::vector<Id> of_b = class_order(b);
  return std::find(of_a.begin(), of_a.end(), b) != of_a.end() || std::find(of_b.begin(), of_b.end(), a) != of_b.end();
}

}  // namespace kernel_audit::analysis::facts
