// Names that Python is given: PYBIND11_MODULE, py::class_, TORCH_LIBRARY, and the function behind each, however it is
// handed over.
#include <algorithm>

#include "analysis/cuda/extract/lowering.h"

namespace kernel_audit::analysis::cuda {
namespace {

constexpr int kBoundDepth = 8;  // of variables, casts and wrappers around what is bound

// The object that a method is called on, through temporaries.
const clang::Expr* object_of(const clang::CallExpr* call) {
  const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call);
  return member == nullptr ? nullptr : member->getImplicitObjectArgument();
}

std::string method_name(const clang::CallExpr* call) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  return callee == nullptr || !callee->getDeclName().isIdentifier() ? std::string() : callee->getName().str();
}

std::string literal(const clang::Expr* expression) {
  const auto* text = llvm::dyn_cast<clang::StringLiteral>(expression->IgnoreParenImpCasts());
  return text == nullptr || text->getCharByteWidth() != 1 ? std::string() : text->getString().str();
}

// What a variable was made with, casts and temporaries left out.
const clang::Expr* plain(const clang::Expr* expression) {
  return expression == nullptr ? nullptr : expression->IgnoreUnlessSpelledInSource()->IgnoreParenCasts();
}

const clang::ClassTemplateSpecializationDecl* specialization(clang::QualType type) {
  return llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(record_of(type));
}

// The name in py::arg("x") or "x"_a.
std::string argument_name(const clang::Expr* made) {
  if (const auto* call = llvm::dyn_cast<clang::UserDefinedLiteral>(made))
    return call->getNumArgs() > 0 ? literal(call->getArg(0)) : std::string();
  const auto* construction = llvm::dyn_cast<clang::CXXConstructExpr>(made);
  return construction == nullptr || construction->getNumArgs() == 0 ? std::string() : literal(construction->getArg(0));
}

// The namespace that a torch::Library is made for.
std::string library_space(const clang::Expr* object) {
  const auto* reference = llvm::dyn_cast_or_null<clang::DeclRefExpr>(plain(object));
  const auto* variable = reference == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
  const auto* made =
      llvm::dyn_cast_or_null<clang::CXXConstructExpr>(plain(variable == nullptr ? nullptr : variable->getInit()));
  for (unsigned i = 0; made != nullptr && i < made->getNumArgs(); ++i) {
    if (std::string text = literal(made->getArg(i)); !text.empty()) return text;
  }
  return "";
}

// The arguments that a schema lists.
std::vector<std::string> schema_arguments(const std::string& schema) {
  std::vector<std::string> arguments;
  const std::size_t open = schema.find('(');
  int depth = 0;
  for (std::size_t i = open; i < schema.size(); ++i) {
    const char c = schema[i];
    if (c == '(' || c == '[') {
      if (depth++ == 0) arguments.emplace_back();
      continue;
    }
    if ((c == ')' || c == ']') && --depth == 0) break;
    if (c == ',' && depth == 1) {
      arguments.emplace_back();
    } else if (c != ' ') {
      arguments.back() += c;
    }
  }
  return arguments;
}

// The class of the candidate that a py::class_<C> hands to Python.
const clang::CXXRecordDecl* bound_class(clang::QualType type) {
  const auto* owner = specialization(type);
  if (owner == nullptr || owner->getName() != "class_" || owner->getTemplateArgs().size() == 0) return nullptr;
  const clang::TemplateArgument& first = owner->getTemplateArgs()[0];
  return first.getKind() == clang::TemplateArgument::Type ? first.getAsType()->getAsCXXRecordDecl() : nullptr;
}

// py::init<…>(): which constructor runs shows in the call.
bool names_constructor(const clang::Expr* argument) {
  const auto* type = specialization(argument->getType());
  return type != nullptr && type->getName() == "init_ka";
}

}  // namespace

// The place that names are bound in, below the extension: ".S" for py::class_<S>(m, "S"), ".sub" for a submodule.
std::string Lowering::binding_scope(const clang::Expr* object, int depth) {
  const clang::Expr* bare = plain(object);
  if (bare == nullptr || depth > kBoundDepth) return "";
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(bare)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    return variable == nullptr ? "" : binding_scope(variable->getInit(), depth + 1);
  }
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(bare)) {
    const clang::CXXRecordDecl* record = bound_class(made->getType());
    if (record == nullptr || made->getNumArgs() < 2) {
      return made->getNumArgs() == 1 ? binding_scope(made->getArg(0), depth + 1) : "";
    }
    const std::string name = literal(made->getArg(1));
    return binding_scope(made->getArg(0), depth + 1) + "." + name;
  }
  const auto* call = llvm::dyn_cast<clang::CallExpr>(bare);
  if (call == nullptr || object_of(call) == nullptr) return "";
  const std::string outer = binding_scope(object_of(call), depth + 1);
  if (method_name(call) != "def_submodule" || call->getNumArgs() == 0) return outer;
  return outer + "." + literal(call->getArg(0));
}

