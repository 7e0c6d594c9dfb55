#include "analysis/rules/host_numbers.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/facts/call_chain.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::ContextId;
using facts::Function;
using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;
using facts::StatementKind;
using facts::StatementRef;
using facts::StorageKind;

namespace {

constexpr int kDeepest = 60;

HostNumbers::Value whole(double number) { return {number, false, {}}; }

double product(const HostNumbers::Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), 1.0, std::multiplies<>());
}

HostNumbers::Value from_json(const Json& json) {
  if (json.is_boolean()) return whole(json.get<bool>() ? 1 : 0);
  if (json.is_number()) return whole(json.get<double>());
  HostNumbers::Value value;
  if (json.is_array()) {
    value.list = true;
    for (const Json& item : json) value.items.push_back(from_json(item));
  }
  return value;
}

}  // namespace

HostNumbers::HostNumbers(const Model& model) : model_(model), made_(model.facts().values.size()) {
  const auto& functions = model.facts().functions;
  for (std::size_t f = 0; f < functions.size(); ++f) {
    if (functions[f].class_id == kNone && functions[f].name == "get_inputs") inputs_ = static_cast<Id>(f);
    if (functions[f].class_id == kNone && functions[f].name == "get_init_inputs") init_inputs_ = static_cast<Id>(f);
    for (std::size_t b = 0; b < functions[f].blocks.size(); ++b) {
      const auto& statements = functions[f].blocks[b].statements;
      for (std::size_t i = 0; i < statements.size(); ++i) {
        const Statement& s = statements[i];
        const Place place{&s, {static_cast<Id>(f), static_cast<Id>(b), static_cast<Id>(i)}};
        if (s.result != kNone) made_[static_cast<std::size_t>(s.result)] = place;
        if (s.kind == StatementKind::kStore && s.location.storage != kNone)
          stores_[s.location.storage].push_back(place);
        if (s.target != kNone) callers_[s.target].push_back(place);
        if (s.kind == StatementKind::kCall) note_handed_out(s);
      }
    }
  }
  note_growth();
}

// cudaGetDevice(&device): the address is made before the call.
void HostNumbers::note_handed_out(const Statement& call) {
  if (call.callee.starts_with("operator.") || call.callee.starts_with("builtins.")) return;
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    const Statement* address = made_at(call.args[i]).statement;
    if (address == nullptr || address->callee != "operator.addressof" || address->args.empty()) continue;
    const Statement* load = made_at(address->args[0]).statement;
    if (load == nullptr || load->kind != StatementKind::kLoad || load->location.storage == kNone) continue;
    if (call.target == kNone || !only_read(call.target, i)) handed_out_.insert(load->location.storage);
    constexpr int kMultiProcessorCount = 16;  // cudaDevAttrMultiProcessorCount
    const Json* attribute = call.args.size() > 1 ? constant_of(model_, call.args[1]) : nullptr;
    if (call.callee == "cudaDeviceGetAttribute" && attribute != nullptr && *attribute == Json(kMultiProcessorCount))
      processors_.insert(load->location.storage);
  }
}

// Whether a function of C++ leaves what a reference parameter denotes as it is, and hands it on to nobody.
bool HostNumbers::only_read(Id function, std::size_t parameter) const {
  const Function& body = model_.function(function);
  if (!model_.native(function) || parameter >= body.parameters.size() || body.blocks.empty() ||
      body.parameters[parameter].type.kind == facts::TypeKind::kPointer)
    return false;
  const Id storage = body.parameters[parameter].storage;
  std::set<Id> loaded;
  for (const facts::Block& block : body.blocks) {
    for (const Statement& s : block.statements) {
      const bool of_it = s.location.storage == storage;
      if (s.kind == StatementKind::kLoad && of_it && !s.location.element) loaded.insert(s.result);
      if (s.kind == StatementKind::kStore && (of_it || loaded.contains(s.location.base) || loaded.contains(s.value)))
        return false;
      if (s.callee == "operator.addressof" && loaded.contains(s.args[0])) return false;
    }
  }
  return true;
}

int HostNumbers::add(Frame frame) {
  frames_.push_back(frame);
  return static_cast<int>(frames_.size()) - 1;
}

