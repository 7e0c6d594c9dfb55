#include "analysis/cuda/extract/builder.h"

namespace kernel_audit::analysis::cuda {

Id Builder::add_value(OriginKind origin, Type type, const SourceSpan& span) {
  facts::Value value;
  value.origin = origin;
  value.type = std::move(type);
  value.span = span;
  facts_.values.push_back(std::move(value));
  return static_cast<Id>(facts_.values.size()) - 1;
}

Id Builder::add_constant(Json constant, Type type, const SourceSpan& span) {
  const Id id = add_value(OriginKind::kConstant, std::move(type), span);
  value(id).constant = std::move(constant);
  return id;
}

Id Builder::add_unknown(std::string reason, Type type, const SourceSpan& span) {
  const Id id = add_value(OriginKind::kUnknown, std::move(type), span);
  value(id).reason = std::move(reason);
  return id;
}

Id Builder::add_storage(facts::Storage storage) {
  facts_.storages.push_back(std::move(storage));
  return static_cast<Id>(facts_.storages.size()) - 1;
}

void Builder::begin(Id function_id) {
  Frame frame;
  frame.function = function_id;
  frames_.push_back(std::move(frame));
  function(function_id).blocks.clear();
  enter(new_block());
}

void Builder::end() { frames_.pop_back(); }

Id Builder::new_block() {
  Frame& frame = frames_.back();
  auto& blocks = function(frame.function).blocks;
  facts::Block block;
  if (!frame.tries.empty()) block.in_try = frame.tries.back();
  if (!frame.handlers.empty()) block.handler_of = frame.handlers.back();
  blocks.push_back(std::move(block));
  const Id id = static_cast<Id>(blocks.size()) - 1;
  for (const Id open_try : frame.tries) frame.in_tries.emplace_back(open_try, id);
  return id;
}

void Builder::enter(Id block) {
  frames_.back().block = block;
  frames_.back().terminated = false;
}

void Builder::edge(Id from, Id to, EdgeKind kind) {
  function(frames_.back().function).blocks[static_cast<std::size_t>(from)].successors.push_back({to, kind});
}

void Builder::jump(Id to, EdgeKind kind) {
  if (terminated()) return;
  edge(block(), to, kind);
  terminate();
}

void Builder::branch(Id condition, Id on_true, Id on_false) {
  if (terminated()) return;
  function(frames_.back().function).blocks[static_cast<std::size_t>(block())].condition = condition;
  edge(block(), on_true, EdgeKind::kTrue);
  edge(block(), on_false, EdgeKind::kFalse);
  terminate();
}

Statement& Builder::emit(Statement statement) {
  if (terminated()) enter(new_block());
  auto& statements = function(frames_.back().function).blocks[static_cast<std::size_t>(block())].statements;
  statements.push_back(std::move(statement));
  return statements.back();
}

Id Builder::call(const std::string& callee, std::vector<Id> args, Type type, const SourceSpan& span, bool in_macro) {
  Statement statement;
  statement.kind = StatementKind::kCall;
  statement.callee = callee;
  statement.args = std::move(args);
  statement.span = span;
  statement.in_macro = in_macro;
  statement.result = add_value(OriginKind::kComputed, std::move(type), span);
  return emit(std::move(statement)).result;
}

Id Builder::load(const facts::Location& location, Type type, const SourceSpan& span, bool in_macro) {
  OriginKind origin = OriginKind::kComputed;
  if (location.storage != kNone) {
    // What a pointer points to outlives the call or not as the pointer says; `base` tells.
    const facts::Lifetime lifetime = storage(location.storage).lifetime;
    if (lifetime == facts::Lifetime::kStatic || lifetime == facts::Lifetime::kObject) origin = OriginKind::kState;
  }
  Statement statement;
  statement.kind = StatementKind::kLoad;
  statement.location = location;
  statement.span = span;
  statement.in_macro = in_macro;
  statement.result = add_value(origin, std::move(type), span);
  return emit(std::move(statement)).result;
}

void Builder::store(const facts::Location& location, Id stored, const SourceSpan& span, bool in_macro, bool augmented) {
  Statement statement;
  statement.kind = StatementKind::kStore;
  statement.location = location;
  statement.value = stored;
  statement.span = span;
  statement.in_macro = in_macro;
  statement.augmented = augmented;
  emit(std::move(statement));
}

Id Builder::phi(std::vector<Id> args, Type type, const SourceSpan& span) {
  Statement statement;
  statement.kind = StatementKind::kPhi;
  statement.args = std::move(args);
  statement.span = span;
  statement.result = add_value(OriginKind::kComputed, std::move(type), span);
  return emit(std::move(statement)).result;
}

Id Builder::begin_try() {
  Frame& frame = frames_.back();
  const Id id = frame.next_id++;
  frame.tries.push_back(id);
  const Id body = new_block();
  jump(body);
  enter(body);
  return id;
}

void Builder::end_try(Id id, const std::vector<Id>& handlers) {
  Frame& frame = frames_.back();
  std::vector<Id> blocks;
  for (const auto& [open_try, block] : frame.in_tries) {
    if (open_try == id) blocks.push_back(block);
  }
  if (!frame.tries.empty() && frame.tries.back() == id) frame.tries.pop_back();
  for (const Id block : blocks) {
    for (const Id handler : handlers) edge(block, handler, EdgeKind::kException);
  }
}

Id Builder::begin_handler() {
  frames_.back().handlers.push_back(frames_.back().next_id++);
  return new_block();
}

void Builder::end_handler() { frames_.back().handlers.pop_back(); }

}  // namespace kernel_audit::analysis::cuda
