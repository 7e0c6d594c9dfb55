#include "analysis/cuda/extract/lowering.h"

namespace kernel_audit::analysis::cuda {
namespace {

// Numbers for numbers, and objects for objects; a class of the candidate's own for itself and what derives from it.
bool alike(clang::QualType given, clang::QualType wanted) {
  given = given.getNonReferenceType().getCanonicalType();
  wanted = wanted.getNonReferenceType().getCanonicalType();
  if (given->isDependentType() || wanted->isDependentType()) return true;
  if (given->isArithmeticType() || wanted->isArithmeticType())
    return given->isArithmeticType() && wanted->isArithmeticType() &&
           (given->isBooleanType() || !wanted->isBooleanType());
  const clang::CXXRecordDecl* object = given->getAsCXXRecordDecl();
  const clang::CXXRecordDecl* own = wanted->getAsCXXRecordDecl();
  if (object == nullptr || own == nullptr || object->getCanonicalDecl() == own->getCanonicalDecl()) return true;
  const bool converts = !own->getASTContext().getSourceManager().isInMainFile(own->getLocation());
  return converts || (object->hasDefinition() && own->hasDefinition() && object->isDerivedFrom(own));
}

// The stubs take any arguments for a function of ATen, which argument-dependent lookup finds beside the candidate's own
// of that name: an unqualified call that its own can take is of that one.
const clang::FunctionDecl* own_of_that_name(const clang::CallExpr* call, const clang::FunctionDecl* found) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts());
  if (found == nullptr || name == nullptr || name->hasQualifier() || !call->usesADL()) return nullptr;
  const auto takes = [&](const clang::FunctionDecl* own) {
    if (own == nullptr || own->isVariadic() || call->getNumArgs() > own->getNumParams() ||
        call->getNumArgs() < own->getMinRequiredArguments())
      return false;
    for (unsigned i = 0; i < call->getNumArgs(); ++i) {
      if (!alike(call->getArg(i)->getType(), own->getParamDecl(i)->getType())) return false;
    }
    return true;
  };
  std::vector<const clang::DeclContext*> scopes{found->getTranslationUnitDecl()};
  const clang::SourceManager& places = found->getASTContext().getSourceManager();
  const clang::SourceLocation here = places.getExpansionLoc(call->getBeginLoc());
  for (std::size_t i = 0; i < scopes.size(); ++i) {  // those around the call, and what is open to them
    for (const clang::Decl* each : scopes[i]->decls()) {
      const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(each);
      if (space != nullptr &&
          (space->isAnonymousNamespace() || places.isPointWithin(here, space->getBeginLoc(), space->getEndLoc())))
        scopes.push_back(space);
    }
  }
  for (const clang::DeclContext* scope : scopes) {
    for (const clang::NamedDecl* each : scope->lookup(found->getDeclName())) {
      const auto* own = llvm::dyn_cast<clang::FunctionDecl>(each);
      if (takes(own) && places.isBeforeInTranslationUnit(own->getFirstDecl()->getBeginLoc(), here))
        return own->getDefinition() != nullptr ? own->getDefinition() : own;
    }
  }
  return nullptr;
}

// `object.*(&Class::method)` where the method is one of several to the stubs, and Clang gave up: the method.
const clang::Expr* method_of_recovered(const clang::Expr* callee) {
  const auto* access = llvm::dyn_cast<clang::RecoveryExpr>(callee);
  if (access == nullptr || access->subExpressions().size() != 2) return nullptr;
  const auto* address = llvm::dyn_cast<clang::UnaryOperator>(access->subExpressions()[1]->IgnoreParens());
  if (address == nullptr || address->getOpcode() != clang::UO_AddrOf) return nullptr;
  const auto* overloads = llvm::dyn_cast<clang::OverloadExpr>(address->getSubExpr()->IgnoreParens());
  if (overloads == nullptr || overloads->getNumDecls() == 0) return nullptr;
  return (*overloads->decls_begin())->getUnderlyingDecl()->isCXXClassMember() ? address : nullptr;
}