std::size_t Lowering::stores_to(const clang::VarDecl* variable) {
  const Id storage = storage_of(variable);
  std::size_t stores = 0;
  for (const facts::Block& block : build_.function(build_.current_function()).blocks) {
    stores += static_cast<std::size_t>(
        std::count_if(block.statements.begin(), block.statements.end(), [&](const Statement& statement) {
          return statement.kind == StatementKind::kStore && statement.location.storage == storage;
        }));
  }
  return stores;
}

// The function behind what is bound: a lambda or a functor, named or not, a pointer that a variable holds.
Id Lowering::bound_function(const clang::Expr* argument, int depth) {
  const clang::Expr* bare = plain(argument);
  if (bare == nullptr || depth > kBoundDepth) return kNone;
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(bare)) return build_.value(lower_lambda(lambda)).function;
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(bare))
    return bound_function(unary->getSubExpr(), depth + 1);
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(bare)) {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl())) return function_of(function);
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl())) {
      if (const Id held = bound_function(variable->getInit(), depth + 1); held != kNone)
        return stores_to(variable) > 1 ? kNone : held;
    }
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(bare)) {  // overload_cast<…>(&f), std::move(f)
    if (call->getNumArgs() == 0) return kNone;
    const bool is_operator = llvm::isa<clang::CXXOperatorCallExpr>(call);
    return call->getNumArgs() > 1 || !is_operator ? bound_function(call->getArg(is_operator ? 1 : 0), depth + 1)
                                                  : kNone;
  }
  const clang::CXXRecordDecl* record = record_of(bare->getType());
  if (record != nullptr && record->hasDefinition()) {
    for (const clang::CXXMethodDecl* method : record->methods()) {
      if (method->getOverloadedOperator() == clang::OO_Call && in_candidate(method->getLocation()))
        return function_of(method);
    }
  }
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(bare); made != nullptr && made->getNumArgs() > 0)
    return bound_function(made->getArg(0), depth + 1);
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(bare); list != nullptr && list->getNumInits() == 1)
    return bound_function(list->getInit(0), depth + 1);
  return kNone;
}

// py::class_<C>(m, "Name"): the class by its name in Python.
void Lowering::bind_class(const clang::CXXConstructExpr* made, const Place& where) {
  const clang::CXXRecordDecl* record = bound_class(made->getType());
  if (record == nullptr || made->getNumArgs() < 2) return;
  facts::Binding binding;
  binding.span = where.span;
  binding.extension = unit_.extension + binding_scope(made->getArg(0), 0);
  binding.name = literal(made->getArg(1));
  if (binding.name.empty()) {
    problem("dynamic-call", "The name that a class is bound to is not a constant.", where.span);
    return;
  }
  class_of(record);
  binding.cpp_name = facts::kBoundClass + name_of(record);
  build_.facts().bindings.push_back(std::move(binding));
}

// `py::arg("scale") = 0.5f`, `"scale"_a = 0.5f`: the names that Python gives the parameters, in their order, and what
// they are when it leaves them out.
void Lowering::bind_arguments(Id function, const clang::CallExpr* call) {
  if (function == kNone) return;
  std::size_t parameters = 0;
  for (const clang::Expr* argument : call->arguments()) {
    if (parameters >= build_.function(function).parameters.size()) return;
    const clang::Expr* bare = plain(argument);
    const clang::Expr* standing = nullptr;
    if (const auto* set = llvm::dyn_cast_or_null<clang::CXXOperatorCallExpr>(bare);
        set != nullptr && set->getOperator() == clang::OO_Equal && set->getNumArgs() == 2) {
      bare = plain(set->getArg(0));
      standing = set->getArg(1);
    }
    const clang::CXXRecordDecl* record = bare == nullptr ? nullptr : record_of(bare->getType());
    if (record == nullptr || name_of(record) != "pybind11::arg") continue;
    const std::string name = argument_name(bare);
    std::optional<Json> constant = standing == nullptr ? std::nullopt : fold(standing->IgnoreImplicit());
    const Id value = constant
                         ? build_.add_constant(std::move(*constant), type_of(standing->getType()), place(standing).span)
                         : kNone;
    facts::Parameter& parameter = build_.function(function).parameters[parameters++];
    if (!name.empty()) parameter.name = name;
    if (value != kNone) parameter.default_value = value;
  }
}

