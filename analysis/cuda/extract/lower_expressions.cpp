#include "analysis/cuda/extract/lowering.h"

namespace kernel_audit::analysis::cuda {
namespace {

bool is_arithmetic(clang::QualType type) {
  return !type.isNull() && !type->isDependentType() && (type->isArithmeticType() || type->isEnumeralType());
}

// The text of `char name[] = {'n', 'a', 'm', 'e', 0}`.
std::optional<Json> text_of_list(const clang::InitListExpr* list, const clang::ASTContext& context) {
  const clang::ArrayType* array = list->getType().isNull() || list->getType()->isDependentType()
                                      ? nullptr
                                      : list->getType()->getAsArrayTypeUnsafe();
  if (array == nullptr || !array->getElementType()->isCharType() || list->getNumInits() == 0) return std::nullopt;
  std::string text;
  for (const clang::Expr* element : list->inits()) {
    const std::optional<llvm::APSInt> number =
        element->isValueDependent() ? std::nullopt : element->getIntegerConstantExpr(context);
    const std::uint64_t code = number ? number->getLimitedValue() : 256;
    if (code == 0) break;
    if (code >= 128) return std::nullopt;  // not text, or not constant
    text += static_cast<char>(code);
  }
  return Json(std::move(text));
}

// What std::array is given: its only member is an array.
const clang::InitListExpr* elements_of_array(const clang::InitListExpr* list) {
  const clang::CXXRecordDecl* record = record_of(list->getType());
  if (record == nullptr || record->getIdentifier() == nullptr || record->getName() != "array" ||
      !record->isInStdNamespace() || list->getNumInits() != 1)
    return nullptr;
  return llvm::dyn_cast<clang::InitListExpr>(list->getInit(0));
}

}  // namespace

std::string operator_name(clang::BinaryOperatorKind kind) {
  switch (kind) {
    case clang::BO_Mul:
    case clang::BO_MulAssign:
      return "mul";
    case clang::BO_Div:
    case clang::BO_DivAssign:
      return "truediv";
    case clang::BO_Rem:
    case clang::BO_RemAssign:
      return "mod";
    case clang::BO_Add:
    case clang::BO_AddAssign:
      return "add";
    case clang::BO_Sub:
    case clang::BO_SubAssign:
      return "sub";
    case clang::BO_Shl:
    case clang::BO_ShlAssign:
      return "lshift";
    case clang::BO_Shr:
    case clang::BO_ShrAssign:
      return "rshift";
    case clang::BO_And:
    case clang::BO_AndAssign:
      return "and_";
    case clang::BO_Or:
    case clang::BO_OrAssign:
      return "or_";
    case clang::BO_Xor:
    case clang::BO_XorAssign:
      return "xor";
    case clang::BO_LT:
      return "lt";
    case clang::BO_GT:
      return "gt";
    case clang::BO_LE:
      return "le";
    case clang::BO_GE:
      return "ge";
    case clang::BO_EQ:
      return "eq";
    case clang::BO_NE:
      return "ne";
    default:
      return "unknown";
  }
}

Id Lowering::unknown(const std::string& reason, const clang::Expr* expression) {
  SourceSpan span;
  Type type;
  if (expression != nullptr) {
    span = place(expression).span;
    type = type_of(expression->getType());
  }
  if (depth_ > budget_.limits().depth && !depth_reported_) {
    depth_reported_ = true;
    problem("limit",
            "An expression or statement is nested deeper than " + std::to_string(budget_.limits().depth) + " levels.",
            span);
  }
  return build_.add_unknown(reason, type, span);
}

// Whether a number is made of a macro whose value is not known, by way of constants that are too.
bool Lowering::made_of_option(const clang::Stmt* statement, int depth) {
  if (statement == nullptr || depth > 64) return false;
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(statement)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    if (variable == nullptr) return false;
    if (is_option(variable)) return true;
    return variable->getAnyInitializer() != nullptr && made_of_option(variable->getAnyInitializer(), depth + 1);
  }
  for (const clang::Stmt* child : statement->children()) {
    if (made_of_option(child, depth + 1)) return true;
  }
  return false;
}

bool Lowering::is_option(const clang::VarDecl* variable) {
  return variable->getIdentifier() != nullptr && parsed_.options.count(variable->getName().str()) != 0 &&
         !in_candidate(variable->getLocation());
}