// The keys and values of `std::map<…> m{{key, value}, …}`, one after the other; empty for any other construction.
std::vector<const clang::Expr*> listed_pairs(const std::string& constructor, const clang::Expr* argument) {
  if (constructor != "std::map::map" && constructor != "std::unordered_map::unordered_map") return {};
  const auto* whole = llvm::dyn_cast<clang::CXXStdInitializerListExpr>(argument->IgnoreUnlessSpelledInSource());
  const auto* list = llvm::dyn_cast<clang::InitListExpr>(
      (whole != nullptr ? whole->getSubExpr() : argument)->IgnoreUnlessSpelledInSource());
  std::vector<const clang::Expr*> parts;
  for (unsigned i = 0; list != nullptr && i < list->getNumInits(); ++i) {
    const auto* pair = llvm::dyn_cast<clang::CXXConstructExpr>(list->getInit(i)->IgnoreImplicit());
    if (pair == nullptr || pair->getNumArgs() != 2) return {};
    parts.insert(parts.end(), pair->arg_begin(), pair->arg_end());
  }
  return parts;
}

// Which element std::get takes out of a tuple, a pair or an array, by its place or by its type; nothing for other
// calls.
std::optional<std::int64_t> element_taken(const clang::FunctionDecl* function, const clang::CallExpr* call) {
  const clang::TemplateArgumentList* taken = function->getTemplateSpecializationArgs();
  const auto* whole = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      call->getNumArgs() == 1 ? record_of(call->getArg(0)->getType()) : nullptr);
  if (taken == nullptr || taken->size() == 0 || whole == nullptr || whole->getName() == "variant") return std::nullopt;
  if (taken->get(0).getKind() == clang::TemplateArgument::Integral) return taken->get(0).getAsIntegral().getExtValue();
  if (taken->get(0).getKind() != clang::TemplateArgument::Type) return std::nullopt;
  std::vector<clang::TemplateArgument> held(whole->getTemplateArgs().asArray());
  if (held.size() == 1 && held[0].getKind() == clang::TemplateArgument::Pack) held = held[0].getPackAsArray().vec();
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (held[i].getKind() == clang::TemplateArgument::Type &&
        held[i].getAsType().getCanonicalType() == taken->get(0).getAsType().getCanonicalType())
      return static_cast<std::int64_t>(i);
  }
  return std::nullopt;
}

bool is_copy(const clang::CXXConstructExpr* construction) {
  const clang::CXXConstructorDecl* constructor = construction->getConstructor();
  return construction->getNumArgs() == 1 && constructor->isCopyOrMoveConstructor();
}

bool replaces_pointee(const std::string& callee) {
  return callee == "std::unique_ptr::reset" || callee == "std::shared_ptr::reset" || callee == "std::optional::reset" ||
         callee == "std::optional::emplace";
}