int HostNumbers::frame(const StatementRef& where, ContextId context) {
  const std::vector<facts::CallSite> chain = facts::call_chain(model_.provenance(), where, context);
  int around = -1;
  for (std::size_t i = chain.size(); i-- > 0;) {  // outermost first
    const Statement* call = i + 1 < chain.size() ? model_.statement(chain[i + 1].where) : nullptr;
    if (call == nullptr) around = -1;
    if (chain[i].where.known()) around = add({chain[i].where.function, call, nullptr, around});
  }
  return around;
}

int HostNumbers::frame_by_caller(Id function) {
  const auto [known, fresh] = function_frames_.try_emplace(function, -1);
  if (!fresh) return known->second < 0 ? add({function, nullptr, nullptr, -1}) : known->second;
  const auto callers = callers_.find(function);
  if (callers == callers_.end() || callers->second.size() != 1)
    return function_frames_[function] = add({function, nullptr, nullptr, -1});
  const Place& call = callers->second.front();
  return function_frames_[function] = add({function, call.statement, nullptr, frame_by_caller(call.where.function)});
}

HostNumbers::Place HostNumbers::made_at(Id value) const {
  return value == kNone ? Place{} : made_[static_cast<std::size_t>(value)];
}

std::optional<HostNumbers::Held> HostNumbers::handed(Id function, std::size_t parameter, int frame) {
  const Frame& in = frames_[static_cast<std::size_t>(frame)];
  const Function& callee = model_.function(function);
  const bool made_by_task = in.call == nullptr && callee.name == "__init__" && callee.class_id != kNone &&
                            callee.class_id == model_.facts().entry_class && init_inputs_ != kNone && parameter > 0;
  if (made_by_task) {
    const int inputs = add({init_inputs_, nullptr, nullptr, -1});
    const Made list = origin(returned(init_inputs_, inputs), inputs);
    if (list.statement == nullptr || list.statement->callee != "builtins.list" ||
        parameter > list.statement->args.size())
      return std::nullopt;
    return Held{list.statement->args[parameter - 1], list.frame};
  }
  if (in.call == nullptr || in.function != function || parameter >= callee.parameters.size()) return std::nullopt;
  for (const auto& [name, value] : in.call->keywords) {
    if (name == callee.parameters[parameter].name) return Held{value, in.around};
  }
  const bool method =
      callee.class_id != kNone && !callee.is_static_method && (in.call->receiver != kNone || callee.name == "__init__");
  if (method && parameter == 0) return Held{in.call->receiver, in.around};
  const std::size_t at = parameter - (method ? 1 : 0);
  if (in.call->star_args) return std::nullopt;
  if (at < in.call->args.size()) return Held{in.call->args[at], in.around};
  const Id standing = callee.parameters[parameter].default_value;
  return standing == kNone ? std::nullopt : std::optional(Held{standing, in.around});
}

// Stores there have not run when the loop is come to.
bool HostNumbers::in_entered_loop(Id function, Id block) const {
  return entered_.first == function && entered_.second != block &&
         model_.run().flow(function).dominates(entered_.second, block);
}

