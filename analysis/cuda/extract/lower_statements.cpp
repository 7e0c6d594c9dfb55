#include "analysis/cuda/extract/lowering.h"

namespace kernel_audit::analysis::cuda {

void Lowering::close_scope() {
  auto& guards = state().guards;
  leave_guards(state().scope - 1);
  while (!guards.empty() && guards.back().second >= state().scope) guards.pop_back();
  --state().scope;
}

void Lowering::leave_guards(std::size_t down_to_scope) {
  if (build_.terminated()) return;
  const auto guards = state().guards;
  for (auto guard = guards.rbegin(); guard != guards.rend() && guard->second > down_to_scope; ++guard) {
    build_.call("contextlib.exit", {guard->first}, {}, build_.value(guard->first).span);
  }
}

Id Lowering::label(const clang::LabelDecl* declared) {
  const auto found = state().labels.find(declared);
  if (found != state().labels.end()) return found->second;
  const Id block = build_.new_block();
  state().labels.emplace(declared, block);
  return block;
}

void Lowering::lower_statement(const clang::Stmt* statement) {
  if (statement == nullptr || budget_.exhausted()) return;
  if (depth_ > budget_.limits().depth) {
    unknown("statements are nested too deeply", nullptr);
    return;
  }
  if (const auto* expression = llvm::dyn_cast<clang::Expr>(statement)) {
    lower(expression);
    return;
  }
  ++depth_;
  if (const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(statement)) {
    open_scope();
    for (const clang::Stmt* child : compound->body()) {
      if (budget_.check_time()) break;
      lower_statement(child);
    }
    close_scope();
  } else if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement)) {
    for (const clang::Decl* decl : declaration->decls()) lower_declaration(decl);
  } else if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement)) {
    lower_if(branch);
  } else if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(statement)) {
    open_scope();
    lower_statement(loop->getInit());
    lower_loop(nullptr, loop->getConditionVariable(), loop->getCond(), loop->getBody(), loop->getInc());
    close_scope();
  } else if (const auto* while_loop = llvm::dyn_cast<clang::WhileStmt>(statement)) {
    lower_loop(nullptr, while_loop->getConditionVariable(), while_loop->getCond(), while_loop->getBody(), nullptr);
  } else if (const auto* do_loop = llvm::dyn_cast<clang::DoStmt>(statement)) {
    lower_do(do_loop);
  } else if (const auto* range_for = llvm::dyn_cast<clang::CXXForRangeStmt>(statement)) {
    lower_range_for(range_for);
  } else if (const auto* switch_statement = llvm::dyn_cast<clang::SwitchStmt>(statement)) {
    lower_switch(switch_statement);
  } else if (const auto* try_statement = llvm::dyn_cast<clang::CXXTryStmt>(statement)) {
    lower_try(try_statement);
  } else if (const auto* returned = llvm::dyn_cast<clang::ReturnStmt>(statement)) {
    lower_return(returned);
  } else if (const auto* labelled = llvm::dyn_cast<clang::LabelStmt>(statement)) {
    const Id block = label(labelled->getDecl());
    build_.jump(block);
    build_.enter(block);
    lower_statement(labelled->getSubStmt());
  } else if (const auto* jump = llvm::dyn_cast<clang::GotoStmt>(statement)) {
    build_.jump(label(jump->getLabel()));
  } else if (llvm::isa<clang::BreakStmt>(statement) || llvm::isa<clang::ContinueStmt>(statement)) {
    auto& targets = llvm::isa<clang::BreakStmt>(statement) ? state().breaks : state().continues;
    if (!targets.empty()) {
      leave_guards(targets.back().scope);
      build_.jump(targets.back().block);
    }
  } else if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(statement)) {
    lower_statement(attributed->getSubStmt());
  } else if (const auto* assembly = llvm::dyn_cast<clang::AsmStmt>(statement)) {
    lower_asm(assembly);
  } else if (const auto* directive = llvm::dyn_cast<clang::OMPExecutableDirective>(statement)) {
    lower_openmp(directive);
  } else if (const auto* captured = llvm::dyn_cast<clang::CapturedStmt>(statement)) {
    lower_statement(captured->getCapturedStmt());
  } else if (const auto* canonical = llvm::dyn_cast<clang::OMPCanonicalLoop>(statement)) {
    lower_statement(canonical->getLoopStmt());
  } else if (const auto* labelled_case = llvm::dyn_cast<clang::SwitchCase>(statement)) {
    lower_statement(labelled_case->getSubStmt());  // a case outside of lower_switch's list: nested in a loop (Duff)
  } else if (!llvm::isa<clang::NullStmt>(statement)) {
    const Place where = place(statement);
    problem("dynamic-call", std::string("A statement of kind ") + statement->getStmtClassName() + " is not followed.",
            where.span);
  }
  --depth_;
}