// A container or accessor whose operator[] or operator() yields an element in place.
bool names_container(const std::string& type) {
  for (const char* name : {"std::", "c10::ArrayRef", "c10::SmallVector", "Accessor", "at::Tensor",
                           "pybind11::", "cutlass::", "cute::", "thrust::"}) {
    if (type.find(name) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

const clang::FunctionDecl* only_candidate(const clang::Expr* callee) {
  const auto* overloads = llvm::dyn_cast<clang::OverloadExpr>(callee);
  if (overloads == nullptr || overloads->getNumDecls() != 1) return nullptr;
  const clang::NamedDecl* decl = (*overloads->decls_begin())->getUnderlyingDecl();
  if (const auto* function_template = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl))
    decl = function_template->getTemplatedDecl();
  return llvm::dyn_cast<clang::FunctionDecl>(decl);
}

std::string operator_name(clang::OverloadedOperatorKind kind, unsigned operands) {
  switch (kind) {
    case clang::OO_Plus:
      return operands == 1 ? "operator.pos" : "operator.add";
    case clang::OO_Minus:
      return operands == 1 ? "operator.neg" : "operator.sub";
    case clang::OO_Star:
      return "operator.mul";
    case clang::OO_Slash:
      return "operator.truediv";
    case clang::OO_Percent:
      return "operator.mod";
    case clang::OO_Caret:
      return "operator.xor";
    case clang::OO_Amp:
      return operands == 1 ? "operator.addressof" : "operator.and_";
    case clang::OO_Pipe:
      return "operator.or_";
    case clang::OO_Tilde:
      return "operator.invert";
    case clang::OO_Exclaim:
      return "operator.not_";
    case clang::OO_Less:
      return "operator.lt";
    case clang::OO_Greater:
      return "operator.gt";
    case clang::OO_LessEqual:
      return "operator.le";
    case clang::OO_GreaterEqual:
      return "operator.ge";
    case clang::OO_EqualEqual:
      return "operator.eq";
    case clang::OO_ExclaimEqual:
      return "operator.ne";
    case clang::OO_LessLess:
      return "operator.lshift";
    case clang::OO_GreaterGreater:
      return "operator.rshift";
    case clang::OO_PlusEqual:
    case clang::OO_PlusPlus:
      return "operator.iadd";
    case clang::OO_MinusEqual:
    case clang::OO_MinusMinus:
      return "operator.isub";
    case clang::OO_StarEqual:
      return "operator.imul";
    case clang::OO_SlashEqual:
      return "operator.itruediv";
    case clang::OO_PercentEqual:
      return "operator.imod";
    case clang::OO_CaretEqual:
      return "operator.ixor";
    case clang::OO_AmpEqual:
      return "operator.iand";
    case clang::OO_PipeEqual:
      return "operator.ior";
    case clang::OO_LessLessEqual:
      return "operator.ilshift";
    case clang::OO_GreaterGreaterEqual:
      return "operator.irshift";
    default:
      return "";
  }
}

bool Lowering::element_access(const clang::CXXOperatorCallExpr* call) {
  if (call->getOperator() == clang::OO_Subscript) return true;
  if (call->getOperator() != clang::OO_Call) return false;
  const clang::QualType type = call->getArg(0)->getType();
  return type_of(type).name.find("Accessor") != std::string::npos;
}

Id Lowering::lower_argument(const clang::Expr* argument, const clang::ParmVarDecl* parameter) {
  const Id value = lower(argument);
  if (parameter == nullptr) return value;
  const auto* reference = parameter->getType()->getAs<clang::LValueReferenceType>();
  if (reference == nullptr || reference->getPointeeType().isConstQualified() || !argument->isLValue()) return value;
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext());
  const bool own = function != nullptr && function_of(function) != kNone;
  if (!own) {
    // A forwarding reference takes an lvalue as it is; an at::Tensor& of the framework is written in place.
    const clang::FunctionDecl* pattern = function != nullptr ? function->getTemplateInstantiationPattern() : nullptr;
    if (pattern != nullptr) {
      const unsigned index = parameter->getFunctionScopeIndex();
      const clang::ParmVarDecl* written = index < pattern->getNumParams() ? pattern->getParamDecl(index) : nullptr;
      if (written == nullptr && pattern->getNumParams() > 0)
        written = pattern->getParamDecl(pattern->getNumParams() - 1);
      clang::QualType type = written == nullptr ? clang::QualType() : written->getType();
      if (!type.isNull() && type->getAs<clang::PackExpansionType>() != nullptr)
        type = type->getAs<clang::PackExpansionType>()->getPattern();  // std::tie(a, b)
      if (type.isNull() || !type->isLValueReferenceType()) return value;
    }
    if (type_of(parameter->getType()).kind == TypeKind::kTensor) return value;
  }
  const Place where = place(argument);
  return build_.call("operator.addressof", {value}, {TypeKind::kPointer, type_of(argument->getType()).name + "*"},
                     where.span, where.in_macro);
}

std::vector<Id> Lowering::lower_arguments(clang::CallExpr::const_arg_range arguments, const clang::FunctionDecl* callee,
                                          unsigned skip) {
  std::vector<Id> result;
  unsigned index = 0;
  for (const clang::Expr* argument : arguments) {
    const unsigned position = index++;
    if (position < skip) continue;
    if (const auto* standing = llvm::dyn_cast<clang::CXXDefaultArgExpr>(argument)) {
      // Of the candidate's own functions it counts what stands there: `cudaStream_t stream = lane()`.
      if (callee == nullptr || !in_candidate(callee->getLocation())) continue;
      argument = standing->getExpr();
    }
    const unsigned parameter = position - skip;
    result.push_back(lower_argument(
        argument, callee != nullptr && parameter < callee->getNumParams() ? callee->getParamDecl(parameter) : nullptr));
  }
  return result;
}

Id Lowering::finish_call(Statement statement, const clang::FunctionDecl* callee, const clang::CallExpr* call,
                         clang::QualType type, const Place& where) {
  statement.kind = StatementKind::kCall;
  statement.span = where.span;
  statement.in_macro = where.in_macro;
  if (statement.target == kNone && callee != nullptr) statement.target = function_of(callee);
  statement.result = build_.add_value(OriginKind::kComputed, type_of(type), where.span);
  if (!statement.callee.empty() && parsed_.undeclared.count(statement.callee) != 0) {
    build_.value(statement.result).reason =
        "no header declares '" + statement.callee + "', so its result type is assumed";
  }
  if (statement.callee.empty()) {
    build_.value(statement.result).origin = OriginKind::kUnknown;
    build_.value(statement.result).reason = "the called function is not known";
  }
  const Id result = statement.result;
  const std::string name = statement.callee;
  const std::vector<Id> args = statement.args;
  build_.emit(std::move(statement));
  if (call != nullptr) bind_python(name, call, args, where);
  if (callee != nullptr && callee->isNoReturn()) {
    Statement end;
    end.kind = StatementKind::kRaise;
    end.span = where.span;
    end.in_macro = where.in_macro;
    build_.emit(std::move(end));
    build_.terminate();
  }
  return result;
}

Id Lowering::lower_call(const clang::CallExpr* call) {
  const clang::Expr* callee = call->getCallee()->IgnoreParenImpCasts();
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(callee)) return lower_inline_lambda(lambda, call);
  if (const clang::Expr* method = method_of_recovered(callee)) {
    const auto* access = llvm::cast<clang::RecoveryExpr>(callee);
    return lower_bound_method(access->subExpressions().front(), method, call);
  }
  const Place where = place(call);
  const clang::FunctionDecl* function = call->getDirectCallee();
  if (function == nullptr) function = only_candidate(callee);
  if (const clang::FunctionDecl* own = own_of_that_name(call, function)) function = own;
  Statement statement;
  if (function != nullptr) {
    statement.callee = name_of(function);
    const bool passes_on =
        statement.callee == "std::move" || statement.callee == "std::forward" || statement.callee == "std::as_const";
    if (passes_on && call->getNumArgs() == 1) return lower(call->getArg(0));
    if (function->isConstexpr()) {
      if (auto constant = fold(call))
        return build_.add_constant(std::move(*constant), type_of(call->getType()), where.span);
    }
    // What a variant or an any holds is taken for the whole of it.
    const bool unwraps =
        statement.callee == "std::get" || statement.callee == "std::get_if" || statement.callee == "std::any_cast";
    if (unwraps && call->getNumArgs() == 1) return element_taken(function, call) ? read(call) : lower(call->getArg(0));
    if (launches_kernel(statement.callee)) return lower_launch_call(call, statement.callee);
    if (const Id made = lower_make(call, function, statement.callee); made != kNone) return made;
    if (statement.callee == "std::visit") {
      if (const Id visited = lower_visit(call, function, where); visited != kNone) return visited;
    }
    statement.args = lower_arguments(call->arguments(), function);
    if (statement.callee == "torch::autograd::Function::apply") target_forward(function, statement, where);
    return finish_call(std::move(statement), function, call, call->getType(), where);
  }
  if (const auto* overloads = llvm::dyn_cast<clang::OverloadExpr>(callee)) {
    // Overload resolution waits for a template argument: the name is known, the overload is not.
    if (const auto* member = llvm::dyn_cast<clang::UnresolvedMemberExpr>(overloads)) {
      const Type base = member->isImplicitAccess() ? Type{} : type_of(member->getBaseType());
      statement.callee = overloads->getNumDecls() > 0 ? name_of((*overloads->decls_begin())->getUnderlyingDecl())
                                                      : "?." + member->getMemberName().getAsString();
      statement.receiver = member->isImplicitAccess() ? state().this_value : lower(member->getBase());
    } else {
      statement.callee = overloads->getNumDecls() > 0 ? name_of((*overloads->decls_begin())->getUnderlyingDecl())
                                                      : overloads->getName().getAsString();
    }
    statement.args = lower_arguments(call->arguments(), nullptr);
    return finish_call(std::move(statement), nullptr, call, call->getType(), where);
  }
  if (const auto* member = llvm::dyn_cast<clang::CXXDependentScopeMemberExpr>(callee)) {
    const std::string name = member->getMember().getAsString();
    if (!member->isImplicitAccess()) {
      const Type base = type_of(member->getBaseType());
      const bool container = base.kind == TypeKind::kDict || base.kind == TypeKind::kList;
      const std::string space = container ? base.name.substr(0, base.name.find('<')) + "::" : "?.";  // std::map<K, V>
      statement.callee = (base.kind == TypeKind::kTensor ? "at::Tensor::" : space) + name;
      statement.receiver = lower(member->getBase());
    } else {
      statement.callee = "?." + name;
      statement.receiver = state().this_value;
    }
    statement.args = lower_arguments(call->arguments(), nullptr);
    return finish_call(std::move(statement), nullptr, call, call->getType(), where);
  }
  if (const auto* scoped = llvm::dyn_cast<clang::DependentScopeDeclRefExpr>(callee)) {
    statement.callee = "?." + scoped->getDeclName().getAsString();
    statement.args = lower_arguments(call->arguments(), nullptr);
    return finish_call(std::move(statement), nullptr, call, call->getType(), where);
  }
  statement.callee_value = lower(callee);
  statement.target = build_.value(statement.callee_value).function;
  statement.args = lower_arguments(call->arguments(), nullptr);
  return finish_call(std::move(statement), nullptr, call, call->getType(), where);
}