std::optional<Json> Lowering::fold(const clang::Expr* expression) {
  if (expression->isValueDependent() || expression->isTypeDependent() || expression->containsErrors())
    return std::nullopt;
  if (!is_arithmetic(expression->getType())) return std::nullopt;
  if (!parsed_.options.empty() && made_of_option(expression)) return std::nullopt;
  clang::Expr::EvalResult result;
  if (!expression->EvaluateAsRValue(result, context_) || result.HasSideEffects) return std::nullopt;
  if (result.Val.isFloat()) {
    const llvm::APFloat& number = result.Val.getFloat();
    return number.isFinite() ? std::optional<Json>(number.convertToDouble()) : std::nullopt;
  }
  if (!result.Val.isInt()) return std::nullopt;
  const llvm::APSInt& number = result.Val.getInt();
  if (expression->getType()->isBooleanType()) return Json(number.getBoolValue());
  if (number.isUnsigned()) {
    if (number.getActiveBits() > 64) return std::nullopt;
    return Json(number.getZExtValue());
  }
  if (number.getSignificantBits() > 64) return std::nullopt;
  return Json(number.getSExtValue());
}

// An object of a class of the candidate, its fields given in order.
Id Lowering::made_of_class(const clang::CXXRecordDecl* record, std::vector<Id> fields, clang::QualType type,
                           const Place& where) {
  const Id class_id = class_of(record);
  Statement made;
  made.callee = build_.facts().classes[static_cast<std::size_t>(class_id)].qualified_name;
  made.args = std::move(fields);
  made.callee_value = build_.add_value(OriginKind::kConstant, {TypeKind::kClass, name_of(record)}, where.span);
  build_.value(made.callee_value).class_id = class_id;
  const Id result = finish_call(std::move(made), nullptr, nullptr, type, where);
  build_.value(result).class_id = class_id;
  return result;
}

Id Lowering::lower(const clang::Expr* expression) {
  if (expression == nullptr) return build_.add_unknown("the expression could not be parsed", {}, {});
  if (depth_ > budget_.limits().depth || budget_.exhausted())
    return unknown("expressions are nested too deeply", expression);
  ++depth_;
  const Id value = lower_inner(expression);
  --depth_;
  return value;
}