void Lowering::lower_declaration(const clang::Decl* declaration) {
  if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration)) {
    lower_local(variable);
  } else if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(declaration)) {
    declare_class(record);
  }
}

namespace {

// Whether a local reference stands for a place that can be named again: a variable, a member, an element of a
// container or of an array of objects at an index that is a variable, a constant or a query. What a function without
// arguments gives a reference to is the same each time.
bool names_place(const clang::Expr* expression, int depth = 0) {
  expression = expression->IgnoreParenImpCasts();
  if (depth > 8) return false;
  if (llvm::isa<clang::DeclRefExpr, clang::CXXThisExpr, clang::IntegerLiteral>(expression)) return true;
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression)) {
    if (llvm::isa<clang::CXXMethodDecl>(member->getMemberDecl())) return false;
    const clang::Expr* base = member->getBase()->IgnoreParenImpCasts();
    const auto* call = llvm::dyn_cast<clang::CallExpr>(base);
    return names_place(base, depth + 1) || (call != nullptr && call->getNumArgs() == 0);
  }
  if (const auto* query = llvm::dyn_cast<clang::CXXMemberCallExpr>(expression))  // x.data_ptr()
    return depth > 0 && query->getNumArgs() == 0 && names_place(query->getImplicitObjectArgument(), depth + 1);
  if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression))
    return subscript->getType()->isRecordType() && names_place(subscript->getBase(), depth + 1) &&
           names_place(subscript->getIdx(), depth + 1);
  if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression))
    return call->getOperator() == clang::OO_Subscript && names_place(call->getArg(0), depth + 1) &&
           names_place(call->getArg(1), depth + 1);
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression))
    return depth > 0 && call->getNumArgs() == 0 && call->getDirectCallee() != nullptr &&
           call->getDirectCallee()->getReturnType()->isLValueReferenceType();
  return false;
}

bool denotes_place(const clang::VarDecl* variable) {
  const clang::QualType type = variable->getType();
  if (type.isNull() || !type->isLValueReferenceType() || type->getPointeeType().isConstQualified()) return false;
  if (!variable->isLocalVarDecl() || variable->isStaticLocal() || variable->getInit() == nullptr) return false;
  const clang::Expr* init = variable->getInit();
  return init->isLValue() && !init->isTypeDependent() && !llvm::isa<clang::DeclRefExpr>(init->IgnoreParenImpCasts()) &&
         names_place(init);
}

// Whether a local reference is to an element of a container or array of objects, by an index that may be another one
// when it is computed again: `auto& y = ring[next++ % 4]`.
bool denotes_element(const clang::VarDecl* variable) {
  const clang::QualType type = variable->getType();
  if (type.isNull() || !type->isLValueReferenceType() || type->getPointeeType().isConstQualified()) return false;
  if (!variable->isLocalVarDecl() || variable->isStaticLocal() || variable->getInit() == nullptr) return false;
  const clang::Expr* init = variable->getInit()->IgnoreParenImpCasts();
  if (init->isTypeDependent() || !init->isLValue() || !type->getPointeeType()->isRecordType()) return false;
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(init);
  if (call != nullptr) return call->getOperator() == clang::OO_Subscript && names_place(call->getArg(0), 1);
  const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(init);
  return subscript != nullptr && names_place(subscript->getBase(), 1);
}

}  // namespace