// Function<T>::apply(x…) calls T::forward(context, x…).
void Lowering::target_forward(const clang::FunctionDecl* apply, Statement& statement, const Place& where) {
  const auto* owner = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(apply->getDeclContext());
  if (owner == nullptr || owner->getTemplateArgs().size() == 0) return;
  if (owner->getTemplateArgs()[0].getKind() != clang::TemplateArgument::Type) return;
  const clang::CXXRecordDecl* record = owner->getTemplateArgs()[0].getAsType()->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition()) return;
  for (const clang::CXXMethodDecl* method : record->methods()) {
    if (!method->getDeclName().isIdentifier() || method->getName() != "forward") continue;
    statement.target = function_of(method);
    statement.args.insert(statement.args.begin(), build_.add_unknown("the autograd context", {}, where.span));
    return;
  }
}

// Where std::get(whole) leads.
std::optional<facts::Location> Lowering::taken_element(const clang::CallExpr* call) {
  const clang::FunctionDecl* function = call->getDirectCallee();
  if (function == nullptr || name_of(function) != "std::get") return std::nullopt;
  const auto place_in = element_taken(function, call);
  if (!place_in) return std::nullopt;
  facts::Location element;
  element.base = lower(call->getArg(0));
  element.element = true;
  element.key = build_.add_constant(*place_in, {TypeKind::kInt, "int"}, place(call).span);
  return element;
}