Id Lowering::lower_inner(const clang::Expr* expression) {
  if (const auto* full = llvm::dyn_cast<clang::FullExpr>(expression)) return lower(full->getSubExpr());
  if (const auto* paren = llvm::dyn_cast<clang::ParenExpr>(expression)) return lower(paren->getSubExpr());
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression)) {
    const clang::Expr* inner = cast->getSubExpr();
    if (cast->getCastKind() == clang::CK_NullToPointer) {
      return build_.add_constant(nullptr, type_of(expression->getType()), place(expression).span);
    }
    if (cast->getCastKind() == clang::CK_ToVoid) return lower(inner);
    const Id value = lower(inner);
    // A constant keeps its value through a cast as the cast leaves it (an int becomes a float, …).
    if (build_.value(value).constant && cast->getCastKind() != clang::CK_LValueToRValue &&
        cast->getCastKind() != clang::CK_NoOp) {
      if (auto constant = fold(expression)) {
        return build_.add_constant(std::move(*constant), type_of(expression->getType()), place(expression).span);
      }
      if (cast->getCastKind() == clang::CK_IntegralToPointer) {
        const Id pointer =
            build_.add_constant(*build_.value(value).constant, type_of(expression->getType()), place(expression).span);
        return pointer;
      }
    }
    return value;
  }
  if (const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression))
    return lower(temporary->getSubExpr());
  if (const auto* bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expression)) return lower(bound->getSubExpr());
  if (const auto* replaced = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(expression))
    return lower(replaced->getReplacement());
  if (const auto* default_init = llvm::dyn_cast<clang::CXXDefaultInitExpr>(expression))
    return lower(default_init->getExpr());
  if (const auto* list = llvm::dyn_cast<clang::CXXStdInitializerListExpr>(expression)) return lower(list->getSubExpr());
  if (const auto* opaque = llvm::dyn_cast<clang::OpaqueValueExpr>(expression)) return lower(opaque->getSourceExpr());
  if (const auto* choice = llvm::dyn_cast<clang::GenericSelectionExpr>(expression))
    return lower(choice->isResultDependent() ? nullptr : choice->getResultExpr());
  if (const auto* rewritten = llvm::dyn_cast<clang::CXXRewrittenBinaryOperator>(expression))
    return lower(rewritten->getSemanticForm());
  if (const auto* expansion = llvm::dyn_cast<clang::PackExpansionExpr>(expression))
    return lower(expansion->getPattern());

  if (const auto* launch = llvm::dyn_cast<clang::CUDAKernelCallExpr>(expression)) return lower_launch(launch);
  if (const auto* overloaded = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression))
    return lower_operator_call(overloaded);
  if (const auto* member_call = llvm::dyn_cast<clang::CXXMemberCallExpr>(expression))
    return lower_member_call(member_call);
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) return lower_call(call);
  if (const auto* construction = llvm::dyn_cast<clang::CXXConstructExpr>(expression))
    return lower_construction(construction);
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(expression)) return lower_lambda(lambda);
  if (const auto* recovery = llvm::dyn_cast<clang::RecoveryExpr>(expression)) return lower_recovery(recovery);
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) return lower_unary(unary);
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression)) return lower_binary(binary);
  if (const auto* conditional = llvm::dyn_cast<clang::ConditionalOperator>(expression)) {
    return lower_conditional(conditional->getCond(), conditional->getTrueExpr(), conditional->getFalseExpr(),
                             conditional);
  }
  if (const auto* elvis = llvm::dyn_cast<clang::BinaryConditionalOperator>(expression)) {
    return lower_conditional(elvis->getCommon(), elvis->getCommon(), elvis->getFalseExpr(), elvis);
  }

  if (const clang::Expr* element = stood_for(expression)) return lower(element);
  const Place where = place(expression);
  const Type type = type_of(expression->getType());
  if (const auto* string = llvm::dyn_cast<clang::StringLiteral>(expression)) {
    // Json text must be UTF-8; other bytes are escaped rather than lost.
    std::string text;
    for (const unsigned char c : string->getBytes()) {
      if (c < 0x80) {
        text += static_cast<char>(c);
      } else {
        static const char* kHex = "0123456789abcdef";
        text += {'\\', 'x', kHex[c >> 4U], kHex[c & 15U]};
      }
    }
    return build_.add_constant(std::move(text), {TypeKind::kString, "const char*"}, where.span);
  }
  if (llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral, clang::CXXBoolLiteralExpr, clang::CharacterLiteral,
                clang::UnaryExprOrTypeTraitExpr, clang::TypeTraitExpr, clang::SizeOfPackExpr, clang::CXXNoexceptExpr,
                clang::ConceptSpecializationExpr, clang::RequiresExpr>(expression)) {
    if (auto constant = fold(expression)) return build_.add_constant(std::move(*constant), type, where.span);
    return unknown("its value depends on a template parameter", expression);
  }
  if (llvm::isa<clang::CXXNullPtrLiteralExpr, clang::GNUNullExpr>(expression))
    return build_.add_constant(nullptr, type, where.span);
  if (llvm::isa<clang::CXXThisExpr>(expression)) {
    return state().this_value != kNone ? state().this_value : unknown("'this' outside of a method", expression);
  }
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    if (const auto* option = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
        option != nullptr && is_option(option))
      return unknown("the value of a macro that the build's options define", expression);
    const clang::ValueDecl* decl = reference->getDecl();
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl)) {
      const Id value = build_.add_value(OriginKind::kConstant, {TypeKind::kFunction, type.name}, where.span);
      build_.value(value).symbol = name_of(function);
      const Id target = function_of(function);
      build_.value(value).function = target;
      return value;
    }
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (variable != nullptr && name_of(variable) == "std::nullopt")
      return build_.add_constant(nullptr, type, where.span);
    const bool fixed =
        llvm::isa<clang::EnumConstantDecl>(decl) ||
        (variable != nullptr && !variable->getType()->isReferenceType() && variable->getType().isConstQualified());
    const bool named =
        llvm::isa<clang::EnumConstantDecl>(decl) || (variable != nullptr && !in_candidate(variable->getLocation()));
    if (fixed) {
      if (auto constant = fold(expression)) {
        const Id value = build_.add_constant(std::move(*constant), type, where.span);
        if (named) build_.value(value).symbol = name_of(decl);
        return value;
      }
    }
    if (named && parsed_.undeclared_values.count(decl->getNameAsString()) != 0) {
      const Id value = build_.add_unknown("nothing declares it", {}, where.span);
      build_.value(value).symbol = decl->getNameAsString();
      return value;
    }
    if (named) {
      const Id value = build_.add_value(OriginKind::kConstant, type, where.span);
      build_.value(value).symbol = name_of(decl);
      return value;
    }
    if (llvm::isa<clang::NonTypeTemplateParmDecl>(decl)) {
      // A number that each instantiation fixes carries nothing that a call computes.
      if (decl->getType()->isIntegralOrEnumerationType())
        return build_.add_value(OriginKind::kComputed, type, where.span);
      return unknown("a template parameter", expression);
    }
    return read(expression);
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression)) {
    if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(member->getMemberDecl())) {
      const Id value = build_.add_value(OriginKind::kConstant, {TypeKind::kFunction, name_of(method)}, where.span);
      build_.value(value).symbol = name_of(method);
      const Id target = function_of(method);
      build_.value(value).function = target;
      return value;
    }
    if (const auto* object = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParenImpCasts())) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(object->getDecl());
      if (variable != nullptr && !in_candidate(variable->getLocation()) && variable->hasGlobalStorage()) {
        const Id value = build_.add_value(OriginKind::kConstant, type, where.span);  // threadIdx.x
        build_.value(value).symbol = name_of(variable) + "." + member->getMemberDecl()->getNameAsString();
        return value;
      }
    }
    return read(expression);
  }
  if (llvm::isa<clang::ArraySubscriptExpr, clang::CXXDependentScopeMemberExpr>(expression)) return read(expression);
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(expression)) {
    if (auto text = text_of_list(list, context_))
      return build_.add_constant(std::move(*text), {TypeKind::kString, type.name}, where.span);
    const bool scalar = !expression->getType()->isDependentType() && expression->getType()->isScalarType();
    if (scalar && list->getNumInits() == 1) return lower(list->getInit(0));
    if (scalar && list->getNumInits() == 0)
      return build_.add_constant(is_arithmetic(expression->getType()) ? Json(0) : Json(), type, where.span);
    if (const auto* elements = elements_of_array(list)) list = elements;
    const clang::CXXRecordDecl* record =
        type.kind == TypeKind::kOther ? expression->getType()->getAsCXXRecordDecl() : nullptr;
    const Id class_id = record != nullptr ? class_of(record) : kNone;
    std::vector<Id> elements;
    unsigned given = list->getNumInits();
    const auto left_out = [&](unsigned i) {
      return list->getInit(i) == nullptr || llvm::isa<clang::ImplicitValueInitExpr>(list->getInit(i));
    };
    while (given > 0 && left_out(given - 1)) --given;
    for (unsigned i = 0; i < given; ++i) {
      if (!left_out(i)) {
        elements.push_back(lower(list->getInit(i)));
      } else if (class_id != kNone) {  // keeps its place among the fields
        elements.push_back(build_.add_constant(Json(), {TypeKind::kUnknown, ""}, where.span));
      }
    }
    if (class_id != kNone) {
      // A plain struct of the candidate: its fields in order.
      return made_of_class(record, std::move(elements), expression->getType(), where);
    }
    return build_.call("builtins.list", std::move(elements),
                       type.kind == TypeKind::kUnknown ? Type{TypeKind::kList, type.name} : type, where.span,
                       where.in_macro);
  }
  if (const auto* parens = llvm::dyn_cast<clang::ParenListExpr>(expression)) {
    if (parens->getNumExprs() == 1) return lower(parens->getExpr(0));
    std::vector<Id> elements;
    for (unsigned i = 0; i < parens->getNumExprs(); ++i) elements.push_back(lower(parens->getExpr(i)));
    return build_.call("builtins.list", std::move(elements), type, where.span, where.in_macro);
  }
  if (const auto* unresolved = llvm::dyn_cast<clang::CXXUnresolvedConstructExpr>(expression)) {
    if (unresolved->getNumArgs() == 1) return lower(unresolved->getArg(0));
    std::vector<Id> args;
    for (const clang::Expr* arg : unresolved->arguments()) args.push_back(lower(arg));
    return build_.call("operator.cast", std::move(args), type, where.span, where.in_macro);
  }
  if (llvm::isa<clang::CXXScalarValueInitExpr, clang::ImplicitValueInitExpr>(expression)) {
    if (is_arithmetic(expression->getType())) return build_.add_constant(0, type, where.span);
    return build_.call("operator.cast", {}, type, where.span, where.in_macro);
  }
  if (const auto* allocation = llvm::dyn_cast<clang::CXXNewExpr>(expression)) {
    std::vector<Id> args;
    if (allocation->getInitializer() != nullptr) args.push_back(lower(allocation->getInitializer()));
    if (allocation->isArray() && allocation->getArraySize() && *allocation->getArraySize() != nullptr)
      args.push_back(lower(*allocation->getArraySize()));
    return build_.call("operator.new", std::move(args), type, where.span, where.in_macro);
  }
  if (const auto* release = llvm::dyn_cast<clang::CXXDeleteExpr>(expression)) {
    return build_.call("operator.delete", {lower(release->getArgument())}, type, where.span, where.in_macro);
  }
  if (const auto* raise = llvm::dyn_cast<clang::CXXThrowExpr>(expression)) {
    Statement statement;
    statement.kind = StatementKind::kRaise;
    statement.value = raise->getSubExpr() != nullptr ? lower(raise->getSubExpr()) : kNone;
    statement.span = where.span;
    statement.in_macro = where.in_macro;
    build_.emit(std::move(statement));
    build_.terminate();
    return build_.add_unknown("control does not come back from a throw", {}, where.span);
  }
  if (const auto* block = llvm::dyn_cast<clang::StmtExpr>(expression)) {
    Id last = kNone;
    open_scope();
    for (const clang::Stmt* child : block->getSubStmt()->body()) {
      const auto* value = llvm::dyn_cast<clang::Expr>(child);
      if (value != nullptr && child == block->getSubStmt()->body_back()) {
        last = lower(value);
      } else {
        lower_statement(child);
      }
    }
    close_scope();
    return last != kNone ? last : unknown("a statement expression without a value", expression);
  }
  if (const auto* overloads = llvm::dyn_cast<clang::OverloadExpr>(expression)) {
    const Id value = build_.add_value(OriginKind::kConstant, {TypeKind::kFunction, ""}, where.span);
    build_.value(value).symbol = overloads->getNumDecls() > 0
                                     ? name_of((*overloads->decls_begin())->getUnderlyingDecl())
                                     : overloads->getName().getAsString();
    if (overloads->getNumDecls() == 1) {
      const clang::NamedDecl* only = (*overloads->decls_begin())->getUnderlyingDecl();
      if (const auto* function_template = llvm::dyn_cast<clang::FunctionTemplateDecl>(only))
        only = function_template->getTemplatedDecl();
      if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(only)) {
        const Id target = function_of(function);
        build_.value(value).function = target;
      }
    }
    return value;
  }
  if (const auto* dependent = llvm::dyn_cast<clang::DependentScopeDeclRefExpr>(expression)) {
    const Id value = build_.add_unknown("it depends on a template parameter", type, where.span);
    build_.value(value).symbol = "?." + dependent->getDeclName().getAsString();
    return value;
  }
  if (const auto* compound = llvm::dyn_cast<clang::CompoundLiteralExpr>(expression))
    return lower(compound->getInitializer());
  if (const auto* fold_expression = llvm::dyn_cast<clang::CXXFoldExpr>(expression)) {
    std::vector<Id> args{lower(fold_expression->getPattern())};
    return build_.call("operator." + operator_name(fold_expression->getOperator()), std::move(args), type, where.span,
                       where.in_macro);
  }
  std::vector<Id> args;
  for (const clang::Stmt* child : expression->children()) {
    if (const auto* inner = llvm::dyn_cast_or_null<clang::Expr>(child)) args.push_back(lower(inner));
  }
  const Id result = build_.call("", std::move(args), type, where.span, where.in_macro);
  build_.value(result).origin = OriginKind::kUnknown;
  build_.value(result).reason =
      std::string("an expression of kind ") + expression->getStmtClassName() + " is not followed";
  return result;
}