std::optional<HostNumbers::Held> HostNumbers::held(const Place& load, int frame) {
  const Id storage = load.statement->location.storage;
  if (storage == kNone || handed_out_.contains(storage) || (deciding_ && handed_out(load.where.function, storage)))
    return std::nullopt;
  const facts::Storage& place = model_.facts().storages[static_cast<std::size_t>(storage)];
  const auto found = stores_.find(storage);
  const std::vector<Place> none;
  const std::vector<Place>& stores = found == stores_.end() ? none : found->second;
  const Id function = load.where.function;
  const auto& parameters = model_.function(function).parameters;
  const auto parameter = std::find_if(parameters.begin(), parameters.end(),
                                      [&](const facts::Parameter& each) { return each.storage == storage; });
  if (place.kind == StorageKind::kLocal || place.kind == StorageKind::kClosure) {
    // The last store before it, when it surely ran.
    const Place* last = nullptr;
    const auto& flow = model_.run().flow(function);
    for (const Place& store : stores) {
      if (store.where.function != function || in_entered_loop(function, store.where.block)) continue;
      if (store.statement->augmented || store.statement->location.element) return std::nullopt;
      const bool before = store.where.block == load.where.block ? store.where.index < load.where.index
                                                                : flow.dominates(store.where.block, load.where.block);
      if (before && (last == nullptr || last->where < store.where)) last = &store;
      if (!before && parameter == parameters.end() && stores.size() > 1 &&
          !(runs_in(function, frame) && kept_from(store.where.block, frame)))
        return std::nullopt;
    }
    if (last != nullptr) return Held{last->statement->value, frame};
    if (parameter != parameters.end())
      return handed(function, static_cast<std::size_t>(parameter - parameters.begin()), frame);
    for (int at = frame; at >= 0 && stores.size() == 1; at = frames_[static_cast<std::size_t>(at)].around) {
      if (frames_[static_cast<std::size_t>(at)].function == stores[0].where.function)
        return Held{stores[0].statement->value, at};
    }
    return std::nullopt;
  }
  const bool lasting = place.kind == StorageKind::kGlobal || place.kind == StorageKind::kInstanceAttribute ||
                       place.kind == StorageKind::kClassAttribute;
  const Place* only = nullptr;
  for (const Place& store : stores) {
    if (after_first_step(store, load, frame)) continue;
    if (only != nullptr || store.statement->augmented) return std::nullopt;
    only = &store;
  }
  if (!lasting || only == nullptr) return std::nullopt;
  if (deciding_ && (model_.native(function) || others_store(storage))) return std::nullopt;
  if (deciding_ && model_.reached(only->where.function, facts::Phase::kForward))
    return made_with(*only, load.statement->location.base, frame);
  return Held{only->statement->value, frame_by_caller(only->where.function)};
}

std::optional<Json> HostNumbers::key_of(Id key, int frame, int depth) {
  if (const Json* constant = constant_of(model_, key)) return *constant;
  const auto number = of(key, frame, depth + 1).number;
  return number ? std::optional(Json(static_cast<std::int64_t>(*number))) : std::nullopt;
}

// a, b = x, y; plan["rank"]
std::optional<HostNumbers::Held> HostNumbers::element_of(const Made& container, Id place, int frame, int depth) {
  const Statement* made = container.statement;
  const auto key = made == nullptr || grown(*made) ? std::nullopt : key_of(place, frame, depth);
  if (!key) return std::nullopt;
  if (made->callee == "builtins.dict") {
    for (std::size_t i = 0; i + 1 < made->args.size(); i += 2) {
      const Json* name = constant_of(model_, made->args[i]);
      if (name != nullptr && *name == *key) return Held{made->args[i + 1], container.frame};
    }
    return std::nullopt;
  }
  if (!one_of(made->callee, {"builtins.tuple", "builtins.list"}) || !key->is_number_integer()) return std::nullopt;
  const auto count = static_cast<std::int64_t>(made->args.size());
  auto at = key->get<std::int64_t>();
  if (at < 0) at += count;
  if (at < 0 || at >= count) return std::nullopt;
  return Held{made->args[static_cast<std::size_t>(at)], container.frame};
}

HostNumbers::Made HostNumbers::origin(Id value, int frame, int depth) {
  const Place at = made_at(value);
  if (depth > kDeepest || frame < 0 || ++steps_ > kMostSteps) return {};
  if (at.statement == nullptr) {
    const Id function = frames_[static_cast<std::size_t>(frame)].function;
    const auto& parameters = model_.function(function).parameters;
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      if (value == kNone || parameters[p].value != value) continue;
      if (const auto given = handed(function, p, frame)) return origin(given->value, given->frame, depth + 1);
    }
    const Frame& in = frames_[static_cast<std::size_t>(frame)];  // the object that a method is called on
    const bool itself = value != kNone && model_.value(value).class_id != kNone && in.call != nullptr &&
                        model_.value(value).origin == facts::OriginKind::kArgument;
    return itself ? origin(in.call->receiver, in.around, depth + 1) : Made{};
  }
  if (at.statement->kind == StatementKind::kPhi) {
    const Id one = chosen(*at.statement, at.where, frame);
    return one == kNone ? Made{at.statement, frame} : origin(one, frame, depth + 1);
  }
  if (at.statement->kind != StatementKind::kLoad) return {at.statement, frame};
  if (at.statement->location.element) {
    Made whole_value = origin(at.statement->location.base, frame, depth + 1);
    const Statement* list = whole_value.statement;
    if (list != nullptr && list->target != kNone && list->kind == StatementKind::kCall && nested_ <= kMostNested) {
      const Nested nested(nested_);  // of what an own function returns
      const int inside = add({list->target, list, nullptr, whole_value.frame});
      whole_value = origin(returned(list->target, inside), inside, depth + 1);
    }
    const auto element = element_of(whole_value, at.statement->location.key, frame, depth);
    return element ? origin(element->value, element->frame, depth + 1) : Made{at.statement, frame};
  }
  auto found = held(at, frame);
  if (!found) found = member(*at.statement, frame, depth);
  return found ? origin(found->value, found->frame, depth + 1) : Made{at.statement, frame};
}