// `[&] { … }()` runs once, here: its blocks join the caller's, so dominance sees through AT_DISPATCH.
Id Lowering::lower_inline_lambda(const clang::LambdaExpr* lambda, const clang::CallExpr* call) {
  InlineCall inlined;
  inlined.join = build_.new_block();
  inlined.scope = state().scope;
  const clang::CXXMethodDecl* method = lambda->getCallOperator();
  const Place where = place(call);
  unsigned first = llvm::isa<clang::CXXOperatorCallExpr>(call) ? 1U : 0U;
  for (const clang::LambdaCapture& capture : lambda->captures()) {
    if (!capture.capturesVariable()) continue;
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar());
    if (variable != nullptr && variable->isInitCapture() && variable->getInit() != nullptr) {
      facts::Location target;
      target.storage = storage_of(variable);
      build_.store(target, lower(variable->getInit()), where.span, where.in_macro);
    }
  }
  for (const clang::ParmVarDecl* parameter : method->parameters()) {
    if (first >= call->getNumArgs()) break;
    facts::Location target;
    target.storage = storage_of(parameter);
    build_.store(target, lower(call->getArg(first++)), where.span, where.in_macro);
  }
  state().inline_calls.push_back(inlined);
  lower_statement(lambda->getBody());
  build_.jump(inlined.join);
  inlined = state().inline_calls.back();
  state().inline_calls.pop_back();
  build_.enter(inlined.join);
  if (inlined.returned.empty())
    return build_.add_value(OriginKind::kComputed, {TypeKind::kNoneValue, "void"}, where.span);
  if (inlined.returned.size() == 1) return inlined.returned[0];
  return build_.phi(inlined.returned, type_of(call->getType()), where.span);
}

