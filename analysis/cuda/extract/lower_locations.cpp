#include <algorithm>

#include "analysis/cuda/extract/lowering.h"

namespace kernel_audit::analysis::cuda {
namespace {

facts::Location element_of(Id base, Id key) {
  facts::Location location;
  location.base = base;
  location.element = true;
  location.key = key;
  return location;
}

// A name for a part of something that lives elsewhere; in a range loop it is a part of the element at hand.
bool by_reference(const clang::BindingDecl& binding) {
  const auto* whole = llvm::dyn_cast_or_null<clang::DecompositionDecl>(binding.getDecomposedDecl());
  return whole != nullptr && whole->getType()->isReferenceType() && !whole->isCXXForRangeDecl();
}

}  // namespace

Id Lowering::read(const clang::Expr* lvalue) {
  const Place where = place(lvalue);
  const facts::Location from = location(lvalue);
  return build_.load(from, type_of(lvalue->getType()), where.span, where.in_macro);
}

Id Lowering::pointee_storage(const facts::Location& pointer) {
  auto& known = state().pointees;
  const auto found = known.find(pointer.storage);
  if (found != known.end()) return found->second;
  facts::Storage storage;
  storage.kind = StorageKind::kDeref;
  storage.name = pointer.storage != kNone ? "*" + build_.storage(pointer.storage).name : "*";
  storage.lifetime = facts::Lifetime::kExternal;
  storage.owner_function = build_.current_function();
  const Id id = build_.add_storage(std::move(storage));
  known.emplace(pointer.storage, id);
  return id;
}

// What a local reference to an element denotes, in the function that it is a variable of.
const facts::Location* Lowering::place_of(const clang::ValueDecl* reference) const {
  const auto known = places_.find(reference);
  return known != places_.end() && known->second.first == build_.current_function() ? &known->second.second : nullptr;
}

facts::Location Lowering::dereference(const clang::Expr* pointer, const clang::Expr* index) {
  const clang::Expr* bare = pointer->IgnoreParenImpCasts();
  facts::Location result;
  const auto* array = llvm::dyn_cast<clang::DeclRefExpr>(bare);
  if (array != nullptr && !bare->isTypeDependent() && bare->getType()->isArrayType() &&
      llvm::isa<clang::VarDecl>(array->getDecl()) && in_candidate(array->getDecl()->getLocation())) {
    // An array of the candidate's own is a container: its elements are its storage.
    result.storage = storage_of(array->getDecl());
    result.base = read(array);
  } else if (const auto* row = llvm::dyn_cast<clang::ArraySubscriptExpr>(bare);
             row != nullptr && !row->isTypeDependent() && row->getType()->isArrayType()) {
    result = dereference(row->getBase(), row->getIdx());
    result.element = true;
    if (index != nullptr) {
      const Id key = lower(index);
      result.key = build_.call("builtins.tuple", {result.key, key}, {TypeKind::kTuple, ""}, place(index).span);
    }
    return result;
  } else {
    facts::Location from;
    if (array != nullptr && llvm::isa<clang::VarDecl>(array->getDecl())) from.storage = storage_of(array->getDecl());
    result.base = lower(pointer);
    result.storage = pointee_storage(from);
  }
  if (index != nullptr) {
    result.element = true;
    result.key = lower(index);
  }
  return result;
}

facts::Location Lowering::location(const clang::Expr* expression) {
  // Temporaries that stand for a place: `tensor[i] = v` stores through one.
  for (;;) {
    expression = expression->IgnoreParens();
    if (const auto* full = llvm::dyn_cast<clang::FullExpr>(expression)) {
      expression = full->getSubExpr();
    } else if (const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression)) {
      expression = temporary->getSubExpr();
    } else if (const auto* bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expression)) {
      expression = bound->getSubExpr();
    } else {
      break;
    }
  }
  facts::Location result;
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression);
      cast != nullptr &&
      (cast->isGLValue() || cast->getCastKind() == clang::CK_LValueToRValue || cast->getCastKind() == clang::CK_NoOp)) {
    if (cast->getSubExpr()->isGLValue()) return location(cast->getSubExpr());
  }
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    if (const auto alias = aliases_.find(reference->getDecl()); alias != aliases_.end()) return location(alias->second);
    if (const facts::Location* known = place_of(reference->getDecl())) return *known;
    if (const auto* binding = llvm::dyn_cast<clang::BindingDecl>(reference->getDecl());
        binding != nullptr && by_reference(*binding)) {  // auto& [a, b] = pair: a is the first of the pair itself
      const auto* whole = llvm::cast<clang::DecompositionDecl>(binding->getDecomposedDecl());
      const auto bindings = whole->bindings();
      facts::Location held;
      held.storage = storage_of(whole);
      const Place where = place(reference->getSourceRange());
      result.storage = held.storage;
      result.base = build_.load(held, type_of(whole->getType().getNonReferenceType()), where.span, where.in_macro);
      result.element = true;
      const auto index = std::find(bindings.begin(), bindings.end(), binding) - bindings.begin();
      result.key = build_.add_constant(std::int64_t{index}, {TypeKind::kInt, "int"}, where.span);
      return result;
    }
    if (llvm::isa<clang::VarDecl, clang::BindingDecl>(reference->getDecl())) {
      result.storage = storage_of(reference->getDecl());
      return result;
    }
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression)) {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(member->getMemberDecl())) {  // static member
      result.storage = storage_of(variable);
      return result;
    }
    result.base = lower(member->getBase());
    const bool own = llvm::isa<clang::CXXThisExpr>(member->getBase()->IgnoreParenImpCasts());
    if (own) {
      result.storage = storage_of(member->getMemberDecl());
      return result;
    }
    facts::Storage storage;
    storage.kind = StorageKind::kOtherAttribute;
    storage.name = member->getMemberDecl()->getNameAsString();
    storage.type = type_of(member->getType());
    storage.lifetime = facts::Lifetime::kExternal;
    const auto key = std::make_pair(member->getMemberDecl(), 0);
    const auto found = storages_.find(key.first->getCanonicalDecl());
    if (found != storages_.end() && build_.storage(found->second).kind == StorageKind::kOtherAttribute) {
      result.storage = found->second;
    } else {
      result.storage = build_.add_storage(std::move(storage));
      if (found == storages_.end() && !in_candidate(member->getMemberDecl()->getLocation())) {
        storages_.emplace(key.first->getCanonicalDecl(), result.storage);
      }
    }
    return result;
  }
  if (const auto* dependent = llvm::dyn_cast<clang::CXXDependentScopeMemberExpr>(expression)) {
    result.base = dependent->isImplicitAccess() ? state().this_value : lower(dependent->getBase());
    facts::Storage storage;
    storage.kind = StorageKind::kOtherAttribute;
    storage.name = dependent->getMember().getAsString();
    storage.lifetime = facts::Lifetime::kExternal;
    result.storage = build_.add_storage(std::move(storage));
    return result;
  }
  if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression)) {
    return dereference(subscript->getBase(), subscript->getIdx());
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
    if (unary->getOpcode() == clang::UO_Deref) return dereference(unary->getSubExpr(), nullptr);
    if (unary->isIncrementDecrementOp()) {
      lower(unary);
      return location(unary->getSubExpr());
    }
  }
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression)) {
    if (binary->isAssignmentOp()) {
      lower(binary);
      return location(binary->getLHS());
    }
    if (binary->getOpcode() == clang::BO_Comma) {
      lower(binary->getLHS());
      return location(binary->getRHS());
    }
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) {
    if (auto element = taken_element(call)) return *element;
  }
  if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression)) {
    const auto kind = call->getOperator();
    if (kind == clang::OO_Star && call->getNumArgs() == 1) {
      facts::Location from;
      result.base = lower(call->getArg(0));
      result.storage = pointee_storage(from);
      return result;
    }
    if (element_access(call)) {
      const clang::Expr* container = call->getArg(0)->IgnoreParenImpCasts();
      const Id base = lower(call->getArg(0));
      std::vector<Id> keys;
      for (unsigned i = 1; i < call->getNumArgs(); ++i) keys.push_back(lower(call->getArg(i)));
      const Id key = keys.empty()       ? kNone
                     : keys.size() == 1 ? keys[0]
                                        : build_.call("builtins.tuple", keys, {TypeKind::kTuple, ""}, place(call).span);
      result = element_of(base, key);
      const std::string type = type_of(container->getType()).name;
      const bool pointer_like = type.find("Accessor") != std::string::npos || kind == clang::OO_Call;
      if (pointer_like) {
        result.storage = pointee_storage({});
      } else if (const auto* variable = llvm::dyn_cast<clang::DeclRefExpr>(container);
                 variable != nullptr && llvm::isa<clang::VarDecl>(variable->getDecl()) &&
                 in_candidate(variable->getDecl()->getLocation())) {
        result.storage = storage_of(variable->getDecl());
      } else if (const auto* field = llvm::dyn_cast<clang::MemberExpr>(container);
                 field != nullptr && llvm::isa<clang::CXXThisExpr>(field->getBase()->IgnoreParenImpCasts())) {
        result.storage = storage_of(field->getMemberDecl());
      }
      return result;
    }
    if (kind == clang::OO_Equal || (kind >= clang::OO_PlusEqual && kind <= clang::OO_PipeEqual) ||
        kind == clang::OO_LessLessEqual || kind == clang::OO_GreaterGreaterEqual) {
      lower(call);
      return location(call->getArg(0));
    }
  }
  result.base = lower(expression);
  result.storage = pointee_storage({});
  return result;
}

void Lowering::assign(const clang::Expr* target, Id value, const Place& where, bool augmented) {
  const clang::Expr* bare = target->IgnoreParens();
  facts::Location to = location(target);
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(bare);
      reference != nullptr && reference->getDecl()->getType()->isReferenceType() &&
      aliases_.count(reference->getDecl()) == 0 && place_of(reference->getDecl()) == nullptr) {
    // What a reference denotes is elsewhere: a store through it is a store through a pointer.
    const facts::Location from = to;
    to = {};
    to.base = build_.load(from, type_of(target->getType()), where.span, where.in_macro);
    to.storage = pointee_storage(from);
  }
  build_.store(to, value, where.span, where.in_macro, augmented);
}

}  // namespace kernel_audit::analysis::cuda