void Lowering::lower_local(const clang::VarDecl* variable) {
  const clang::Expr* init = variable->getInit();
  const Place where = place(variable->getSourceRange());
  if (variable->isInvalidDecl() && init == nullptr) {
    facts::Location target;
    target.storage = storage_of(variable);
    build_.store(target,
                 build_.add_unknown("the declaration of '" + variable->getNameAsString() + "' could not be parsed", {},
                                    where.span),
                 where.span, where.in_macro);
    return;
  }
  if (variable->hasGlobalStorage() && variable->hasExternalStorage()) return;
  if (variable->hasAttr<clang::CUDASharedAttr>()) return;
  // An object of a template's own class, in its pattern: nothing there says that it is constructed.
  const clang::CXXRecordDecl* pattern =
      init == nullptr && variable->getType()->isDependentType() ? variable->getType()->getAsCXXRecordDecl() : nullptr;
  if (pattern != nullptr && class_of(pattern) == kNone) pattern = nullptr;
  if (init == nullptr && pattern == nullptr) return;
  facts::Location target;
  target.storage = storage_of(variable);
  // A static local is set up by the first call that comes along, or before it.
  const bool first_time_only = variable->isStaticLocal();
  Id after = kNone;
  if (first_time_only) {
    const Id first = build_.new_block();
    after = build_.new_block();
    build_.branch(build_.call("static_local.is_uninitialised", {}, {TypeKind::kBool, "bool"}, where.span), first,
                  after);
    build_.enter(first);
  }
  Id value = kNone;
  if (!denotes_place(variable) && pattern == nullptr && denotes_element(variable)) {
    const facts::Location place = location(init);
    places_.insert_or_assign(variable, std::pair{build_.current_function(), place});
    value = build_.load(place, type_of(init->getType()), where.span, where.in_macro);
  } else {
    value = pattern != nullptr ? made_of_class(pattern, {}, variable->getType(), where) : lower(init);
  }
  build_.store(target, value, where.span, where.in_macro);
  if (denotes_place(variable)) aliases_.emplace(variable, init);
  if (first_time_only) {
    build_.jump(after);
    build_.enter(after);
  }
  if (is_guard(variable->getType())) {
    build_.call("contextlib.enter", {value}, {}, where.span, where.in_macro);
    state().guards.emplace_back(value, state().scope);
  }
  if (const clang::CXXRecordDecl* record = variable->getType()->getAsCXXRecordDecl();
      record != nullptr && !variable->hasGlobalStorage() && record->hasDefinition() &&
      record->hasUserDeclaredDestructor() && class_of(record) != kNone) {
    state().guards.emplace_back(value, state().scope);  // its destructor runs where the scope ends
  }
  if (const auto* unpacked = llvm::dyn_cast<clang::DecompositionDecl>(variable)) {
    std::int64_t index = 0;
    for (const clang::BindingDecl* binding : unpacked->bindings()) {
      facts::Location element;
      element.storage = target.storage;
      element.base = value;
      element.element = true;
      element.key = build_.add_constant(index++, {TypeKind::kInt, "int"}, where.span);
      const Id part = build_.load(element, type_of(binding->getType()), where.span, where.in_macro);
      facts::Location own;
      own.storage = storage_of(binding);
      build_.store(own, part, place(binding->getSourceRange()).span, where.in_macro);
    }
  }
}

// Short-circuit operators in a condition become edges, so that a guard dominates what it guards.
void Lowering::lower_condition(const clang::Expr* condition, Id on_true, Id on_false) {
  const clang::Expr* bare = condition->IgnoreParenImpCasts();
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(bare);
      binary != nullptr && binary->isLogicalOp() && depth_ < budget_.limits().depth) {
    ++depth_;
    const Id right = build_.new_block();
    const bool both = binary->getOpcode() == clang::BO_LAnd;
    lower_condition(binary->getLHS(), both ? right : on_true, both ? on_false : right);
    build_.enter(right);
    lower_condition(binary->getRHS(), on_true, on_false);
    --depth_;
    return;
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(bare);
      unary != nullptr && unary->getOpcode() == clang::UO_LNot) {
    lower_condition(unary->getSubExpr(), on_false, on_true);
    return;
  }
  build_.branch(lower(condition), on_true, on_false);
}