Id Lowering::lower_operator_call(const clang::CXXOperatorCallExpr* call) {
  const Place where = place(call);
  const clang::OverloadedOperatorKind kind = call->getOperator();
  const clang::FunctionDecl* function = call->getDirectCallee();
  if (kind == clang::OO_Call) {
    if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(call->getArg(0)->IgnoreParenImpCasts()))
      return lower_inline_lambda(lambda, call);
    if (element_access(call)) return read(call);
    Statement statement;
    statement.callee_value = lower(call->getArg(0));
    statement.target = build_.value(statement.callee_value).function;
    // A lambda of an instance of a template that is not lowered yet: its value says which of the instances made it.
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
    const bool later = method != nullptr && method->getParent()->isLambda() &&
                       method->getTemplateInstantiationPattern() != nullptr &&
                       functions_.count(method->getCanonicalDecl()) == 0;
    if (statement.target == kNone && function != nullptr && !later) statement.target = function_of(function);
    if (statement.target != kNone && method != nullptr && !method->isStatic() && !method->getParent()->isLambda())
      statement.receiver = statement.callee_value;
    const std::string type = type_of(call->getArg(0)->getType()).name;
    if (statement.target == kNone && type.rfind("(lambda", 0) != 0 && type.rfind("std::function", 0) != 0) {
      statement.callee = function != nullptr ? name_of(function) : "";
    }
    statement.args = lower_arguments(call->arguments(), function, 1);
    Id result = finish_call(statement, nullptr, nullptr, call->getType(), where);
    return result;
  }
  const bool own_operator = function != nullptr && function_of(function) != kNone;
  if (kind == clang::OO_Equal && !own_operator && call->getNumArgs() == 2) {
    const Id value = lower(call->getArg(1));
    // `cache[i] = v` and `*p = v` go where they point; `tensor[i] = v` too.
    assign(call->getArg(0), value, where);
    return value;
  }
  if (kind == clang::OO_Arrow) return lower(call->getArg(0));
  if (!own_operator && ((kind == clang::OO_Star && call->getNumArgs() == 1) ||
                        (kind == clang::OO_Subscript &&
                         (function == nullptr || names_container(name_of(function)) || call->isTypeDependent())))) {
    return read(call);
  }
  Statement statement;
  statement.callee = operator_name(kind, call->getNumArgs());
  if (statement.callee.empty()) statement.callee = function != nullptr ? name_of(function) : "operator.unknown";
  if (own_operator) statement.target = function_of(function);
  const bool method = function != nullptr && llvm::isa<clang::CXXMethodDecl>(function);
  if (own_operator && method) {
    statement.receiver = lower(call->getArg(0));
    statement.args = lower_arguments(call->arguments(), function, 1);
  } else {
    for (const clang::Expr* argument : call->arguments()) {
      if (!llvm::isa<clang::CXXDefaultArgExpr>(argument)) statement.args.push_back(lower(argument));
    }
  }
  const bool assigns = (kind >= clang::OO_PlusEqual && kind <= clang::OO_PipeEqual) ||
                       kind == clang::OO_LessLessEqual || kind == clang::OO_GreaterGreaterEqual ||
                       kind == clang::OO_PlusPlus || kind == clang::OO_MinusMinus;
  const Id result = finish_call(std::move(statement), nullptr, nullptr, call->getType(), where);
  if (assigns && !own_operator) assign(call->getArg(0), result, where, true);
  return result;
}

// `(object.*method)(…)`: a function of the object and what it is given.
Id Lowering::lower_bound_method(const clang::Expr* object, const clang::Expr* method, const clang::CallExpr* call) {
  Statement statement;
  const Id receiver = lower(object);
  const Id called = lower(method);
  statement.callee = build_.value(called).symbol;
  statement.args = lower_arguments(call->arguments(), nullptr);
  if (statement.callee.empty()) {
    statement.callee_value = called;
    statement.args.insert(statement.args.begin(), receiver);
  } else {
    statement.receiver = receiver;
    statement.target = build_.value(called).function;
  }
  return finish_call(std::move(statement), nullptr, nullptr, call->getType(), place(call));
}

