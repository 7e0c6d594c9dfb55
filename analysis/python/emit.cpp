// Values, statements, blocks and storages of the function that is being lowered.
#include "analysis/python/lowerer.h"

namespace kernel_audit::analysis::python {

SourceSpan Lowerer::span(const PythonUnit& unit, std::int64_t begin, std::int64_t end) const {
  if (!final_round_) return {};
  return locator_.locate(unit.text.map.resolve(begin, end));
}

SourceSpan Lowerer::span(const Node* node) const {
  if (node == nullptr || frame_ == nullptr) return {};
  return span(*frame_->unit, node->begin, node->end);
}

Operand Lowerer::make_value(Abstract abs, const Node* node, facts::OriginKind origin) {
  const auto id = static_cast<Id>(facts_.values.size());
  facts::Value& value = facts_.values.emplace_back();
  value.type = type_of(abs);
  value.origin = origin;
  if (value.type.kind == TypeKind::kParameter && origin != facts::OriginKind::kArgument) {
    value.origin = facts::OriginKind::kWeights;
  }
  if (abs.unknown || abs.bottom()) {
    value.reason = abs.bottom() ? "no value of it was seen" : abs.reason;
    if (abs.atoms.empty() && origin == facts::OriginKind::kComputed) value.origin = facts::OriginKind::kUnknown;
  }
  if (const Atom* atom = abs.single()) {
    value.symbol = atom->symbol;
    value.function = atom->function;
    value.class_id = atom->class_id;
    switch (atom->kind) {
      case AtomKind::kConstant:
        value.constant = atom->constant;
        break;
      case AtomKind::kText:
        if (!atom->partial && (atom->type.kind == TypeKind::kString ||
                               (atom->type.kind == TypeKind::kBytes && split::is_ascii(atom->text->bytes))))
          value.constant = atom->text->bytes;
        value.symbol.clear();
        break;
      case AtomKind::kTuple: {
        Json items = Json::array();
        for (const Abstract& item : atom->items) {
          const Atom* each = item.single();
          if (each != nullptr && each->kind == AtomKind::kConstant)
            items.push_back(each->constant);
          else if (folded_text(item) != nullptr)
            items.push_back(folded_text(item)->bytes);
        }
        if (items.size() == atom->items.size()) value.constant = std::move(items);
        break;
      }
      case AtomKind::kWrapped:
        if (!atom->items.empty()) {
          if (const Atom* inner = atom->items.front().single()) {
            value.function = inner->function;
            value.class_id = inner->class_id;
          }
        }
        break;
      case AtomKind::kExtension:
        if (!atom->name.empty()) value.symbol += "." + atom->name;
        break;
      default:
        break;
    }
  } else if (abs.atoms.size() > 1 && value.reason.empty()) {
    value.reason = "one of several values";
  }
  if (final_round_) value.span = span(node);
  return Operand{id, std::move(abs)};
}

facts::Statement& Lowerer::emit(facts::StatementKind kind, const Node* node) {
  ++statement_count_;
  facts::Statement& statement = frame_->blocks[static_cast<std::size_t>(frame_->current)].statements.emplace_back();
  statement.kind = kind;
  if (final_round_) statement.span = span(node);
  return statement;
}

Operand Lowerer::emit_call(const std::string& callee, const std::vector<Operand>& args, Abstract result,
                           const Node* node) {
  if (result.usual == nullptr && callee.starts_with("operator.")) {
    std::vector<const Abstract*> given;
    for (const Operand& arg : args) given.push_back(&arg.abs);
    result.usual = usual_of_call(callee, given);
  }
  const Operand value = make_value(std::move(result), node, facts::OriginKind::kComputed);
  facts::Statement& statement = emit(facts::StatementKind::kCall, node);
  statement.callee = callee;
  statement.result = value.value;
  for (const Operand& arg : args) statement.args.push_back(arg.value);
  return value;
}

Operand Lowerer::emit_phi(const std::vector<Operand>& parts, const Node* node) {
  Abstract abs;
  for (const Operand& part : parts) join_into(abs, part.abs);
  const Operand value = make_value(std::move(abs), node, facts::OriginKind::kComputed);
  facts::Statement& statement = emit(facts::StatementKind::kPhi, node);
  statement.result = value.value;
  for (const Operand& part : parts) statement.args.push_back(part.value);
  return value;
}

Id Lowerer::new_block() {
  facts::Block block;
  Id target = kNone;
  block.in_finally = frame_->finally_depth > 0;
  for (auto guard = frame_->guards.rbegin(); guard != frame_->guards.rend(); ++guard) {
    if (guard->kind == Guard::Kind::kLoop) continue;
    if (guard->in_handler) {
      if (block.handler_of == kNone) block.handler_of = guard->try_id;
    } else if (block.in_try == kNone) {
      block.in_try = guard->try_id;
    }
    if (target == kNone) target = guard->exception_block;
  }
  frame_->blocks.push_back(std::move(block));
  frame_->exception_targets.push_back(target);
  return static_cast<Id>(frame_->blocks.size() - 1);
}

void Lowerer::edge(Id from, Id to, facts::EdgeKind kind) {
  frame_->blocks[static_cast<std::size_t>(from)].successors.push_back({to, kind});
}

void Lowerer::start_block(Id block) { frame_->current = block; }

// Ends the current block with an edge to `to`, unless the flow has already left it.
void Lowerer::jump(Id to, facts::EdgeKind kind) {
  if (frame_->state.reachable) edge(frame_->current, to, kind);
}

// Ends the current block with a decision; a condition that folds leaves one way only.
void Lowerer::branch(const Operand& condition, Id on_true, Id on_false) {
  if (!frame_->state.reachable) return;
  if (is_true(condition.abs)) {
    edge(frame_->current, on_true, facts::EdgeKind::kNormal);
  } else if (is_false(condition.abs)) {
    edge(frame_->current, on_false, facts::EdgeKind::kNormal);
  } else {
    frame_->blocks[static_cast<std::size_t>(frame_->current)].condition = condition.value;
    edge(frame_->current, on_true, facts::EdgeKind::kTrue);
    edge(frame_->current, on_false, facts::EdgeKind::kFalse);
  }
}

// What follows a return, raise, break or continue is lowered, yet nothing leads there.
void Lowerer::dead_code() {
  start_block(new_block());
  frame_->state.reachable = false;
}

Id Lowerer::storage(facts::StorageKind kind, const std::string& name, facts::Lifetime lifetime, Id owner_function,
                    Id owner_class) {
  const std::string key = std::to_string(static_cast<int>(kind)) + '|' + std::to_string(owner_function) + '|' +
                          std::to_string(owner_class) + '|' + name;
  const auto [found, fresh] = storage_ids_.emplace(key, static_cast<Id>(storages_.size()));
  if (fresh) {
    facts::Storage& made = storages_.emplace_back();
    made.kind = kind;
    made.name = name;
    made.lifetime = lifetime;
    made.owner_function = owner_function;
    made.owner_class = owner_class;
  }
  return found->second;
}

Id Lowerer::storage_of(Cell& cell, const Scope& scope, const std::string& name, const Node* node) {
  if (cell.storage == kNone) {
    cell.storage = static_cast<Id>(storages_.size());
    facts::Storage& made = storages_.emplace_back();
    made.name = name;
  }
  facts::Storage& made = storages_[static_cast<std::size_t>(cell.storage)];
  if (final_round_) {
    made.type = type_of(cell.prev);
    if (!made.span.known()) made.span = span(node);
  }
  if (made.kind == facts::StorageKind::kDefaultArgument || made.kind == facts::StorageKind::kThreadOrContext)
    return cell.storage;
  switch (scope.kind) {
    case ScopeKind::kModule:
      made.kind = facts::StorageKind::kGlobal;
      made.lifetime = facts::Lifetime::kStatic;
      break;
    case ScopeKind::kClass:
      made.kind = facts::StorageKind::kClassAttribute;
      made.lifetime = facts::Lifetime::kStatic;
      made.owner_class = scope.class_id;
      break;
    default:
      made.kind = cell.captured ? facts::StorageKind::kClosure : facts::StorageKind::kLocal;
      made.lifetime = facts::Lifetime::kCall;
      made.owner_function = scope.function;
      // A captured variable lives on as long as a function that captured it does.
      if (cell.captured && scope.function != kNone) {
        for (const auto& inner : functions_) {
          if (inner->enclosing == scope.function && (inner->escapes || inner->handed_out))
            made.lifetime = facts::Lifetime::kStatic;
        }
      }
  }
  return cell.storage;
}

Operand Lowerer::emit_load(facts::Location location, Abstract abs, const Node* node) {
  const bool outlives = location.storage != kNone &&
                        storages_[static_cast<std::size_t>(location.storage)].lifetime != facts::Lifetime::kCall;
  const Operand value =
      make_value(std::move(abs), node, outlives ? facts::OriginKind::kState : facts::OriginKind::kComputed);
  facts::Statement& statement = emit(facts::StatementKind::kLoad, node);
  statement.location = location;
  statement.result = value.value;
  return value;
}

void Lowerer::emit_store(facts::Location location, const Operand& value, const Node* node, bool augmented) {
  facts::Statement& statement = emit(facts::StatementKind::kStore, node);
  statement.location = location;
  statement.value = value.value;
  statement.augmented = augmented;
}

}  // namespace kernel_audit::analysis::python