void Lowering::lower_if(const clang::IfStmt* statement) {
  open_scope();
  lower_statement(statement->getInit());
  if (statement->getConditionVariable() != nullptr) lower_local(statement->getConditionVariable());
  if (statement->isConstexpr() && statement->getCond() != nullptr && !statement->getCond()->isValueDependent()) {
    if (const auto kept = statement->getNondiscardedCase(context_)) {
      lower_statement(*kept);
      close_scope();
      return;
    }
  }
  const Id on_true = build_.new_block();
  const Id on_false = build_.new_block();
  const Id join = statement->getElse() != nullptr ? build_.new_block() : on_false;
  if (statement->getCond() != nullptr) {
    lower_condition(statement->getCond(), on_true, on_false);
  } else {
    build_.branch(unknown("the condition could not be parsed", nullptr), on_true, on_false);
  }
  build_.enter(on_true);
  lower_statement(statement->getThen());
  build_.jump(join);
  if (statement->getElse() != nullptr) {
    build_.enter(on_false);
    lower_statement(statement->getElse());
    build_.jump(join);
  }
  build_.enter(join);
  close_scope();
}

void Lowering::lower_loop(const clang::Stmt* init, const clang::VarDecl* condition_variable,
                          const clang::Expr* condition, const clang::Stmt* body, const clang::Expr* increment) {
  lower_statement(init);
  const Id header = build_.new_block();
  const Id inside = build_.new_block();
  const Id latch = build_.new_block();
  const Id after = build_.new_block();
  build_.jump(header);
  build_.enter(header);
  open_scope();
  if (condition_variable != nullptr) lower_local(condition_variable);
  if (condition != nullptr) {
    lower_condition(condition, inside, after);
  } else {
    build_.jump(inside);
  }
  state().breaks.push_back({after, state().scope - 1});
  state().continues.push_back({latch, state().scope});
  build_.enter(inside);
  lower_statement(body);
  build_.jump(latch);
  state().breaks.pop_back();
  state().continues.pop_back();
  build_.enter(latch);
  if (increment != nullptr) lower(increment);
  close_scope();
  build_.jump(header, EdgeKind::kLoopBack);
  build_.enter(after);
}

void Lowering::lower_do(const clang::DoStmt* statement) {
  const Id body = build_.new_block();
  const Id test = build_.new_block();
  const Id latch = build_.new_block();
  const Id after = build_.new_block();
  build_.jump(body);
  build_.enter(body);
  state().breaks.push_back({after, state().scope});
  state().continues.push_back({test, state().scope});
  lower_statement(statement->getBody());
  state().breaks.pop_back();
  state().continues.pop_back();
  build_.jump(test);
  build_.enter(test);
  lower_condition(statement->getCond(), latch, after);
  build_.enter(latch);
  build_.jump(body, EdgeKind::kLoopBack);
  build_.enter(after);
}

namespace {

// An array that has room for nothing.
bool holds_nothing(const clang::ASTContext& context, const clang::Expr* range) {
  if (range == nullptr || range->isTypeDependent()) return false;
  const clang::QualType type = range->getType().getNonReferenceType();
  if (const clang::ConstantArrayType* array = context.getAsConstantArrayType(type)) return array->getSize() == 0;
  const auto* record = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(record_of(type));
  if (record == nullptr || record->getName() != "array" || record->getTemplateArgs().size() != 2) return false;
  const clang::TemplateArgument& size = record->getTemplateArgs()[1];
  return size.getKind() == clang::TemplateArgument::Integral && size.getAsIntegral() == 0;
}

}  // namespace