Id Lowering::lower_unary(const clang::UnaryOperator* expression) {
  const Place where = place(expression);
  const Type type = type_of(expression->getType());
  const clang::Expr* inner = expression->getSubExpr();
  switch (expression->getOpcode()) {
    case clang::UO_Deref:
      return read(expression);
    case clang::UO_AddrOf: {
      const clang::Expr* bare = inner->IgnoreParens();
      const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(bare);
      if ((reference != nullptr && llvm::isa<clang::FunctionDecl>(reference->getDecl())) ||
          llvm::isa<clang::OverloadExpr>(bare))
        return lower(bare);
      if (reference != nullptr && llvm::isa<clang::FieldDecl>(reference->getDecl())) {  // &Class::field
        const Id member = build_.add_value(OriginKind::kConstant, {TypeKind::kPointer, type.name}, where.span);
        build_.value(member).symbol = name_of(reference->getDecl());
        return member;
      }
      return build_.call("operator.addressof", {lower(inner)}, type, where.span, where.in_macro);
    }
    case clang::UO_PreInc:
    case clang::UO_PostInc:
    case clang::UO_PreDec:
    case clang::UO_PostDec: {
      const Id old = lower(inner);
      const Id one = build_.add_constant(1, {TypeKind::kInt, "int"}, where.span);
      const Id changed = build_.call(expression->isIncrementOp() ? "operator.iadd" : "operator.isub", {old, one}, type,
                                     where.span, where.in_macro);
      assign(inner, changed, where, true);
      return expression->isPrefix() ? changed : old;
    }
    case clang::UO_Plus:
    case clang::UO_Extension:
      return lower(inner);
    default:
      break;
  }
  const Id operand = lower(inner);
  if (build_.value(operand).constant) {
    if (auto constant = fold(expression)) return build_.add_constant(std::move(*constant), type, where.span);
  }
  const char* name = expression->getOpcode() == clang::UO_Minus ? "operator.neg"
                     : expression->getOpcode() == clang::UO_Not ? "operator.invert"
                                                                : "operator.not_";
  return build_.call(name, {operand}, type, where.span, where.in_macro);
}