HostNumbers::Value HostNumbers::of(Id id, int frame, int depth) {
  if (id == kNone || frame < 0 || depth > kDeepest || ++steps_ > kMostSteps) return {};
  const facts::Value& value = model_.value(id);
  if (value.constant) return from_json(*value.constant);
  const Place at = made_at(id);
  if (at.statement == nullptr) {
    const Made made = origin(id, frame, depth + 1);
    if (made.statement == nullptr || made.statement->result == id || made.statement->result == kNone) return {};
    return of(made.statement->result, made.frame, depth + 1);
  }
  const Statement& s = *at.statement;
  if (s.kind == StatementKind::kLoad) {
    if (s.location.element) {
      const Frame& in = frames_[static_cast<std::size_t>(frame)];
      const Json* key = constant_of(model_, s.location.key);
      if (in.launch != nullptr && key != nullptr && key->is_string()) {  // meta["BLOCK"]
        for (const auto& [name, given] : in.launch->keywords) {
          if (name == key->get<std::string>()) return of(given, in.around, depth + 1);
        }
        return {};
      }
      if (const auto element = element_of(origin(s.location.base, frame, depth + 1), s.location.key, frame, depth))
        return of(element->value, element->frame, depth + 1);
      const Value base = of(s.location.base, frame, depth + 1);
      const Value index = of(s.location.key, frame, depth + 1);
      if (!base.list || !index.number) return {};
      const auto count = static_cast<std::int64_t>(base.items.size());
      auto place = static_cast<std::int64_t>(*index.number);
      if (place < 0) place += count;
      return place >= 0 && place < count ? base.items[static_cast<std::size_t>(place)] : Value{};
    }
    if (is_first_place(s, frame)) return whole(0);
    if (processors_.contains(s.location.storage)) return whole(kProcessors);
    auto found = held(at, frame);
    if (!found) found = member(s, frame, depth);
    if (found) return of(found->value, found->frame, depth + 1);
    if (const Value given = spread(s.location.storage, frame, depth); given.number || given.list) return given;
    return of_attribute(s, frame, depth + 1);
  }
  if (s.kind == StatementKind::kPhi) {
    if ((s.callee == "or" || s.callee == "and") && s.args.size() == 2) {
      const auto first = truth(s.args[0], frame, depth + 1);
      if (first) return of(s.args[*first == (s.callee == "or") ? 0 : 1], frame, depth + 1);
      if (s.callee == "or") return {};
    }
    if (const Id one = chosen(s, at.where, frame); one != kNone) return of(one, frame, depth + 1);
    Value all;
    for (const Id arg : s.args) {
      const Value one = of(arg, frame, depth + 1);
      if (!one.number || (all.number && all.number != one.number)) return {};
      all = one;
    }
    return all;
  }
  return s.kind == StatementKind::kCall ? of_call(s, frame, depth + 1) : Value{};
}

