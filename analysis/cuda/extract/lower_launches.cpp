// Kernel launches: `<<<…>>>`, and the launch functions of the runtime, whose arguments lie in an array of pointers.
// Also objects that a factory function makes.
#include <algorithm>

#include "analysis/cuda/extract/lowering.h"

namespace kernel_audit::analysis::cuda {
namespace {

// The elements of `void* args[] = {&a, &b}`, given `args`.
const clang::InitListExpr* array_of(const clang::Expr* expression) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenCasts());
  const auto* variable = reference != nullptr ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  if (variable == nullptr || variable->getInit() == nullptr) return nullptr;
  return llvm::dyn_cast<clang::InitListExpr>(variable->getInit()->IgnoreParenImpCasts());
}

}  // namespace

bool Lowering::launches_kernel(const std::string& callee) {
  return callee == "cudaLaunchKernel" || callee == "cudaLaunchCooperativeKernel" || callee == "cudaLaunchKernelEx" ||
         callee == "cudaLaunchKernelExC" || callee == "cuLaunchKernel" || callee == "cuLaunchCooperativeKernel";
}

Id Lowering::lower_launch(const clang::CUDAKernelCallExpr* call) {
  const Place where = place(call);
  Statement statement;
  statement.kind = StatementKind::kLaunch;
  statement.span = where.span;
  statement.in_macro = where.in_macro;
  facts::Launch launch;
  const clang::CallExpr* config = call->getConfig();
  const auto argument = [&](unsigned index) {
    if (config == nullptr || index >= config->getNumArgs() ||
        llvm::isa<clang::CXXDefaultArgExpr>(config->getArg(index)))
      return kNone;
    return lower(config->getArg(index));
  };
  launch.grid = argument(0);
  launch.block = argument(1);
  launch.shared_bytes = argument(2);
  launch.stream = argument(3);
  launch.stream_origin = launch.stream == kNone ? "default" : "unknown";
  const clang::Expr* callee = call->getCallee()->IgnoreParenImpCasts();
  const clang::FunctionDecl* kernel = call->getDirectCallee();
  if (kernel == nullptr) kernel = only_candidate(callee);
  launch.kernel_name = kernel != nullptr ? name_of(kernel) : spelled(callee->getSourceRange()).substr(0, 200);
  if (kernel != nullptr) {
    launch.kernel_function = function_of(kernel);
  } else if (const auto* overloads = llvm::dyn_cast<clang::OverloadExpr>(callee)) {
    launch.kernel_name = overloads->getName().getAsString();
    for (const clang::NamedDecl* decl : overloads->decls()) {
      decl = decl->getUnderlyingDecl();
      if (const auto* function_template = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl))
        decl = function_template->getTemplatedDecl();
      if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl);
          function != nullptr && launch.kernel_function == kNone) {
        launch.kernel_function = function_of(function);
      }
    }
  } else {
    statement.callee_value = lower(callee);  // through a function pointer
    launch.kernel_function = build_.value(statement.callee_value).function;
  }
  statement.args = lower_arguments(call->arguments(), nullptr);
  statement.star_args = std::any_of(call->arg_begin(), call->arg_end(), [](const clang::Expr* given) {
    return llvm::isa<clang::PackExpansionExpr>(given);
  });
  statement.launch = std::move(launch);
  build_.emit(std::move(statement));
  return build_.add_value(OriginKind::kComputed, {TypeKind::kNoneValue, "void"}, where.span);
}