Id Lowering::lower_binary(const clang::BinaryOperator* expression) {
  const Place where = place(expression);
  const Type type = type_of(expression->getType());
  if (expression->getOpcode() == clang::BO_Assign) {
    const Id value = lower(expression->getRHS());
    assign(expression->getLHS(), value, where);
    return value;
  }
  if (expression->isCompoundAssignmentOp()) {
    const Id left = lower(expression->getLHS());
    const Id right = lower(expression->getRHS());
    std::string name = operator_name(expression->getOpcode());
    if (name.back() == '_') name.pop_back();  // and_ → iand
    if (name == "truediv" && type.kind == TypeKind::kInt) name = "floordiv";
    const Id changed = build_.call("operator.i" + name, {left, right}, type, where.span, where.in_macro);
    assign(expression->getLHS(), changed, where, true);
    return changed;
  }
  if (expression->getOpcode() == clang::BO_Comma) {
    lower(expression->getLHS());
    return lower(expression->getRHS());
  }
  if (expression->isLogicalOp()) return lower_short_circuit(expression);
  const Id left = lower(expression->getLHS());
  const Id right = lower(expression->getRHS());
  if (build_.value(left).constant && build_.value(right).constant) {
    if (auto constant = fold(expression)) return build_.add_constant(std::move(*constant), type, where.span);
  }
  if (expression->isPtrMemOp()) return build_.add_unknown("a pointer to member is not followed", type, where.span);
  std::string name = operator_name(expression->getOpcode());
  if (name == "truediv" && type.kind == TypeKind::kInt) name = "floordiv";
  return build_.call("operator." + name, {left, right}, type, where.span, where.in_macro);
}

