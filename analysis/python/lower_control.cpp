// Control flow: branches, loops, try, with, match.
#include "analysis/python/lowerer.h"

namespace kernel_audit::analysis::python {

void Lowerer::if_statement(const Node* node) {
  const Operand test = expression(node->child("test"));
  const Id on_true = new_block();
  const Id on_false = new_block();
  branch(test, on_true, on_false);
  const FlowState before = frame_->state;
  ++frame_->conditional_depth;
  start_block(on_true);
  frame_->state.reachable = before.reachable && !is_false(test.abs);
  statements(node->list("body"));
  const Id true_end = frame_->current;
  const FlowState true_state = frame_->state;
  frame_->state = before;
  frame_->state.reachable = before.reachable && !is_true(test.abs);
  start_block(on_false);
  statements(node->list("orelse"));
  --frame_->conditional_depth;
  const Id after = new_block();
  jump(after);
  if (true_state.reachable) edge(true_end, after, facts::EdgeKind::kNormal);
  frame_->state = merge(true_state, frame_->state);
  start_block(after);
}

void Lowerer::loop(const Node* node, const std::function<void()>& header, const std::function<Operand()>& condition,
                   const std::function<void()>& body, const std::vector<const Node*>& otherwise, bool forever) {
  std::vector<Cell*> assigned;
  assigned_cells(node, assigned);
  forget(assigned);
  const auto forget_shared = [&] {
    for (auto each = frame_->state.heap.begin(); each != frame_->state.heap.end();) {
      each = heap_[each->first].shared ? frame_->state.heap.erase(each) : std::next(each);
    }
  };
  forget_shared();
  const Id head = new_block();
  jump(head);
  start_block(head);
  const FlowState before = frame_->state;
  ++frame_->loop_depth;
  const Operand test = condition();
  const Id inside = new_block();
  const Id done = new_block();
  const Id after = new_block();
  if (forever)
    jump(inside);
  else
    branch(test, inside, done);
  Guard guard;
  guard.kind = Guard::Kind::kLoop;
  guard.break_block = after;
  guard.continue_block = head;
  frame_->guards.push_back(guard);
  const FlowState at_test = frame_->state;
  start_block(inside);
  frame_->state.reachable = before.reachable && !is_false(test.abs);
  header();
  body();
  jump(head, facts::EdgeKind::kLoopBack);
  const bool broke = frame_->guards.back().cleanup != nullptr;  // break_or_continue leaves a mark
  frame_->guards.pop_back();
  --frame_->loop_depth;
  frame_->state = at_test;
  forget(assigned);
  forget_shared();
  frame_->state.reachable = before.reachable && !forever && !is_true(test.abs);
  start_block(done);
  statements(otherwise);
  jump(after);
  frame_->state.reachable = frame_->state.reachable || (broke && before.reachable);
  forget(assigned);
  start_block(after);
}

void Lowerer::while_loop(const Node* node) {
  bool forever = false;
  loop(
      node, [] {},
      [&] {
        const Operand test = expression(node->child("test"));
        forever = is_true(test.abs);
        return test;
      },
      [&] { statements(node->list("body")); }, node->list("orelse"), false);
}

void Lowerer::for_loop(const Node* node) {
  if (unrolled_loop(node)) return;
  const Operand iterable = expression(node->child("iter"));
  const Operand iterator =
      emit_call("builtins.iter", {iterable}, typed(TypeKind::kOther, "builtins.iterator"), node->child("iter"));
  Operand item;
  loop(
      node, [&] { assign(node->child("target"), item); },
      [&] {
        Abstract element = elements_of(iterable.abs);
        if (element.bottom()) element = unknown("an element of a value whose content is not known");
        item = emit_call("builtins.next", {iterator}, element, node->child("target"));
        return make_value(typed(TypeKind::kBool), node->child("target"), facts::OriginKind::kComputed);
      },
      [&] { statements(node->list("body")); }, node->list("orelse"), false);
}

void Lowerer::break_or_continue(bool is_break) {
  for (std::size_t i = frame_->guards.size(); i-- > 0;) {
    if (frame_->guards[i].kind != Guard::Kind::kLoop) continue;
    run_cleanups(i + 1);
    if (is_break) {
      jump(frame_->guards[i].break_block);
      if (frame_->state.reachable) frame_->guards[i].cleanup = [] {};
    } else {
      jump(frame_->guards[i].continue_block, facts::EdgeKind::kLoopBack);
    }
    break;
  }
  dead_code();
}

// Emits what must run on the way out, from the innermost guard down to (not including) `down_to`.
void Lowerer::run_cleanups(std::size_t down_to) {
  const std::vector<Guard> guards = frame_->guards;
  for (std::size_t i = guards.size(); i-- > down_to;) {
    if (guards[i].kind != Guard::Kind::kCleanup) continue;
    frame_->guards.assign(guards.begin(), guards.begin() + static_cast<std::ptrdiff_t>(i));
    const Id block = new_block();
    jump(block);
    start_block(block);
    if (!over_budget()) guards[i].cleanup();
  }
  frame_->guards = guards;
}

// Hands a value out; the result is what is sent in.
Operand Lowerer::yield_value(const Operand& value, const Node* node) {
  const Operand sent = make_value(unknown("what is sent into a generator"), node, facts::OriginKind::kUnknown);
  if (frame_->state.reachable) {
    FunctionInfo& info = *functions_[static_cast<std::size_t>(frame_->function)];
    join_into(info.returns_next, value.value == kNone ? constant(nullptr) : value.abs);
    if (value.value != kNone) escape(value.abs);
  }
  facts::Statement& statement = emit(facts::StatementKind::kReturn, node);
  statement.value = value.value;
  statement.yields = true;
  statement.result = sent.value;
  return sent;
}

// Each item is handed out, and what is sent in goes to the generator that gave it.
Operand Lowerer::yield_from(const Node* node) {
  const Operand iterable = expression(node->child("value"));
  const Operand iterator = emit_call("builtins.iter", {iterable}, iterable.abs, node);
  Operand item;
  loop(
      node, [] {},
      [&] {
        Abstract element = elements_of(iterable.abs);
        if (element.bottom()) element = unknown("an element of a value whose content is not known");
        item = emit_call("builtins.next", {iterator}, element, node);
        return make_value(typed(TypeKind::kBool), node, facts::OriginKind::kComputed);
      },
      [&] {
        const Operand sent = yield_value(item, node);
        emit_call("generator.deliver", {iterator, sent}, constant(nullptr), node);
      },
      {}, false);
  return emit_call("generator.result", {iterator}, unknown("what a generator returns"), node);
}

void Lowerer::return_value(const Operand* value, const Node* node) {
  if (frame_->state.reachable) {
    FunctionInfo& info = *functions_[static_cast<std::size_t>(frame_->function)];
    // A generator gives what it yields.
    if (!info.is_generator) join_into(info.returns_next, value == nullptr ? constant(nullptr) : value->abs);
    if (value != nullptr) hand_out(info, value->abs);
  }
  run_cleanups(0);
  facts::Statement& statement = emit(facts::StatementKind::kReturn, node);
  if (value != nullptr) statement.value = value->value;
  if (node->type() != NodeType::kLambda) dead_code();
}

void Lowerer::raise_statement(const Node* node) {
  Operand value;
  if (const Node* raised = node->child("exc")) value = expression(raised);
  if (const Node* cause = node->child("cause")) expression(cause);
  emit(facts::StatementKind::kRaise, node).value = value.value;
  dead_code();
}

// Runs `body` so that `cleanup` follows it on every way out.
void Lowerer::with_cleanup(const std::function<void()>& body, const std::function<void()>& cleanup, const Node* node,
                           Exceptions exceptions) {
  std::vector<Cell*> assigned;
  assigned_cells(node, assigned);
  FlowState on_exception = frame_->state;
  for (Cell* cell : assigned) on_exception.variables.erase(cell);
  Guard guard;
  guard.kind = Guard::Kind::kCleanup;
  // Where all exceptions end, the way past them is that of a handler which does nothing.
  const bool handles = exceptions == Exceptions::kEnd;
  if (handles) guard.try_id = next_try_++;
  guard.in_handler = handles;
  if (handles) frame_->guards.push_back(guard);
  ++frame_->finally_depth;
  const Id exceptional = new_block();
  --frame_->finally_depth;
  if (handles) frame_->guards.pop_back();
  guard.in_handler = false;
  guard.exception_block = exceptional;
  const auto marked = [this, &cleanup] {
    ++frame_->finally_depth;
    cleanup();
    --frame_->finally_depth;
  };
  guard.cleanup = marked;
  frame_->guards.push_back(guard);
  const Id inside = new_block();
  jump(inside);
  start_block(inside);
  body();
  frame_->guards.pop_back();
  ++frame_->finally_depth;
  const Id normal = new_block();
  jump(normal);
  start_block(normal);
  if (!over_budget()) cleanup();
  const Id normal_end = frame_->current;
  const FlowState normal_state = frame_->state;
  frame_->state = on_exception;
  start_block(exceptional);
  if (!over_budget()) cleanup();
  --frame_->finally_depth;
  const Id exceptional_end = frame_->current;
  const bool exceptional_reachable = frame_->state.reachable;
  const bool goes_on = exceptions != Exceptions::kPass;
  if (!goes_on && exceptional_reachable) emit(facts::StatementKind::kRaise, node);
  const FlowState exceptional_state = frame_->state;
  const Id after = new_block();
  if (normal_state.reachable) edge(normal_end, after, facts::EdgeKind::kNormal);
  if (goes_on && exceptional_reachable) {
    edge(exceptional_end, after, facts::EdgeKind::kNormal);
    frame_->state = merge(normal_state, exceptional_state);
  } else {
    frame_->state = normal_state;
  }
  start_block(after);
}

void Lowerer::with_statement(const Node* node, std::size_t item) {
  const std::vector<const Node*> items = node->list("items");
  if (item >= items.size() || items[item] == nullptr) {
    statements(node->list("body"));
    return;
  }
  const Operand context = expression(items[item]->child("context_expr"));
  // Our own managers and unknown ones may swallow an exception, suppress() does; those of packages do not.
  Exceptions exceptions = context.abs.unknown || context.abs.atoms.empty() ? Exceptions::kMayEnd : Exceptions::kPass;
  Abstract entered;
  for (const AtomPtr& atom : context.abs.atoms) {
    if (atom->kind == AtomKind::kInstance) exceptions = Exceptions::kMayEnd;
    if (atom->type.name == "contextlib.suppress")
      exceptions = context.abs.single() != nullptr ? Exceptions::kEnd : Exceptions::kMayEnd;
    if (atom->kind == AtomKind::kInstance) {  // its methods run here, as `contextlib.enter` and `exit` of it say
      for (const char* method : {"__exit__", "__enter__"}) {
        const Abstract member = class_attribute(atom->class_id, method, false, nullptr);
        const Atom* function = member.single();
        if (function == nullptr || function->kind != AtomKind::kFunction) continue;
        pass_arguments(function->function, &context, {});
        const Abstract& returned = functions_[static_cast<std::size_t>(function->function)]->returns_prev;
        if (std::string(method) == "__enter__")
          join_into(entered, returned);
        else if (is_true(returned))
          exceptions = Exceptions::kEnd;
        else if (is_false(returned) && context.abs.single() != nullptr)
          exceptions = Exceptions::kPass;
      }
    }
    if (atom->kind == AtomKind::kTyped) {
      Abstract self;
      self.atoms.push_back(atom);
      join_into(entered, self);
    }
  }
  if (entered.bottom()) entered = unknown("the result of entering a context");
  const Operand result = emit_call("contextlib.enter", {context}, entered, items[item]->child("context_expr"));
  if (const Node* target = items[item]->child("optional_vars")) assign(target, result);
  const Node* const place = items[item]->child("context_expr");
  const std::size_t before = frame_->entered.size();
  const bool stack = context.abs.single() != nullptr && context.abs.single()->type.name == "contextlib.ExitStack";
  const auto leave = [&] {
    if (stack) {
      emit_call("contextlib.ExitStack.close", {}, constant(nullptr), place);
      last_statement()->receiver = context.value;
    }
    for (std::size_t i = frame_->entered.size(); stack && i-- > before;)
      emit_call("contextlib.exit", {frame_->entered[i]}, constant(nullptr), place);
    emit_call("contextlib.exit", {context}, constant(nullptr), place);
  };
  with_cleanup([&] { with_statement(node, item + 1); }, leave, node, exceptions);
  if (stack) frame_->entered.resize(before);
}

void Lowerer::try_statement(const Node* node) {
  const std::vector<const Node*> finally = node->list("finalbody");
  const std::vector<const Node*> handlers = node->list("handlers");
  const auto protected_part = [&] {
    if (handlers.empty()) {
      statements(node->list("body"));
      statements(node->list("orelse"));
      return;
    }
    std::vector<Cell*> assigned;
    for (const Node* each : node->list("body")) assigned_cells(each, assigned);
    FlowState on_exception = frame_->state;
    for (Cell* cell : assigned) on_exception.variables.erase(cell);
    Guard guard;
    guard.kind = Guard::Kind::kHandler;
    guard.try_id = next_try_++;
    guard.in_handler = true;
    frame_->guards.push_back(guard);
    const Id dispatch = new_block();
    frame_->guards.back().in_handler = false;
    frame_->guards.back().exception_block = dispatch;
    const Id inside = new_block();
    jump(inside);
    start_block(inside);
    ++frame_->conditional_depth;
    statements(node->list("body"));
    frame_->guards.pop_back();
    const Id otherwise = new_block();
    jump(otherwise);
    start_block(otherwise);
    statements(node->list("orelse"));
    std::vector<std::pair<Id, FlowState>> ends{{frame_->current, frame_->state}};
    guard.exception_block = kNone;
    frame_->guards.push_back(guard);  // in_handler
    frame_->state = on_exception;
    start_block(dispatch);
    bool catches_all = false;
    for (const Node* handler : handlers) {
      if (handler == nullptr) continue;
      const FlowState at_dispatch = frame_->state;
      const Node* type = handler->child("type");
      Operand caught;
      if (type != nullptr) caught = expression(type);
      const Atom* atom = caught.abs.single();
      const bool all =
          type == nullptr ||
          (atom != nullptr && (atom->symbol == "builtins.Exception" || atom->symbol == "builtins.BaseException"));
      const Id body = new_block();
      const Id next = new_block();
      const Operand exception =
          make_value(typed(TypeKind::kOther, "builtins.BaseException"), handler, facts::OriginKind::kComputed);
      if (all) {
        jump(body);
        catches_all = true;
      } else {
        branch(emit_call("builtins.isinstance", {exception, caught}, typed(TypeKind::kBool), type), body, next);
      }
      start_block(body);
      const std::string name = handler->text("name");
      if (!name.empty()) store_name(name, exception, handler);
      statements(handler->list("body"));
      ends.emplace_back(frame_->current, frame_->state);
      frame_->state = at_dispatch;
      frame_->state.reachable = at_dispatch.reachable && !catches_all;
      start_block(next);
    }
    if (!catches_all) emit(facts::StatementKind::kRaise, node);
    frame_->guards.pop_back();
    --frame_->conditional_depth;
    const Id after = new_block();
    FlowState state;
    state.reachable = false;
    for (const auto& [block, end_state] : ends) {
      if (end_state.reachable) edge(block, after, facts::EdgeKind::kNormal);
      state = merge(state, end_state);
    }
    frame_->state = state;
    start_block(after);
  };
  if (finally.empty())
    protected_part();
  else
    with_cleanup(protected_part, [&] { statements(finally); }, node, Exceptions::kPass);
}

void Lowerer::match_statement(const Node* node) {
  const Operand subject = expression(node->child("subject"));
  std::vector<std::pair<Id, FlowState>> ends;
  ++frame_->conditional_depth;
  for (const Node* each : node->list("cases")) {
    if (each == nullptr) continue;
    Operand test = match_pattern(each->child("pattern"), subject);
    if (const Node* guard = each->child("guard")) {
      const Operand guarded = expression(guard);
      test = is_true(test.abs) ? guarded : emit_call("operator.and_", {test, guarded}, typed(TypeKind::kBool), guard);
    }
    const Id body = new_block();
    const Id next = new_block();
    branch(test, body, next);
    const FlowState before = frame_->state;
    start_block(body);
    frame_->state.reachable = before.reachable && !is_false(test.abs);
    statements(each->list("body"));
    ends.emplace_back(frame_->current, frame_->state);
    frame_->state = before;
    frame_->state.reachable = before.reachable && !is_true(test.abs);
    start_block(next);
  }
  --frame_->conditional_depth;
  const Id after = new_block();
  jump(after);
  FlowState state = frame_->state;
  for (const auto& [block, end_state] : ends) {
    if (end_state.reachable) edge(block, after, facts::EdgeKind::kNormal);
    state = merge(state, end_state);
  }
  frame_->state = state;
  start_block(after);
}

// The value that decides whether `pattern` matches; captures are stored as they are met.
Operand Lowerer::match_pattern(const Node* pattern, const Operand& subject) {
  const auto certain = [&] { return make_value(constant(true), pattern, facts::OriginKind::kConstant); };
  if (pattern == nullptr) return certain();
  switch (pattern->type()) {
    case NodeType::kMatchValue:
      return emit_call("operator.eq", {subject, expression(pattern->child("value"))}, typed(TypeKind::kBool), pattern);
    case NodeType::kMatchSingleton: {
      const Operand value = make_value(unknown("a singleton"), pattern, facts::OriginKind::kConstant);
      return emit_call("operator.is_", {subject, value}, typed(TypeKind::kBool), pattern);
    }
    case NodeType::kMatchAs: {
      const Operand inner =
          pattern->child("pattern") == nullptr ? certain() : match_pattern(pattern->child("pattern"), subject);
      const std::string name = pattern->text("name");
      if (!name.empty()) store_name(name, subject, pattern);
      return inner;
    }
    default: {
      std::vector<Operand> parts{subject};
      if (pattern->type() == NodeType::kMatchClass) parts.push_back(expression(pattern->child("cls")));
      for (const char* field : {"patterns", "kwd_patterns"}) {
        for (const Node* each : pattern->list(field)) {
          if (each == nullptr) continue;
          facts::Location location;
          location.base = subject.value;
          location.element = true;
          const bool whole = pattern->type() == NodeType::kMatchOr;
          const Operand part = whole ? subject : emit_load(location, unknown("a part of a matched value"), each);
          parts.push_back(match_pattern(each, part));
        }
      }
      for (const char* field : {"name", "rest"}) {
        const std::string name = pattern->text(field);
        if (!name.empty())
          store_name(name, emit_call("builtins.iter_rest", {subject}, unknown("the rest of a matched value"), pattern),
                     pattern);
      }
      return emit_call(pattern->type() == NodeType::kMatchClass ? "builtins.isinstance" : "operator.eq", parts,
                       typed(TypeKind::kBool), pattern);
    }
  }
}

}  // namespace kernel_audit::analysis::python