// The same of "scale(Tensor x, float factor=0.5) -> Tensor", where it is a number or a truth value.
void Lowering::bind_schema(Id function, const std::string& schema, const Place& where) {
  if (function == kNone) return;
  const std::vector<std::string> declared = schema_arguments(schema);
  for (std::size_t i = 0; i < declared.size() && i < build_.function(function).parameters.size(); ++i) {
    const std::size_t equals = declared[i].find('=');
    if (equals == std::string::npos) continue;
    const std::string text = declared[i].substr(equals + 1);
    Json constant = text == "True" ? Json(true) : text == "False" ? Json(false) : Json::parse(text, nullptr, false);
    if (!constant.is_number() && !constant.is_boolean()) continue;
    const Id value = build_.add_constant(std::move(constant), {}, where.span);
    build_.function(function).parameters[i].default_value = value;
  }
}

void Lowering::bind_python(const std::string& callee, const clang::CallExpr* call, const std::vector<Id>& args,
                           const Place& where) {
  const bool in_class = callee == "pybind11::class_::def" || callee == "pybind11::class_::def_static";
  const bool module_def = in_class || callee == "pybind11::module_::def" || callee == "torch::Library::def" ||
                          callee == "torch::Library::impl";
  if (!module_def || args.empty()) return;
  facts::Binding binding;
  binding.span = where.span;
  binding.extension = unit_.extension;
  if (callee.rfind("pybind11::", 0) == 0) binding.extension += binding_scope(object_of(call), 0);
  if (in_class && names_constructor(call->getArg(0))) {  // py::init(factory) makes the object, py::init<…>() does not
    const auto* init = llvm::dyn_cast_or_null<clang::CallExpr>(plain(call->getArg(0)));
    if (init == nullptr || init->getNumArgs() == 0) return;
    binding.name = "__init__";
    binding.function = bound_function(init->getArg(0), 0);
    binding.cpp_name = "py::init";
    build_.facts().bindings.push_back(std::move(binding));
    return;
  }
  const auto& name = build_.value(args[0]).constant;
  if (!name || !name->is_string()) {
    problem("dynamic-call", "The name that '" + callee + "' binds is not a constant.", where.span);
    return;
  }
  binding.name = name->get<std::string>();
  if (callee.rfind("torch::Library", 0) == 0) {
    // "name(Tensor x) -> Tensor" in a library whose namespace is in the macro's argument.
    const std::string schema = binding.name;
    binding.name = binding.name.substr(0, binding.name.find('('));
    std::string space;
    if (const Id function = build_.current_function(); function != kNone) {
      static const std::string kPrefix = "ka_torch_library_";
      const std::string& maker = build_.function(function).name;
      if (maker.rfind(kPrefix, 0) == 0) space = maker.substr(kPrefix.size(), maker.rfind("__") - kPrefix.size());
    }
    if (space.empty()) space = library_space(object_of(call));
    if (const std::size_t colons = binding.name.find("::"); colons != std::string::npos) {
      space = binding.name.substr(0, colons);
      binding.name.erase(0, colons + 2);
    }
    binding.extension = "torch.ops." + space;
    std::string& known = schemas_[binding.extension + "." + binding.name];
    if (schema.size() > binding.name.size()) known = schema;
    if (args.size() < 2) return;  // a schema alone; impl names the function
  }
  if (args.size() > 1) {
    // impl(name, dispatch key, f) has the function last.
    const unsigned place = callee == "torch::Library::impl" && call->getNumArgs() > 2 && args.size() > 2 ? 2 : 1;
    binding.function = build_.value(args[place]).function;
    if (binding.function == kNone) binding.function = bound_function(call->getArg(place), 0);
    binding.cpp_name =
        binding.function != kNone ? build_.function(binding.function).qualified_name : build_.value(args[place]).symbol;
  }
  if (callee.starts_with("torch::Library")) {
    bind_schema(binding.function, schemas_[binding.extension + "." + binding.name], where);
  } else {
    bind_arguments(binding.function, call);
  }
  if (binding.cpp_name.empty()) binding.cpp_name = spelled(call->getSourceRange()).substr(0, 200);
  build_.facts().bindings.push_back(std::move(binding));
}

}  // namespace kernel_audit::analysis::cuda