void Lowering::lower_range_for(const clang::CXXForRangeStmt* statement) {
  if (lower_over_table(statement)) return;
  open_scope();
  lower_statement(statement->getInit());
  const Place where = place(statement->getSourceRange());
  const Id container = statement->getRangeInit() != nullptr ? lower(statement->getRangeInit())
                                                            : unknown("the range could not be parsed", nullptr);
  const Id iterator = build_.call("builtins.iter", {container}, {}, where.span, where.in_macro);
  const Id header = build_.new_block();
  const Id inside = build_.new_block();
  const Id after = build_.new_block();
  build_.jump(header);
  build_.enter(header);
  const clang::VarDecl* variable = statement->getLoopVariable();
  const Id element =
      build_.call("builtins.next", {iterator}, variable != nullptr ? type_of(variable->getType()) : Type{}, where.span,
                  where.in_macro);
  // Whether there is one more, not what it is.
  const Type truth{TypeKind::kBool, "bool"};
  const Id more = holds_nothing(context_, statement->getRangeInit())
                      ? build_.add_constant(false, truth, where.span)
                      : build_.add_value(OriginKind::kComputed, truth, where.span);
  build_.branch(more, inside, after);
  build_.enter(inside);
  if (variable != nullptr) {
    facts::Location target;
    target.storage = storage_of(variable);
    build_.store(target, element, place(variable->getSourceRange()).span, where.in_macro);
    if (const auto* unpacked = llvm::dyn_cast<clang::DecompositionDecl>(variable)) {
      std::int64_t index = 0;
      for (const clang::BindingDecl* binding : unpacked->bindings()) {
        facts::Location part;
        part.storage = target.storage;
        part.base = element;
        part.element = true;
        part.key = build_.add_constant(index++, {TypeKind::kInt, "int"}, where.span);
        facts::Location own;
        own.storage = storage_of(binding);
        build_.store(own, build_.load(part, type_of(binding->getType()), where.span), where.span);
      }
    }
  }
  const Id latch = build_.new_block();
  state().breaks.push_back({after, state().scope});
  state().continues.push_back({latch, state().scope});
  lower_statement(statement->getBody());
  state().breaks.pop_back();
  state().continues.pop_back();
  build_.jump(latch);
  build_.enter(latch);
  build_.jump(header, EdgeKind::kLoopBack);
  build_.enter(after);
  close_scope();
}

void Lowering::lower_switch(const clang::SwitchStmt* statement) {
  open_scope();
  lower_statement(statement->getInit());
  if (statement->getConditionVariable() != nullptr) lower_local(statement->getConditionVariable());
  const Id subject = lower(statement->getCond());
  const Id after = build_.new_block();
  std::map<const clang::SwitchCase*, Id> blocks;
  Id otherwise = after;
  std::vector<const clang::SwitchCase*> cases;
  for (const clang::SwitchCase* label_statement = statement->getSwitchCaseList(); label_statement != nullptr;
       label_statement = label_statement->getNextSwitchCase()) {
    cases.push_back(label_statement);
    blocks[label_statement] = build_.new_block();
  }
  for (auto current = cases.rbegin(); current != cases.rend(); ++current) {
    const auto* valued = llvm::dyn_cast<clang::CaseStmt>(*current);
    if (valued == nullptr) {
      otherwise = blocks[*current];
      continue;
    }
    const Place where = place(valued->getLHS());
    const Id test = build_.call("operator.eq", {subject, lower(valued->getLHS())}, {TypeKind::kBool, "bool"},
                                where.span, where.in_macro);
    const Id next = build_.new_block();
    build_.branch(test, blocks[*current], next);
    build_.enter(next);
  }
  build_.jump(otherwise);
  state().breaks.push_back({after, state().scope});
  // The body is a list in which labels may sit anywhere at its top level, one behind the other.
  const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(statement->getBody());
  std::vector<const clang::Stmt*> children;
  if (body != nullptr) {
    children.assign(body->body_begin(), body->body_end());
  } else if (statement->getBody() != nullptr) {
    children.push_back(statement->getBody());
  }
  build_.enter(build_.new_block());
  for (const clang::Stmt* child : children) {
    while (const auto* labelled = llvm::dyn_cast_or_null<clang::SwitchCase>(child)) {
      const auto found = blocks.find(labelled);
      if (found != blocks.end()) {
        build_.jump(found->second);
        build_.enter(found->second);
      }
      child = labelled->getSubStmt();
    }
    lower_statement(child);
  }
  build_.jump(after);
  state().breaks.pop_back();
  build_.enter(after);
  close_scope();
}

