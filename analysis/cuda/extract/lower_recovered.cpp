// Expressions that Clang could not make sense of, because the stubs say less than the headers do.
#include "analysis/cuda/extract/lowering.h"

namespace kernel_audit::analysis::cuda {
namespace {

const clang::OverloadExpr* overloads_of(const clang::Expr* expression) {
  return llvm::dyn_cast<clang::OverloadExpr>(expression);
}

}  // namespace

// The function of the framework that stands among the template arguments of what is called; kNone where none does.
Id Lowering::named_by_template(const clang::OverloadExpr* called) {
  for (const clang::TemplateArgumentLoc& argument : called->template_arguments()) {
    if (argument.getArgument().getKind() != clang::TemplateArgument::Expression) continue;
    const clang::Expr* named = argument.getSourceExpression()->IgnoreParenImpCasts();
    if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(named))
      named = address->getSubExpr()->IgnoreParens();
    if (overloads_of(named) == nullptr) continue;
    const Id value = lower(named);
    if (build_.value(value).symbol.starts_with("at::")) return value;
  }
  return kNone;
}

Id Lowering::lower_recovery(const clang::RecoveryExpr* expression) {
  const Place where = place(expression);
  Statement statement;
  std::vector<Id> args;
  bool first = true;
  Id handed = kNone;
  const std::string text = spelled(expression->getSourceRange()).substr(0, 4096);
  for (const clang::Expr* child : expression->subExpressions()) {
    if (child == nullptr) continue;
    if (first) {
      first = false;
      const clang::Expr* bare = child->IgnoreParenImpCasts();
      const clang::NamedDecl* named = nullptr;
      if (const auto* overloads = llvm::dyn_cast<clang::OverloadExpr>(bare);
          overloads != nullptr && overloads->getNumDecls() > 0) {
        named = (*overloads->decls_begin())->getUnderlyingDecl();
        if (const auto* member = llvm::dyn_cast<clang::UnresolvedMemberExpr>(bare);
            member != nullptr && !member->isImplicitAccess()) {
          statement.receiver = lower(member->getBase());
        }
      } else if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(bare);
                 reference != nullptr && llvm::isa<clang::FunctionDecl>(reference->getDecl())) {
        named = reference->getDecl();
      } else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(bare);
                 member != nullptr && llvm::isa<clang::CXXMethodDecl>(member->getMemberDecl())) {
        named = member->getMemberDecl();
        statement.receiver = lower(member->getBase());
      }
      if (named != nullptr) {
        statement.callee = name_of(named);
        if (overloads_of(bare) != nullptr) handed = named_by_template(overloads_of(bare));
        if (const auto* function_template = llvm::dyn_cast<clang::FunctionTemplateDecl>(named))
          named = function_template->getTemplatedDecl();
        if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(named)) statement.target = function_of(function);
        continue;
      }
    }
    args.push_back(lower(child));
  }
  if (statement.callee.empty()) {
    // `torch::no_such(x)`: the name is all that is left of the callee.
    std::size_t end = 0;
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_' || text[end] == ':'))
      ++end;
    std::size_t next = end;
    while (next < text.size() && text[next] == ' ') ++next;
    if (end > 0 && next < text.size() && (text[next] == '(' || text[next] == '<')) {
      statement.callee = text.substr(0, end);
      if (statement.callee.rfind("::", 0) == 0) statement.callee.erase(0, 2);
      if (statement.callee.rfind("torch::", 0) == 0) statement.callee.replace(0, 7, "at::");
    }
  }
  statement.args = args;
  const Id result = finish_call(std::move(statement), nullptr, nullptr, expression->getType(), where);
  build_.value(result).origin = OriginKind::kUnknown;
  build_.value(result).reason = "the expression has an error that Clang recovered from";
  if (handed == kNone) return result;
  Statement passed;  // run<&at::mm>(a, b): what it is handed is what it calls
  passed.callee = build_.value(handed).symbol;
  passed.args = std::move(args);
  return finish_call(std::move(passed), nullptr, nullptr, expression->getType(), where);
}

}  // namespace kernel_audit::analysis::cuda