HostNumbers::Value HostNumbers::of_attribute(const Statement& load, int frame, int depth) {
  if (load.location.storage == kNone) return {};
  const std::string& name = model_.facts().storages[static_cast<std::size_t>(load.location.storage)].name;
  if (name == "multi_processor_count" || name == "multiProcessorCount") return whole(kProcessors);
  if (name == "shape") {
    Value value;
    const auto known = shape(load.location.base, frame, depth + 1);
    if (!known) return {};
    value.list = true;
    for (const double size : *known) value.items.push_back(whole(size));
    return value;
  }
  const Made module = origin(load.location.base, frame, depth + 1);
  if (module.statement == nullptr) return {};
  if (module.statement->callee == "types.SimpleNamespace") {
    for (const auto& [field, given] : module.statement->keywords) {
      if (field == name) return of(given, module.frame, depth + 1);
    }
  }
  if (!module.statement->callee.starts_with("torch.nn.")) return {};
  const auto& args = module.statement->args;
  const auto given = [&](std::size_t i) { return i < args.size() ? of(args[i], module.frame, depth + 1) : Value{}; };
  if (one_of(name, {"in_features", "in_channels", "num_features", "num_embeddings", "num_groups"})) return given(0);
  if (one_of(name, {"out_features", "out_channels", "embedding_dim", "num_channels"})) return given(1);
  return {};
}

// What every element of a tensor is that was filled with a number and that nothing changes.
HostNumbers::Value HostNumbers::filled_with(Id tensor, int frame, int depth) {
  const Made made = origin(tensor, frame, depth + 1);
  if (made.statement == nullptr || made.statement->receiver != kNone || grown(*made.statement)) return {};
  if (one_of(made.statement->callee, {"torch.zeros", "torch.zeros_like"})) return whole(0);
  if (one_of(made.statement->callee, {"torch.ones", "torch.ones_like"})) return whole(1);
  return {};
}

// What an own function returns.
HostNumbers::Value HostNumbers::result_of(const Statement& call, int frame, int depth) {
  if (nested_ > kMostNested) return {};
  const Nested nested(nested_);
  const int inside = add({call.target, &call, nullptr, frame});
  return of(returned(call.target, inside), inside, depth + 1);
}

// Elements of the task's inputs, where all of them are made as floats.
HostNumbers::Value HostNumbers::in_bytes(double elements) const {
  constexpr double kFloat = 4;
  if (inputs_ == kNone) return {};
  for (const facts::Block& block : model_.function(inputs_).blocks) {
    for (const Statement& s : block.statements) {
      if (s.kind != StatementKind::kCall || s.callee.starts_with("builtins.") || s.callee.starts_with("operator."))
        continue;
      if (!one_of(s.callee, {"torch.rand", "torch.randn", "torch.zeros", "torch.ones"}) || !s.keywords.empty())
        return {};
    }
  }
  return whole(elements * kFloat);
}