void Lowering::lower_try(const clang::CXXTryStmt* statement) {
  const Id after = build_.new_block();
  const Id id = build_.begin_try();
  lower_statement(statement->getTryBlock());
  build_.jump(after);
  std::vector<Id> handlers;
  std::vector<std::pair<const clang::CXXCatchStmt*, Id>> bodies;
  build_.end_try(id, {});  // the handlers themselves are outside of the try
  for (unsigned i = 0; i < statement->getNumHandlers(); ++i) {
    const clang::CXXCatchStmt* handler = statement->getHandler(i);
    const Id block = build_.begin_handler();
    handlers.push_back(block);
    build_.enter(block);
    if (handler->getExceptionDecl() != nullptr) {
      facts::Location target;
      target.storage = storage_of(handler->getExceptionDecl());
      const Place where = place(handler->getExceptionDecl()->getSourceRange());
      build_.store(
          target, build_.add_unknown("a caught exception", type_of(handler->getExceptionDecl()->getType()), where.span),
          where.span);
    }
    lower_statement(handler->getHandlerBlock());
    build_.jump(after);
    build_.end_handler();
  }
  build_.end_try(id, handlers);
  build_.enter(after);
}

void Lowering::lower_return(const clang::ReturnStmt* statement) {
  const Place where = place(statement);
  const Id value = statement->getRetValue() != nullptr ? lower(statement->getRetValue()) : kNone;
  if (!state().inline_calls.empty()) {
    InlineCall& call = state().inline_calls.back();
    leave_guards(call.scope);
    if (value != kNone) call.returned.push_back(value);
    build_.jump(call.join);
    return;
  }
  leave_guards(0);
  Statement returned;
  returned.kind = StatementKind::kReturn;
  returned.value = value;
  returned.span = where.span;
  returned.in_macro = where.in_macro;
  build_.emit(std::move(returned));
  build_.terminate();
}

void Lowering::lower_asm(const clang::AsmStmt* statement) {
  const Place where = place(statement);
  Statement call;
  call.callee = "asm";
  call.span = where.span;
  call.in_macro = where.in_macro;
  std::string text;
  std::vector<const clang::Expr*> outputs;
  if (const auto* gcc = llvm::dyn_cast<clang::GCCAsmStmt>(statement)) {
    text = gcc->getAsmString()->getString().str();
    for (unsigned i = 0; i < gcc->getNumOutputs(); ++i) outputs.push_back(gcc->getOutputExpr(i));
    call.args.push_back(build_.add_constant(text, {TypeKind::kString, "const char*"}, where.span));
    for (unsigned i = 0; i < gcc->getNumInputs(); ++i) call.args.push_back(lower(gcc->getInputExpr(i)));
  } else {
    call.args.push_back(build_.add_unknown("the text of this asm statement is not read",
                                           {TypeKind::kString, "const char*"}, where.span));
  }
  call.result = build_.add_value(OriginKind::kComputed, {}, where.span);
  const Id result = call.result;
  build_.emit(std::move(call));
  for (const clang::Expr* output : outputs) assign(output, result, where);
}

void Lowering::lower_openmp(const clang::OMPExecutableDirective* directive) {
  const Place where = place(directive);
  build_.call("omp." + llvm::omp::getOpenMPDirectiveName(directive->getDirectiveKind()).str(), {}, {}, where.span,
              where.in_macro);
  if (!directive->hasAssociatedStmt()) return;
  lower_statement(directive->getRawStmt());
}

}  // namespace kernel_audit::analysis::cuda
