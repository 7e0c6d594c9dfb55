// Python generators that are driven step by step: what is sent or thrown into them, and what their bodies keep from one
// step to the next. All that a suspended body holds lies in fields of its object, so that it ages, joins and is found
// like anything else that outlives a call. Generators that are only iterated are run through where they are made.
#include <algorithm>
#include <charconv>

#include "analysis/facts/interpreter.h"
#include "analysis/facts/interpreter_frame.h"

namespace kernel_audit::analysis::facts {
namespace {

constexpr int kDrainedSteps = 4;  // of a generator that is handed over as a whole

// Names of the fields of a generator; numbers follow the first three.
constexpr char kPlace[] = "place ";      // where the body stands: which yield, -1 before the first statement
constexpr char kVariable[] = "local ";   // by storage
constexpr char kTemporary[] = "value ";  // by value
constexpr char kSent[] = "sent";
constexpr char kResult[] = "result";  // of `return`

template <typename Visit>
void for_each_use(const Statement& statement, const Visit& visit) {
  for (const Id id :
       {statement.callee_value, statement.receiver, statement.location.base, statement.location.key, statement.value})
    visit(id);
  for (const Id id : statement.args) visit(id);
  for (const auto& keyword : statement.keywords) visit(keyword.second);
  if (!statement.launch) return;
  for (const Id id :
       {statement.launch->grid, statement.launch->block, statement.launch->shared_bytes, statement.launch->stream})
    visit(id);
}

// The number behind `prefix`, which the candidate may have written itself: setattr(generator, "local 7", x).
std::optional<Id> number_after(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  Id number = kNone;
  const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
  return read.ec == std::errc() && read.ptr == name.data() + name.size() ? std::optional(number) : std::nullopt;
}

}  // namespace

bool never_taken(const Facts& facts, const Function& function, Id value) {
  const auto read = [&](Id storage) {
    return std::any_of(facts.functions.begin(), facts.functions.end(), [&](const Function& each) {
      return std::any_of(each.blocks.begin(), each.blocks.end(), [&](const Block& block) {
        return std::any_of(block.statements.begin(), block.statements.end(), [&](const Statement& s) {
          return s.kind == StatementKind::kLoad && s.location.storage == storage;
        });
      });
    });
  };
  for (const Block& block : function.blocks) {
    if (block.condition == value) return false;
    for (const Statement& statement : block.statements) {
      bool taken = false;
      for_each_use(statement, [&](Id used) { taken = taken || used == value; });
      const Id storage = statement.location.storage;
      const bool kept = statement.kind == StatementKind::kStore && !statement.location.element && storage != kNone &&
                        facts.storages[static_cast<std::size_t>(storage)].kind == StorageKind::kLocal;
      if (taken && !(kept && !read(storage))) return false;
    }
  }
  return true;
}

// A generator whose steps show: it looks at what is sent or thrown in, or `yield from` may take what it returns.
const Interpreter::GeneratorShape& Interpreter::generator_shape(Id function_id) {
  const auto [known, fresh] = generator_shapes_.try_emplace(function_id);
  GeneratorShape& shape = known->second;
  if (!fresh) return shape;
  const Function& function = facts_.functions[static_cast<std::size_t>(function_id)];
  std::map<Id, std::pair<std::size_t, std::size_t>> made;  // value → block, yields before it in that block
  std::set<Id> sent;
  for (std::size_t b = 0; b < function.blocks.size(); ++b) {
    std::size_t yields = 0;
    for (const Statement& statement : function.blocks[b].statements) {
      if (statement.kind == StatementKind::kReturn && !statement.yields && statement.value != kNone &&
          !facts_.values[static_cast<std::size_t>(statement.value)].constant)
        shape.driven = true;
      if (statement.yields) ++yields;
      if (statement.yields) {
        const auto index = static_cast<Id>(&statement - function.blocks[b].statements.data());
        shape.places.push_back({function_id, static_cast<Id>(b), index});
      }
      if (statement.yields && function.blocks[b].in_try != kNone) shape.driven = true;  // something may be thrown in
      if (statement.result == kNone) continue;
      if (statement.yields) sent.insert(statement.result);
      made[statement.result] = {b, yields};
    }
  }
  for (std::size_t b = 0; b < function.blocks.size(); ++b) {
    std::size_t yields = 0;
    const auto use = [&](Id id) {
      if (id == kNone) return;
      if (sent.contains(id)) shape.driven = true;
      const auto at = made.find(id);
      if (at == made.end() || at->second != std::pair{b, yields}) shape.carried.insert(id);
    };
    for (const Statement& statement : function.blocks[b].statements) {
      for_each_use(statement, use);
      if (statement.yields) ++yields;
    }
    use(function.blocks[b].condition);
  }
  for (std::size_t s = 0; s < facts_.storages.size(); ++s) {
    const Storage& storage = facts_.storages[s];
    if (storage.owner_function == function_id &&
        (storage.kind == StorageKind::kLocal || storage.kind == StorageKind::kClosure))
      shape.variables.push_back(static_cast<Id>(s));
  }
  // It never comes to its end: it is run as far as someone asks.
  const auto& order = flow(function_id).order();
  shape.driven = shape.driven || std::none_of(order.begin(), order.end(), [&](Id block) {
                   return function.blocks[static_cast<std::size_t>(block)].successors.empty();
                 });
  const auto manages_context = [](const std::string& decorator) { return decorator.ends_with("contextmanager"); };
  shape.context_manager = std::any_of(function.decorators.begin(), function.decorators.end(), manages_context);
  return shape;
}

bool Interpreter::is_driven(Id function_id) {
  if (!facts_.functions[static_cast<std::size_t>(function_id)].is_generator) return false;
  const GeneratorShape& shape = generator_shape(function_id);
  // What is made before the first call may be stepped in any call.
  return shape.context_manager || shape.driven || phase_ != Phase::kForward;
}

// The frame's body stands before the statement `where`, or at the yield there.
void Interpreter::suspend(Frame& frame, const StatementRef& where) {
  const ObjectId id = frame.generator;
  const GeneratorShape& shape = generator_shape(frame.id);
  for (const Id storage : shape.variables) {
    if (const Abstract* held = state_.storage.find(map_key(canonical_storage(storage))))
      write_field(id, key_of(kVariable + std::to_string(storage)), *held, frame.alone);
  }
  for (const auto& [value, held] : frame.values) {
    if (shape.carried.contains(value)) write_field(id, key_of(kTemporary + std::to_string(value)), held, frame.alone);
  }
  const auto place = std::find(shape.places.begin(), shape.places.end(), where);
  const auto number = place == shape.places.end() ? std::ptrdiff_t{-1} : place - shape.places.begin();
  write_field(id, key_of(kPlace + std::to_string(number)), constant(Json(true)), true);
}

Abstract Interpreter::make_generator(Frame& frame) {
  frame.generator = make_object(ObjectKind::kGenerator, StatementRef{frame.id, kNone, -9}, frame.context, 0);
  objects_[static_cast<std::size_t>(frame.generator)].function = frame.id;
  frame.alone = false;
  suspend(frame, {frame.id, 0, -1});
  return of_object(frame.generator);
}

// Whether the body stands nowhere any more.
bool Interpreter::body_has_ended(ObjectId generator) const {
  bool stands = false;
  for_each_field(generator, [&](KeyId key, const Abstract& held) {
    stands =
        stands || (key != kAnyKey && !held.nothing() && key_names_[static_cast<std::size_t>(key)].starts_with(kPlace));
  });
  return !stands;
}

// Goes on from wherever the body stands to the next yield, or to its end.
Abstract Interpreter::resume(ObjectId id, const Abstract& sent, Step step, bool alone, const CallSite& site) {
  const Id function_id = object(id).function;
  const auto in_flight = std::count(call_stack_.begin(), call_stack_.end(), function_id);
  if (call_stack_.size() >= kMaxDepth || in_flight >= 2 || exhausted_)
    return unknown("the generator " + facts_.functions[static_cast<std::size_t>(function_id)].qualified_name +
                       " is not followed further",
                   site);
  Frame frame;
  frame.function = &facts_.functions[static_cast<std::size_t>(function_id)];
  frame.id = function_id;
  frame.context = graph_.context(site.context, site.where);
  frame.generator = id;
  frame.alone = alone;
  const GeneratorShape& shape = generator_shape(function_id);
  std::vector<StatementRef> places;
  std::vector<std::pair<Id, Abstract>> variables;
  for_each_field(id, [&](KeyId key, const Abstract& held) {
    if (key == kAnyKey || held.nothing()) return;
    const std::string& name = key_names_[static_cast<std::size_t>(key)];
    if (const auto storage = number_after(name, kVariable)) {
      if (std::find(shape.variables.begin(), shape.variables.end(), *storage) != shape.variables.end())
        variables.emplace_back(*storage, held);
    } else if (const auto value = number_after(name, kTemporary)) {
      if (shape.carried.contains(*value)) frame.values[*value] = held;
    } else if (const auto at = number_after(name, kPlace); at && *at >= -1) {
      if (*at < static_cast<Id>(shape.places.size()))
        places.push_back(*at < 0 ? StatementRef{function_id, 0, -1} : shape.places[static_cast<std::size_t>(*at)]);
    }
  });
  for (const auto& [storage, held] : variables) state_.storage.set(map_key(canonical_storage(storage)), held);
  if (alone) {
    for (Id place = -1; place < static_cast<Id>(shape.places.size()); ++place)
      write_field(id, key_of(kPlace + std::to_string(place)), {}, true);
  }
  call_stack_.push_back(function_id);
  ++executed[{function_id, phase_}];
  prepare(frame);
  const State before = state_;
  for (const StatementRef& place : places) {
    if (place.index < 0) {
      if (step == Step::kThrow) continue;  // ends before its first statement
      if (auto& entry = frame.entry_states[0]) {
        join_state(*entry, before);
      } else {
        entry = before;
      }
      frame.queue.insert(0);
      continue;
    }
    const Statement& yield =
        frame.function->blocks[static_cast<std::size_t>(place.block)].statements[static_cast<std::size_t>(place.index)];
    if (yield.result != kNone) frame.values[yield.result] = sent;
    run_block_from(frame, place.block, before, {}, false, place.index + 1, step == Step::kThrow);
  }
  run_frame(frame);
  call_stack_.pop_back();
  if (frame.exit) state_ = std::move(*frame.exit);
  if (exhausted_) return unknown("the candidate is larger than the analysis follows", site);
  return frame.returned;
}

// Everything that it still yields, as a list.
Abstract Interpreter::drained(const Abstract& value, const CallSite& site) {
  Abstract result = value;
  std::erase_if(result.objects, [&](ObjectId id) { return object(id).kind == ObjectKind::kGenerator; });
  for (const ObjectId id : objects_of_kind(value, ObjectKind::kGenerator)) {
    const ObjectId items = make_object(ObjectKind::kContainer, site.where, site.context, 7000 + id);
    for (int i = 0; i < kDrainedSteps; ++i) write_field(items, kAnyKey, next_of(id, site), false);
    merge_into(result.objects, {items});
  }
  return result;
}

Abstract Interpreter::next_of(ObjectId id, const CallSite& site) {
  const Abstract* pending = state_.fields.find(field_key(id, key_of(kSent)));
  const Abstract sent = pending == nullptr || pending->nothing() ? constant(Json()) : *pending;
  write_field(id, key_of(kSent), {}, true);
  return resume(id, sent, Step::kSend, true, site);
}

// send, throw, close and what `yield from` asks of the generator that it hands on.
std::optional<Abstract> Interpreter::generator_method(const Abstract& receiver, const std::string& name,
                                                      const std::vector<Abstract>& args, const CallSite& site) {
  const ObjectSet generators = objects_of_kind(receiver, ObjectKind::kGenerator);
  if (generators.empty()) return std::nullopt;
  if (name == "__iter__") return receiver;
  const bool alone = receiver.objects.size() == 1;
  Abstract result;
  for (const ObjectId id : generators) {
    if (name == "send") {
      join(result, resume(id, args.empty() ? Abstract{} : args[0], Step::kSend, alone, site));
    } else if (name == "__next__") {
      join(result, next_of(id, site));
    } else if (name == "throw" || name == "close") {
      const Abstract got = resume(id, {}, Step::kThrow, alone, site);
      if (name == "throw") join(result, got);
    } else {
      return std::nullopt;
    }
  }
  if (name == "close") return constant(Json());
  if (result.nothing()) result.open = true;
  return result;
}

// `yield from`: what was sent reaches the inner generator at its next step, and what that returns is the value.
Abstract Interpreter::delegate(const std::string& callee, const std::vector<Abstract>& args, const CallSite& site) {
  const ObjectSet generators = args.empty() ? ObjectSet{} : objects_of_kind(args[0], ObjectKind::kGenerator);
  Abstract result;
  for (const ObjectId id : generators) {
    if (callee == "generator.deliver") {
      if (args.size() > 1) write_field(id, key_of(kSent), args[1], generators.size() == 1);
    } else if (const Abstract* returned = state_.fields.find(field_key(id, key_of(kResult)))) {
      join(result, *returned);
    }
  }
  if (!result.nothing()) return result;
  if (callee == "generator.deliver" || !generators.empty()) return constant(Json());
  return unknown("what a generator returns is not known", site);
}

// What a generator hands out, or returns at its end.
void Interpreter::leave_generator(Frame& frame, const Statement& statement, const Abstract& value) {
  if (statement.yields) {
    join(frame.returned, value);
  } else {
    write_field(frame.generator, key_of(kResult), value, false);
  }
}

}  // namespace kernel_audit::analysis::facts