Id Lowering::lower_member_call(const clang::CXXMemberCallExpr* call) {
  const Place where = place(call);
  const clang::CXXMethodDecl* method = call->getMethodDecl();
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParenImpCasts());
  if (method == nullptr || member == nullptr) {
    const auto* access = llvm::dyn_cast<clang::BinaryOperator>(call->getCallee()->IgnoreParenImpCasts());
    if (access != nullptr && access->isPtrMemOp()) return lower_bound_method(access->getLHS(), access->getRHS(), call);
    Statement statement;
    statement.callee_value = build_.add_unknown("the called member is not known", {}, where.span);
    statement.args = lower_arguments(call->arguments(), nullptr);
    return finish_call(std::move(statement), nullptr, nullptr, call->getType(), where);
  }
  if (method->isConstexpr()) {
    if (auto constant = fold(call))
      return build_.add_constant(std::move(*constant), type_of(call->getType()), where.span);
  }
  const Id receiver = lower(member->getBase());
  // A cast, but an own class says itself what it gives.
  if (llvm::isa<clang::CXXConversionDecl>(method) && function_of(method) == kNone) return receiver;
  Statement statement;
  statement.callee = name_of(method);
  if (replaces_pointee(statement.callee) && call->getNumArgs() <= 1) {
    // `held.reset(p)`, `held.emplace(v)`: an assignment by another name.
    const bool with = call->getNumArgs() == 1 && !llvm::isa<clang::CXXDefaultArgExpr>(call->getArg(0));
    const Id held = with ? lower(call->getArg(0)) : build_.add_constant(nullptr, {}, where.span);
    assign(member->getBase(), held, where);
    return held;
  }
  if (statement.callee.starts_with("std::atomic::") && !member->isArrow() && call->getNumArgs() > 0) {
    // `count.fetch_add(1)`: what it was; the sum is stored.
    const std::string name = statement.callee.substr(13);
    const bool given = !llvm::isa<clang::CXXDefaultArgExpr>(call->getArg(0));
    const bool counts = name == "fetch_add" || name == "fetch_sub";
    if (given && (counts || name == "store" || name == "exchange")) {
      Id next = lower(call->getArg(0));
      if (counts)
        next = build_.call(name == "fetch_add" ? "operator.iadd" : "operator.isub", {receiver, next},
                           type_of(call->getType()), where.span, where.in_macro);
      assign(member->getBase(), next, where, counts);
      return receiver;
    }
  }
  if (type_of(member->getBase()->getType()).kind == TypeKind::kTensor && !member->isArrow()) {
    // Whatever base class of the stub declares it.
    const std::size_t colons = statement.callee.rfind("::");
    if (statement.callee.rfind("at::TensorBase::", 0) == 0)
      statement.callee = "at::Tensor" + statement.callee.substr(colons);
  }
  statement.receiver = receiver;
  statement.args = lower_arguments(call->arguments(), method);
  return finish_call(std::move(statement), method, call, call->getType(), where);
}

Id Lowering::lower_construction(const clang::CXXConstructExpr* expression) {
  if (is_copy(expression)) return lower(expression->getArg(0));
  const clang::CXXConstructorDecl* constructor = expression->getConstructor();
  const Id own = function_of(constructor);
  std::vector<const clang::Expr*> written;
  for (const clang::Expr* argument : expression->arguments()) {
    if (!llvm::isa<clang::CXXDefaultArgExpr>(argument)) written.push_back(argument);
  }
  if (own == kNone && written.size() == 1 && narrows(written[0]->getType(), expression->getType())) {
    const Place where = place(expression);
    return build_.call("operator.cast", {lower(written[0])}, type_of(expression->getType()), where.span,
                       where.in_macro);
  }
  if (written.size() == 1) {
    const Place where = place(expression);
    std::vector<Id> parts;
    for (const clang::Expr* part : listed_pairs(name_of(constructor), written[0])) parts.push_back(lower(part));
    if (!parts.empty()) {
      return build_.call("builtins.dict", std::move(parts), type_of(expression->getType()), where.span, where.in_macro);
    }
  }
  const bool spelled_out =
      llvm::isa<clang::CXXTemporaryObjectExpr>(expression) || expression->getParenOrBraceRange().isValid();
  if (own == kNone && written.size() == 1 && !spelled_out) return lower(written[0]);  // an implicit conversion
  const Place where = place(expression);
  if (is_guard(expression->getType()) || own != kNone || written.size() != 1 || spelled_out) {
    Statement statement;
    statement.callee = name_of(constructor);
    statement.target = own;
    statement.args = lower_arguments(expression->arguments(), constructor);
    const Id class_id = class_of(constructor->getParent());
    if (class_id != kNone) {
      statement.callee_value =
          build_.add_value(OriginKind::kConstant, {TypeKind::kClass, name_of(constructor->getParent())}, where.span);
      build_.value(statement.callee_value).class_id = class_id;
    }
    const Id result = finish_call(std::move(statement), nullptr, nullptr, expression->getType(), where);
    bind_class(expression, where);
    build_.value(result).class_id = class_id;
    return result;
  }
  return lower(written[0]);
}

}  // namespace kernel_audit::analysis::cuda