// cudaLaunchKernel(kernel, grid, block, void** args, shared, stream); cudaLaunchKernelEx(config, kernel, args…);
// cuLaunchKernel(handle, grid x, y, z, block x, y, z, shared, stream, void** args, extra).
Id Lowering::lower_launch_call(const clang::CallExpr* call, const std::string& callee) {
  const Place where = place(call);
  const bool with_config = callee == "cudaLaunchKernelEx" || callee == "cudaLaunchKernelExC";
  const bool packed = callee != "cudaLaunchKernelEx";
  const bool by_handle = callee.starts_with("cuLaunch");
  const auto given = [&](unsigned index) {
    return index < call->getNumArgs() && !llvm::isa<clang::CXXDefaultArgExpr>(call->getArg(index));
  };
  const unsigned kernel_at = with_config ? 1 : 0;
  Statement statement;
  statement.kind = StatementKind::kLaunch;
  statement.span = where.span;
  statement.in_macro = where.in_macro;
  facts::Launch launch;
  launch.stream_origin = "unknown";
  if (given(kernel_at)) {
    statement.callee_value = lower(call->getArg(kernel_at));
    const facts::Value& kernel = build_.value(statement.callee_value);
    launch.kernel_function = kernel.function;
    launch.kernel_name = kernel.function != kNone ? build_.function(kernel.function).qualified_name
                         : !kernel.symbol.empty() ? kernel.symbol
                                                  : spelled(call->getArg(kernel_at)->getSourceRange()).substr(0, 200);
  }
  if (by_handle) {
    statement.callee = "cuLaunchKernel";
    if (given(1)) launch.grid = lower(call->getArg(1));
    if (given(4)) launch.block = lower(call->getArg(4));
    if (given(7)) launch.shared_bytes = lower(call->getArg(7));
    if (given(8)) launch.stream = lower(call->getArg(8));
  } else if (!with_config) {
    if (given(1)) launch.grid = lower(call->getArg(1));
    if (given(2)) launch.block = lower(call->getArg(2));
    if (given(4)) launch.shared_bytes = lower(call->getArg(4));
    if (given(5)) launch.stream = lower(call->getArg(5));
    if (!given(5)) launch.stream_origin = "default";
  } else if (given(0)) {
    statement.callee = "cudaLaunchKernelEx";
    facts::Storage member;
    member.kind = StorageKind::kOtherAttribute;
    member.name = "stream";
    member.lifetime = facts::Lifetime::kExternal;
    facts::Location stream;
    stream.base = lower(call->getArg(0));
    stream.storage = build_.add_storage(std::move(member));
    launch.stream = build_.load(stream, {TypeKind::kStream, "CUstream_st *"}, where.span, where.in_macro);
  }
  if (!packed) {
    for (unsigned i = 2; i < call->getNumArgs(); ++i) statement.args.push_back(lower(call->getArg(i)));
  } else if (const unsigned at = by_handle ? 9U : with_config ? 2U : 3U; given(at)) {
    if (const clang::InitListExpr* list = array_of(call->getArg(at))) {
      for (const clang::Expr* element : list->inits()) {
        const auto* address = llvm::dyn_cast<clang::UnaryOperator>(element->IgnoreParenCasts());
        const bool taken = address != nullptr && address->getOpcode() == clang::UO_AddrOf;
        statement.args.push_back(lower(taken ? address->getSubExpr() : element));
      }
    } else {
      statement.args.push_back(lower(call->getArg(at)));
      statement.star_args = true;
    }
  }
  statement.launch = std::move(launch);
  build_.emit(std::move(statement));
  return build_.add_value(OriginKind::kComputed, type_of(call->getType()), where.span);
}

// std::make_unique<T>(…) and its like of a class of the candidate constructs a T; kNone when this is no such call.
Id Lowering::lower_make(const clang::CallExpr* call, const clang::FunctionDecl* function, const std::string& callee) {
  if (callee != "std::make_unique" && callee != "std::make_shared" && callee != "c10::make_intrusive") return kNone;
  const clang::TemplateArgumentList* arguments = function->getTemplateSpecializationArgs();
  if (arguments == nullptr || arguments->size() == 0 || arguments->get(0).getKind() != clang::TemplateArgument::Type)
    return kNone;
  const clang::CXXRecordDecl* record = arguments->get(0).getAsType()->getAsCXXRecordDecl();
  const Id class_id = record != nullptr ? class_of(record) : kNone;
  if (class_id == kNone) return kNone;
  const Place where = place(call);
  Statement statement;
  statement.callee = build_.facts().classes[static_cast<std::size_t>(class_id)].qualified_name;
  for (const clang::CXXConstructorDecl* constructor : record->ctors()) {
    if (constructor->isImplicit() || constructor->getNumParams() != call->getNumArgs()) continue;
    statement.callee = name_of(constructor);
    statement.target = function_of(constructor);
  }
  statement.args = lower_arguments(call->arguments(), nullptr);
  statement.callee_value = build_.add_value(OriginKind::kConstant, {TypeKind::kClass, name_of(record)}, where.span);
  build_.value(statement.callee_value).class_id = class_id;
  const Id result = finish_call(std::move(statement), nullptr, nullptr, call->getType(), where);
  build_.value(result).class_id = class_id;
  return result;
}

}  // namespace kernel_audit::analysis::cuda