Id Lowering::lower_short_circuit(const clang::BinaryOperator* expression) {
  const Place where = place(expression);
  const Id left = lower(expression->getLHS());
  const Id right_block = build_.new_block();
  const Id join = build_.new_block();
  const bool both = expression->getOpcode() == clang::BO_LAnd;
  if (both) {
    build_.branch(left, right_block, join);
  } else {
    build_.branch(left, join, right_block);
  }
  build_.enter(right_block);
  const Id right = lower(expression->getRHS());
  build_.jump(join);
  build_.enter(join);
  Statement phi;
  phi.kind = StatementKind::kPhi;
  phi.callee = both ? "and" : "or";
  phi.args = {left, right};
  phi.span = where.span;
  phi.result = build_.add_value(OriginKind::kComputed, type_of(expression->getType()), where.span);
  return build_.emit(std::move(phi)).result;
}

Id Lowering::lower_conditional(const clang::Expr* condition, const clang::Expr* on_true, const clang::Expr* on_false,
                               const clang::Expr* whole) {
  const Place where = place(whole);
  if (auto constant = fold(whole))
    return build_.add_constant(std::move(*constant), type_of(whole->getType()), where.span);
  const Id true_block = build_.new_block();
  const Id false_block = build_.new_block();
  const Id join = build_.new_block();
  lower_condition(condition, true_block, false_block);
  std::vector<Id> values;
  build_.enter(true_block);
  const Id first = lower(on_true);
  if (!build_.terminated()) values.push_back(first);
  build_.jump(join);
  build_.enter(false_block);
  const Id second = lower(on_false);
  if (!build_.terminated()) values.push_back(second);
  build_.jump(join);
  build_.enter(join);
  return build_.phi(std::move(values), type_of(whole->getType()), where.span);
}

}  // namespace kernel_audit::analysis::cuda
