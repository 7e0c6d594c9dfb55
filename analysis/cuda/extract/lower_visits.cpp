// `std::visit(visitor, variant)`: a call of one of the methods that the visitor has for what the variant may hold.
#include <algorithm>

#include "analysis/cuda/extract/lowering.h"

namespace kernel_audit::analysis::cuda {
namespace {

using Methods = std::vector<const clang::CXXMethodDecl*>;

// The operators that an instance of std::visit calls, each once.
void collect_called(const clang::Stmt* statement, Methods& found) {
  if (statement == nullptr) return;
  if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(statement);
      call != nullptr && call->getOperator() == clang::OO_Call) {
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
    if (std::find(found.begin(), found.end(), method) == found.end()) found.push_back(method);
  }
  for (const clang::Stmt* child : statement->children()) collect_called(child, found);
}

}  // namespace

// kNone where the visitor is a lambda, or is not known.
Id Lowering::lower_visit(const clang::CallExpr* call, const clang::FunctionDecl* visit, const Place& where) {
  const clang::FunctionDecl* body = nullptr;
  Methods methods;
  if (call->getNumArgs() == 2 && visit->hasBody(body)) collect_called(body->getBody(), methods);
  const auto own = [&](const clang::CXXMethodDecl* method) {
    return method != nullptr && !method->getParent()->isLambda() && function_of(method) != kNone;
  };
  if (methods.empty() || !std::all_of(methods.begin(), methods.end(), own)) return kNone;
  const Id visitor = lower(call->getArg(0));
  const Id held = lower(call->getArg(1));
  const Id after = build_.new_block();
  std::vector<Id> results;
  for (const clang::CXXMethodDecl* method : methods) {
    const bool last = method == methods.back();
    const Id chosen = last ? kNone : build_.new_block();
    const Id other = last ? kNone : build_.new_block();
    if (!last) {
      const Id choice = build_.call("std::holds_alternative", {held}, {TypeKind::kBool, "bool"}, where.span);
      build_.branch(choice, chosen, other);
      build_.enter(chosen);
    }
    Statement statement;
    statement.callee = name_of(method);
    statement.receiver = visitor;
    statement.args = {held};
    results.push_back(finish_call(std::move(statement), method, nullptr, method->getReturnType(), where));
    build_.jump(after);
    if (!last) build_.enter(other);
  }
  build_.enter(after);
  return results.size() == 1 ? results.front() : build_.phi(results, type_of(call->getType()), where.span);
}

}  // namespace kernel_audit::analysis::cuda