HostNumbers::Value HostNumbers::of_call(const Statement& s, int frame, int depth) {
  if (s.target != kNone) return result_of(s, frame, depth);
  const std::string& name = s.callee;
  const std::string last = last_part(name);
  if (one_of(name, {"builtins.tuple", "builtins.list", "dim3::dim3", "torch.Size", "c10::IntArrayRef::IntArrayRef"})) {
    Value list;
    if (grown(s)) return list;
    list.list = true;
    for (const Id arg : s.args) list.items.push_back(of(arg, frame, depth + 1));
    if (s.args.size() == 1 && list.items[0].list) return list.items[0];
    return list;
  }
  if (s.receiver != kNone && one_of(last, {"element_size", "itemsize"})) return in_bytes(1);
  if (s.receiver != kNone && last == "nbytes") {
    const Made storage = origin(s.receiver, frame, depth + 1);  // of the whole tensor, where it is no view of another
    const bool whole = storage.statement != nullptr && last_part(storage.statement->callee) == "untyped_storage";
    const auto known = whole ? shape(storage.statement->receiver, storage.frame, depth + 1) : std::nullopt;
    return known ? in_bytes(product(*known)) : Value{};
  }
  if (s.receiver != kNone && last == "storage_offset") {
    const Made tensor = origin(s.receiver, frame, depth + 1);
    const bool whole = tensor.statement != nullptr && last_part(tensor.statement->callee) == "contiguous";
    return whole ? Value{0.0, false, {}} : Value{};
  }
  if (s.receiver != kNone && one_of(last, {"size", "numel", "nelement", "dim", "sizes"})) {
    const auto known = shape(s.receiver, frame, depth + 1);
    if (!known) return {};
    if (last == "numel" || last == "nelement") return whole(product(*known));
    if (last == "dim") return whole(static_cast<double>(known->size()));
    if (s.args.empty()) {
      Value list;
      list.list = true;
      for (const double size : *known) list.items.push_back(whole(size));
      return list;
    }
    const auto axis = of(s.args[0], frame, depth + 1).number;
    if (!axis) return {};
    const auto place = static_cast<std::int64_t>(*axis < 0 ? *axis + static_cast<double>(known->size()) : *axis);
    return place >= 0 && place < std::ssize(*known) ? whole((*known)[static_cast<std::size_t>(place)]) : Value{};
  }
  if (name == "builtins.next") {  // of a loop with one turn
    const auto range = range_of(s, frame);
    return range && range->second - range->first == 1 ? whole(range->first) : Value{};
  }
  if (last == "get" && s.receiver != kNone && !s.args.empty()) {
    const Made dict = origin(s.receiver, frame, depth + 1);
    if (const auto found = element_of(dict, s.args[0], frame, depth)) return of(found->value, found->frame, depth + 1);
    const bool without = dict.statement != nullptr && dict.statement->callee == "builtins.dict" &&
                         !grown(*dict.statement) && key_of(s.args[0], frame, depth) && s.args.size() > 1;
    return without ? of(s.args[1], frame, depth + 1) : Value{};
  }
  if (last == "item" && s.receiver != kNone) return filled_with(s.receiver, frame, depth);
  if (one_of(name, {"builtins.int", "builtins.float", "builtins.bool"}) && s.args.size() == 1) {
    const Value filled = filled_with(s.args[0], frame, depth);
    if (filled.number) return filled;
  }
  std::vector<Value> args;
  for (const Id arg : s.args) args.push_back(of(arg, frame, depth + 1));
  if (name == "builtins.sum" && args.size() == 1 && args[0].list && args[0].items.empty()) return whole(0);
  if (last == "len" && args.size() == 1 && args[0].list) return whole(static_cast<double>(args[0].items.size()));
  if (name == "builtins.len" && s.args.size() == 1) {
    const auto length = length_of_object(origin(s.args[0], frame, depth + 1), depth);
    return length ? whole(*length) : Value{};
  }
  if (one_of(name, {"math.prod", "builtins.sum", "builtins.max", "builtins.min"}) && args.size() == 1 && args[0].list)
    args = args[0].items;
  if (args.empty() || std::any_of(args.begin(), args.end(), [](const Value& arg) { return !arg.number; })) return {};
  const double a = *args[0].number, b = args.size() > 1 ? *args[1].number : 0;
  const auto all = [&](auto combine) {
    double result = a;
    for (std::size_t i = 1; i < args.size(); ++i) result = combine(result, *args[i].number);
    return whole(result);
  };
  if (last == "prod") return all(std::multiplies<>());
  if (name == "builtins.sum") return all(std::plus<>());
  if (last == "max" || last == "min")
    return all([&](double x, double y) { return last == "max" ? std::max(x, y) : std::min(x, y); });
  if (args.size() == 1) {
    if (one_of(last, {"cast", "int", "float", "pos", "index"})) return last == "int" ? whole(std::trunc(a)) : args[0];
    if (last == "neg") return whole(-a);
    if (last == "invert") return whole(-a - 1);
    if (last == "ceil") return whole(std::ceil(a));
    if (last == "floor") return whole(std::floor(a));
    if (last == "round") return whole(std::nearbyint(a));
    if (last == "sqrt") return whole(std::sqrt(a));
    if (last == "log2") return whole(std::log2(a));
    if (last == "next_power_of_2" && a >= 1) return whole(std::exp2(std::ceil(std::log2(a))));
    if (last == "bit_length" && a >= 1) return whole(std::floor(std::log2(a)) + 1);
    return {};
  }
  if (args.size() != 2) return {};
  if (one_of(last, {"add", "iadd"})) return whole(a + b);
  if (name == "operator.lt") return whole(a < b ? 1 : 0);
  if (name == "operator.le") return whole(a <= b ? 1 : 0);
  if (name == "operator.gt") return whole(a > b ? 1 : 0);
  if (name == "operator.ge") return whole(a >= b ? 1 : 0);
  if (name == "operator.eq") return whole(a == b ? 1 : 0);
  if (name == "operator.ne") return whole(a != b ? 1 : 0);
  if (one_of(last, {"sub", "isub"})) return whole(a - b);
  if (one_of(last, {"mul", "imul"})) return whole(a * b);
  if (last == "pow") return whole(std::pow(a, b));
  const auto x = static_cast<std::int64_t>(a), y = static_cast<std::int64_t>(b);
  if (one_of(last, {"and_", "iand"})) return whole(static_cast<double>(x & y));
  if (one_of(last, {"or_", "ior"})) return whole(static_cast<double>(x | y));
  if (one_of(last, {"xor", "ixor"})) return whole(static_cast<double>(x ^ y));
  if (last == "lshift") return whole(a * std::exp2(b));
  if (last == "rshift") return whole(std::floor(a / std::exp2(b)));
  if (b == 0) return {};
  if (last == "truediv") return whole(a / b);
  if (last == "floordiv" || last == "ifloordiv") return whole(std::floor(a / b));
  if (last == "mod") return whole(a - b * std::floor(a / b));
  if (last == "cdiv" || last == "ceil_div" || last == "ceildiv") return whole(std::ceil(a / b));
  if (last == "divmod") return {std::nullopt, true, {whole(std::floor(a / b)), whole(a - b * std::floor(a / b))}};
  return {};
}

