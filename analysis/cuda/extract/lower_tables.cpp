// Loops over constant tables of a few elements, which are written out: what is done with a row of a table of kernels is
// then done with that row.
#include <algorithm>

#include "analysis/cuda/extract/lowering.h"

namespace kernel_audit::analysis::cuda {
namespace {

constexpr unsigned kMostRows = 8;

// The rows of a constant array; null when it is none, or is too long.
const clang::InitListExpr* rows_of(const clang::Expr* range, const clang::ASTContext& context) {
  const auto* reference =
      llvm::dyn_cast_or_null<clang::DeclRefExpr>(range == nullptr ? nullptr : range->IgnoreParenImpCasts());
  const auto* table = reference == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
  if (table == nullptr || table->getType()->isDependentType() || table->getInit() == nullptr) return nullptr;
  const clang::ConstantArrayType* array = context.getAsConstantArrayType(table->getType());
  const clang::QualType element = array == nullptr ? clang::QualType() : array->getElementType();
  if (array == nullptr ? !table->getType().isConstQualified() : !element.isConstQualified()) return nullptr;
  const auto* rows = llvm::dyn_cast<clang::InitListExpr>(table->getInit()->IgnoreUnlessSpelledInSource());
  if (rows != nullptr && array == nullptr) {  // std::array
    const clang::CXXRecordDecl* record = record_of(table->getType());
    if (record == nullptr || record->getIdentifier() == nullptr || record->getName() != "array" ||
        rows->getNumInits() != 1)
      return nullptr;
    rows = llvm::dyn_cast<clang::InitListExpr>(rows->getInit(0));
  }
  if (rows == nullptr || rows->getNumInits() == 0 || rows->getNumInits() > kMostRows) return nullptr;
  const clang::ConstantArrayType* written = context.getAsConstantArrayType(rows->getType());
  const bool whole = written != nullptr && written->getSize() == rows->getNumInits();
  return whole ? rows : nullptr;
}

// What is one thing however often a loop runs, and what jumps elsewhere.
bool only_once(const clang::Stmt* statement) {
  if (statement == nullptr) return false;
  if (llvm::isa<clang::LambdaExpr, clang::LabelStmt, clang::GotoStmt, clang::SwitchStmt>(statement)) return true;
  if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement)) {
    for (const clang::Decl* each : declaration->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
      if (variable == nullptr || variable->isStaticLocal()) return true;
    }
  }
  return std::any_of(statement->child_begin(), statement->child_end(), only_once);
}

bool launches(const clang::Stmt* statement) {
  if (statement == nullptr) return false;
  if (llvm::isa<clang::CUDAKernelCallExpr>(statement)) return true;
  const auto* call = llvm::dyn_cast<clang::CallExpr>(statement);
  if (call != nullptr && call->getDirectCallee() == nullptr) return true;  // by a pointer
  return std::any_of(statement->child_begin(), statement->child_end(), launches);
}

// Whether a variable may be something else than what it was made with.
bool may_change(const clang::Stmt* statement, const clang::VarDecl* variable) {
  if (statement == nullptr) return false;
  const auto is_it = [&](const clang::Expr* expression) {
    const clang::Expr* bare = expression->IgnoreParenImpCasts();
    while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(bare))
      bare = member->getBase()->IgnoreParenImpCasts();
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(bare);
    return reference != nullptr && reference->getDecl() == variable;
  };
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(statement);
      binary != nullptr && binary->isAssignmentOp() && is_it(binary->getLHS()))
    return true;
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(statement);
      unary != nullptr && (unary->isIncrementDecrementOp() || unary->getOpcode() == clang::UO_AddrOf) &&
      is_it(unary->getSubExpr()))
    return true;
  return std::any_of(statement->child_begin(), statement->child_end(),
                     [&](const clang::Stmt* child) { return may_change(child, variable); });
}

}  // namespace

// Takes a row for the loop's variable; the parts of a structured binding are parts of it.
bool Lowering::stands_for(const clang::VarDecl* variable, const clang::Expr* element) {
  const auto* unpacked = llvm::dyn_cast<clang::DecompositionDecl>(variable);
  if (unpacked == nullptr) {
    elements_[variable] = element;
    return true;
  }
  const auto* parts = llvm::dyn_cast<clang::InitListExpr>(element->IgnoreParenImpCasts());
  if (parts == nullptr || parts->getNumInits() != unpacked->bindings().size()) return false;
  unsigned index = 0;
  for (const clang::BindingDecl* binding : unpacked->bindings()) elements_[binding] = parts->getInit(index++);
  return true;
}

// The element, or the member of it, that an expression names; null for any other.
const clang::Expr* Lowering::stood_for(const clang::Expr* expression) const {
  if (elements_.empty()) return nullptr;
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    const auto found = elements_.find(reference->getDecl());
    return found == elements_.end() ? nullptr : found->second;
  }
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression);
  const auto* field = member == nullptr ? nullptr : llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
  const clang::Expr* row = field == nullptr ? nullptr : stood_for(member->getBase()->IgnoreParenImpCasts());
  const auto* parts =
      llvm::dyn_cast_or_null<clang::InitListExpr>(row == nullptr ? nullptr : row->IgnoreParenImpCasts());
  if (parts == nullptr || field->getFieldIndex() >= parts->getNumInits()) return nullptr;
  return parts->getInit(field->getFieldIndex());
}

bool Lowering::lower_over_table(const clang::CXXForRangeStmt* statement) {
  const clang::VarDecl* variable = statement->getLoopVariable();
  const clang::InitListExpr* rows = rows_of(statement->getRangeInit(), context_);
  if (rows == nullptr || variable == nullptr || tables_ > 0 || statement->getInit() != nullptr ||
      only_once(statement->getBody()) || !launches(statement->getBody()) || may_change(statement->getBody(), variable))
    return false;
  for (const clang::Expr* row : rows->inits()) {
    if (!stands_for(variable, row)) return false;
  }
  ++tables_;
  const Id after = build_.new_block();
  for (const clang::Expr* row : rows->inits()) {
    stands_for(variable, row);
    const Id next = build_.new_block();
    open_scope();
    state().breaks.push_back({after, state().scope});
    state().continues.push_back({next, state().scope});
    lower_statement(statement->getBody());
    state().breaks.pop_back();
    state().continues.pop_back();
    close_scope();
    build_.jump(next);
    build_.enter(next);
  }
  build_.jump(after);
  build_.enter(after);
  --tables_;
  return true;
}

}  // namespace kernel_audit::analysis::cuda