std::map<std::string, double> HostNumbers::fields(Id object, int frame, const std::string& class_name) {
  std::map<std::string, double> found;
  const Made made = origin(object, frame);
  const auto& classes = model_.facts().classes;
  const auto known =
      std::find_if(classes.begin(), classes.end(), [&](const facts::Class& each) { return each.name == class_name; });
  if (made.statement == nullptr || made.statement->target != kNone || known == classes.end()) return found;
  const bool here = made.frame == frame;  // else a reference to it is handed on, and whoever has it may change it
  const Id home = frames_[static_cast<std::size_t>(made.frame)].function;
  const bool filled = made.statement->callee == class_name || made.statement->callee == "builtins.list";
  const std::vector<Id>& values = made.statement->args;
  for (std::size_t i = 0; i < known->attributes.size(); ++i) {
    const std::string& name = known->attributes[i].first;
    std::vector<Id> set;  // after that
    bool changed = false;
    for (const auto& [storage, stores] : stores_) {
      if (model_.facts().storages[static_cast<std::size_t>(storage)].name != name) continue;
      for (const Place& store : stores) {
        if (store.where.function == home && store.statement->location.base != kNone &&
            origin(store.statement->location.base, made.frame).statement == made.statement)
          set.push_back(store.statement->augmented ? kNone : store.statement->value);
        changed = changed || (!here && store.where.function != home);
      }
    }
    if (changed) continue;
    const Id first = filled && i < values.size() ? values[i] : kNone;
    const auto value = set.size() > 1 ? std::nullopt : number(set.empty() ? first : set.front(), made.frame);
    if (value) found.emplace(name, *value);
  }
  return found;
}

std::vector<double> HostNumbers::grid(const Statement& launch, Id value, int frame) {
  if (value == kNone) return {};
  for (int hops = 0; hops < 8; ++hops) {  // a function of the launch's settings may be in a variable
    const Place at = made_at(value);
    if (at.statement == nullptr || at.statement->kind != StatementKind::kLoad || at.statement->location.element) break;
    const auto found = held(at, frame);
    if (!found) break;
    value = found->value;
    frame = found->frame;
  }
  // What the framework's compiler writes: as many blocks as these elements need.
  const Statement* made = made_at(value).statement;
  if (made != nullptr && made->callee.ends_with(".triton_heuristics.grid") && made->args.size() == 1) {
    const auto elements = number(made->args[0], frame);
    for (const auto& [name, given] : launch.keywords) {
      const auto block = name == "XBLOCK" ? number(given, frame) : std::nullopt;
      if (elements && block && *block > 0) return {std::ceil(*elements / *block)};
    }
    return {};
  }
  const Id function = model_.value(value).function;
  const int inside = function == kNone ? frame : add({function, nullptr, &launch, frame});
  const Value sizes = of(function == kNone ? value : returned(function, inside), inside);
  std::vector<double> grid;
  if (sizes.number) return {*sizes.number};
  for (const Value& axis : sizes.items) {
    if (!axis.number) return {};
    grid.push_back(*axis.number);
  }
  return grid;
}

}  // namespace kernel_audit::analysis::rules
