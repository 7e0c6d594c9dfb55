#include <algorithm>

#include "analysis/cuda/extract/lowering.h"

namespace kernel_audit::analysis::cuda {
namespace {

// So many sets of types and numbers that a template is used with are lowered one by one.
constexpr std::size_t kMostInstances = 6;

using Instances = std::vector<const clang::FunctionDecl*>;

void add_instance(const clang::FunctionDecl* instance, const clang::FunctionDecl* pattern, Instances& found) {
  const clang::FunctionDecl* body = nullptr;
  if (instance->getTemplateSpecializationKind() == clang::TSK_ExplicitSpecialization) return;
  const clang::FunctionDecl* made_from = instance->getTemplateInstantiationPattern();
  if (made_from == nullptr || made_from->getCanonicalDecl() != pattern->getCanonicalDecl()) return;
  if (instance->hasBody(body)) found.push_back(body);
}

void add_instances(const clang::FunctionTemplateDecl* described, const clang::FunctionDecl* pattern, Instances& found) {
  for (const clang::FunctionDecl* instance : described->specializations()) add_instance(instance, pattern, found);
}

// The bodies that a function template, or a method of a class template, was instantiated to.
Instances instances_of(const clang::FunctionDecl* pattern) {
  Instances found;
  if (const clang::FunctionTemplateDecl* described = pattern->getDescribedFunctionTemplate())
    add_instances(described, pattern, found);
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(pattern);
  if (method == nullptr || method->getParent()->isLambda()) return found;
  const clang::ClassTemplateDecl* owner = method->getParent()->getDescribedClassTemplate();
  if (const auto* partial = llvm::dyn_cast<clang::ClassTemplatePartialSpecializationDecl>(method->getParent()))
    owner = partial->getSpecializedTemplate();
  if (owner == nullptr) return found;
  for (const clang::ClassTemplateSpecializationDecl* made : owner->specializations()) {
    if (made->isExplicitSpecialization()) continue;
    for (const clang::Decl* member : made->decls()) {
      if (const auto* described = llvm::dyn_cast<clang::FunctionTemplateDecl>(member)) {
        add_instances(described, pattern, found);
      } else if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(member)) {
        add_instance(function, pattern, found);
      }
    }
  }
  return found;
}

// A constructor that the compiler makes counts when it has something to do.
bool left_out(const clang::FunctionDecl* function) {
  if (!function->isImplicit()) return false;
  const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(function);
  return constructor == nullptr || !constructor->isDefaultConstructor() || !constructor->hasBody() ||
         (!constructor->getParent()->hasInClassInitializer() && constructor->getParent()->getNumBases() == 0);
}

// The constructor that makes the part of an object which is its base.
const clang::CXXConstructorDecl* base_constructor(const clang::CXXCtorInitializer* initialiser) {
  if (!initialiser->isBaseInitializer()) return nullptr;
  const auto* construction = llvm::dyn_cast<clang::CXXConstructExpr>(initialiser->getInit()->IgnoreImplicit());
  return construction == nullptr ? nullptr : construction->getConstructor();
}

}  // namespace

Lowering::Lowering(clang::CompilerInstance& compiler, const split::SourceUnit& unit,
                   const std::vector<split::VirtualFile>& neighbours, const ParseOutcome& parsed, Budget& budget,
                   facts::Facts& facts, Id unit_id)
    : context_(compiler.getASTContext()),
      sources_(compiler.getSourceManager()),
      unit_(unit),
      neighbours_(neighbours),
      parsed_(parsed),
      budget_(budget),
      build_(facts),
      unit_id_(unit_id) {
  for (const split::VirtualFile& file : neighbours_) neighbour_names_.emplace(neighbour_path(file), file.file);
}

void Lowering::run() {
  declare(context_.getTranslationUnitDecl());
  lower_static_initialisers();
  define_functions();
  for (const std::string& name : unit_.bound_functions) {
    Id found = kNone;
    for (std::size_t i = 0; i < build_.facts().functions.size(); ++i) {
      const facts::Function& function = build_.facts().functions[i];
      if (function.unit != unit_id_ || function.qualified_name != name || function.is_device) continue;
      if (found == kNone || !function.blocks.empty()) found = static_cast<Id>(i);
    }
    if (found == kNone) continue;  // another unit of the extension has it
    build_.facts().bindings.push_back({unit_.extension, name, found, name, build_.function(found).name_span});
  }
}

void Lowering::declare(const clang::DeclContext* context) {
  // What comes from precompiled stubs is not the candidate's, and stays unread.
  for (const clang::Decl* decl : context->noload_decls()) {
    if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::ExportDecl>(decl)) {
      declare(llvm::cast<clang::DeclContext>(decl));
      continue;
    }
    if (!in_candidate(decl->getLocation()) || decl->isImplicit()) continue;
    if (const auto* function_template = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl)) {
      const clang::FunctionDecl* pattern = function_template->getTemplatedDecl();
      for (const clang::FunctionDecl* instance : separate_instances(pattern)) function_of(instance);
      if (separate_instances(pattern).empty()) function_of(pattern);
    } else if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl)) {
      function_of(function);
    } else if (const auto* class_template = llvm::dyn_cast<clang::ClassTemplateDecl>(decl)) {
      declare_class(class_template->getTemplatedDecl());
    } else if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(decl)) {
      declare_class(record);
    } else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
      globals_.push_back(variable);
    }
  }
}

void Lowering::declare_class(const clang::CXXRecordDecl* record) {
  if (!record->isThisDeclarationADefinition() || record->isImplicit()) return;
  const Id id = class_of(record);
  if (id == kNone) return;
  facts::Class definition = build_.facts().classes[static_cast<std::size_t>(id)];
  for (const clang::CXXBaseSpecifier& base : record->bases()) {
    const clang::CXXRecordDecl* parent = base.getType()->getAsCXXRecordDecl();
    definition.bases.push_back(parent != nullptr ? name_of(parent) : base.getType().getAsString());
    const Id parent_id = parent != nullptr ? class_of(parent) : kNone;
    if (parent_id != kNone) definition.base_classes.push_back(parent_id);
  }
  for (const clang::FieldDecl* field : record->fields()) {
    definition.attributes.emplace_back(field->getName().str(), type_of(field->getType()));
  }
  build_.facts().classes[static_cast<std::size_t>(id)] = definition;
  declare(record);
  for (const clang::Decl* decl : record->decls()) {
    if (const auto* function_template = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl)) {
      decl = function_template->getTemplatedDecl();
    }
    const auto* method = llvm::dyn_cast<clang::FunctionDecl>(decl);
    if (method == nullptr || method->isImplicit()) continue;
    const Id function = function_of(method);
    if (function == kNone) continue;
    build_.facts().classes[static_cast<std::size_t>(id)].methods.emplace_back(method->getNameAsString(), function);
  }
}

Id Lowering::class_of(const clang::CXXRecordDecl* record) {
  if (const clang::CXXRecordDecl* pattern = record->getTemplateInstantiationPattern()) record = pattern;
  if (const auto* special = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
      special != nullptr && !special->isExplicitSpecialization()) {
    record = special->getSpecializedTemplate()->getTemplatedDecl();
  }
  if (const clang::CXXRecordDecl* definition = record->getDefinition()) record = definition;
  const auto found = classes_.find(record->getCanonicalDecl());
  if (found != classes_.end()) return found->second;
  if (record->isLambda() || !in_candidate(record->getLocation())) return kNone;
  facts::Class result;
  result.name = record->getNameAsString();
  result.qualified_name = name_of(record);
  if (result.name.empty()) {  // `struct { … } table[]`
    result.name = "<class " + std::to_string(build_.facts().classes.size()) + ">";
    result.qualified_name = result.name;
  }
  result.unit = unit_id_;
  result.span = place(record->getSourceRange()).span;
  build_.facts().classes.push_back(std::move(result));
  const Id id = static_cast<Id>(build_.facts().classes.size()) - 1;
  classes_.emplace(record->getCanonicalDecl(), id);
  return id;
}

// The instances of a template that are lowered one by one: none where there are too many, or where one is broken.
const Instances& Lowering::separate_instances(const clang::FunctionDecl* pattern) {
  const auto [known, fresh] = instances_.try_emplace(pattern->getCanonicalDecl());
  if (!fresh) return known->second;
  Instances found = instances_of(pattern);
  const bool broken =
      std::any_of(found.begin(), found.end(), [](const clang::FunctionDecl* each) { return each->isInvalidDecl(); });
  if (broken || found.size() > kMostInstances) found.clear();
  return known->second = std::move(found);
}

// What stands for a function of a template: the instance where that is lowered by itself, or is the only one, else the
// pattern.
const clang::FunctionDecl* Lowering::lowered_as(const clang::FunctionDecl* function) {
  const clang::FunctionDecl* pattern = function->getTemplateInstantiationPattern();
  const Instances& instances = separate_instances(pattern != nullptr ? pattern : function);
  if (pattern == nullptr) return instances.size() == 1 ? instances.front() : function;
  const clang::FunctionDecl* body = nullptr;
  if (!function->hasBody(body)) return instances.size() == 1 ? instances.front() : pattern;
  return std::find(instances.begin(), instances.end(), body) != instances.end() ? body : pattern;
}

Id Lowering::function_of(const clang::FunctionDecl* function) {
  const auto own = functions_.find(function->getCanonicalDecl());
  if (own != functions_.end()) return own->second;
  function = lowered_as(function);
  const auto found = functions_.find(function->getCanonicalDecl());
  if (found != functions_.end()) return found->second;
  if (left_out(function) || function->getBuiltinID() != 0) return kNone;
  if (!in_candidate(function->getLocation())) return kNone;
  return declare_function(function);
}

Id Lowering::declare_function(const clang::FunctionDecl* function) {
  if (left_out(function) || function->isDeleted()) return kNone;
  const clang::FunctionDecl* definition = nullptr;
  if (!function->hasBody(definition)) definition = function;
  const auto found = functions_.find(function->getCanonicalDecl());
  if (found != functions_.end()) return found->second;
  facts::Function result;
  result.name = function->getNameAsString();
  result.qualified_name = name_of(function);
  result.unit = unit_id_;
  result.is_kernel = function->hasAttr<clang::CUDAGlobalAttr>();
  result.is_device =
      result.is_kernel || (function->hasAttr<clang::CUDADeviceAttr>() && !function->hasAttr<clang::CUDAHostAttr>());
  result.is_constructor_attribute = function->hasAttr<clang::ConstructorAttr>();
  if (function->hasAttr<clang::DestructorAttr>()) result.decorators.emplace_back("destructor");
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function)) {
    result.class_id = class_of(method->getParent());
    result.is_static_method = method->isStatic();
    if (method->isVirtual()) result.decorators.emplace_back("virtual");
  }
  result.span = place(definition->getSourceRange()).span;
  result.name_span = place(clang::SourceRange(definition->getLocation())).span;
  build_.facts().functions.push_back(std::move(result));
  const Id id = static_cast<Id>(build_.facts().functions.size()) - 1;
  functions_.emplace(function->getCanonicalDecl(), id);
  lower_parameters(id, definition);
  if (definition->doesThisDeclarationHaveABody()) pending_.emplace_back(id, definition);
  if (definition->isInvalidDecl() && definition->getBody() == nullptr) {
    problem("syntax-error", "The body of '" + build_.function(id).qualified_name + "' could not be parsed.",
            build_.function(id).span);
  }
  return id;
}

void Lowering::lower_parameters(Id id, const clang::FunctionDecl* function) {
  for (const clang::ParmVarDecl* declared : function->parameters()) {
    facts::Parameter parameter;
    parameter.name = declared->getNameAsString();
    parameter.type = type_of(declared->getType());
    const clang::QualType type = declared->getType().getNonReferenceType();
    parameter.is_const_pointer = type->isPointerType() && type->getPointeeType().isConstQualified();
    parameter.variadic = declared->isParameterPack();
    const SourceSpan span = place(declared->getSourceRange()).span;
    facts::Storage storage;
    storage.name = parameter.name;
    storage.owner_function = id;
    storage.type = parameter.type;
    storage.span = span;
    storage.bytes = bytes_of(declared);
    parameter.storage = build_.add_storage(std::move(storage));
    parameter.value = build_.add_value(OriginKind::kArgument, parameter.type, span);
    storages_[declared] = parameter.storage;
    if (declared->hasDefaultArg() && !declared->hasUninstantiatedDefaultArg() && !declared->hasUnparsedDefaultArg()) {
      if (auto standing = fold(declared->getDefaultArg()))
        parameter.default_value = build_.add_constant(std::move(*standing), parameter.type, span);
    }
    build_.function(id).parameters.push_back(std::move(parameter));
  }
}

void Lowering::define_functions() {
  // Bodies declare local classes, whose methods join the list while it is worked off.
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    const auto [id, function] = pending_[i];
    if (budget_.check_time()) return;
    lower_body(id, function, function->getBody());
  }
}

void Lowering::lower_body(Id id, const clang::FunctionDecl* function, const clang::Stmt* body) {
  build_.begin(id);
  states_.emplace_back();
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function); method != nullptr && !method->isStatic()) {
    if (!method->getParent()->isLambda()) {
      state().this_class = method->getParent();
      state().this_value =
          build_.add_value(OriginKind::kArgument, {TypeKind::kOther, name_of(method->getParent())}, {});
      build_.value(state().this_value).class_id = class_of(method->getParent());
    } else if (states_.size() > 1) {
      state().this_class = states_[states_.size() - 2].this_class;
      state().this_value = states_[states_.size() - 2].this_value;
    }
  }
  if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(function)) {
    for (const clang::CXXCtorInitializer* initialiser : constructor->inits()) {
      if (initialiser->getInit() == nullptr) continue;
      const Place where = place(initialiser->getInit());
      const clang::CXXConstructorDecl* above = base_constructor(initialiser);
      if (const Id target = above == nullptr ? kNone : function_of(above); target != kNone) {
        Statement call;  // on this object
        call.callee = name_of(above);
        call.target = target;
        call.receiver = state().this_value;
        const auto* construction = llvm::cast<clang::CXXConstructExpr>(initialiser->getInit()->IgnoreImplicit());
        call.args = lower_arguments(construction->arguments(), above);
        finish_call(std::move(call), nullptr, nullptr, context_.VoidTy, where);
        continue;
      }
      if (!initialiser->isWritten() && !initialiser->isInClassMemberInitializer()) continue;
      const Id value = lower(initialiser->getInit());
      if (const clang::FieldDecl* field = initialiser->getAnyMember()) {
        facts::Location target;
        target.storage = storage_of(field);
        target.base = state().this_value;
        build_.store(target, value, initialiser->isWritten() ? place(initialiser->getSourceRange()).span : where.span);
      }
    }
  }
  lower_statement(body);
  states_.pop_back();
  build_.end();
}

// Of an object that is the variable's own: a reference has none.
std::int64_t Lowering::bytes_of(const clang::ValueDecl* variable) const {
  const clang::QualType type = variable->getType();
  if (type.isNull() || type->isDependentType() || type->isIncompleteType() || type->isReferenceType() ||
      type->isFunctionType() || type->isUndeducedType() || variable->isInvalidDecl())
    return -1;
  const auto* tag = type->getAsCXXRecordDecl();
  return tag != nullptr && tag->isInvalidDecl() ? -1 : std::int64_t{context_.getTypeSizeInChars(type).getQuantity()};
}

Id Lowering::storage_of(const clang::ValueDecl* variable) {
  const clang::Decl* key = variable->getCanonicalDecl();
  if (llvm::isa<clang::ParmVarDecl, clang::BindingDecl>(variable)) key = variable;
  const auto found = storages_.find(key);
  if (found != storages_.end()) return found->second;
  facts::Storage storage;
  storage.name = variable->getNameAsString();
  storage.type = type_of(variable->getType());
  storage.span = place(variable->getSourceRange()).span;
  if (const auto* field = llvm::dyn_cast<clang::FieldDecl>(variable)) {
    const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(field->getParent());
    storage.kind = StorageKind::kInstanceAttribute;
    storage.lifetime = facts::Lifetime::kObject;
    storage.owner_class = record != nullptr ? class_of(record) : kNone;
  } else if (const auto* declared = llvm::dyn_cast<clang::VarDecl>(variable)) {
    if (declared->getTLSKind() != clang::VarDecl::TLS_None) {
      storage.kind = StorageKind::kThreadOrContext;
      storage.lifetime = facts::Lifetime::kStatic;
    } else if (declared->isStaticDataMember()) {
      storage.kind = StorageKind::kClassAttribute;
      storage.lifetime = facts::Lifetime::kStatic;
      if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(declared->getDeclContext()))
        storage.owner_class = class_of(record);
    } else if (declared->hasAttr<clang::CUDASharedAttr>()) {
      storage.kind = StorageKind::kBlockShared;
      storage.owner_function = build_.current_function();  // lives as long as the thread block
    } else if (declared->isStaticLocal()) {
      storage.kind = StorageKind::kStaticLocal;
      storage.lifetime = facts::Lifetime::kStatic;
      storage.owner_function = build_.current_function();
    } else if (declared->hasGlobalStorage()) {
      storage.kind = StorageKind::kGlobal;
      storage.lifetime = facts::Lifetime::kStatic;
    } else {
      storage.owner_function = build_.current_function();
    }
  } else {
    storage.owner_function = build_.current_function();
  }
  storage.bytes = bytes_of(variable);
  // A size that may be made of an option is none.
  if (!parsed_.options.empty() && storage.kind == facts::StorageKind::kBlockShared) storage.bytes = -1;
  const Id id = build_.add_storage(std::move(storage));
  storages_.emplace(key, id);
  return id;
}

void Lowering::lower_static_initialisers() {
  facts::Function body;
  body.name = "<static initialisation>";
  body.qualified_name = body.name;
  body.unit = unit_id_;
  body.is_module_body = true;
  build_.facts().functions.push_back(std::move(body));
  const Id id = static_cast<Id>(build_.facts().functions.size()) - 1;
  build_.facts().units[static_cast<std::size_t>(unit_id_)].module_body = id;
  build_.begin(id);
  states_.emplace_back();
  for (const clang::VarDecl* variable : globals_) {
    if (budget_.check_time()) break;
    const clang::Expr* init = variable->getInit();
    if (init == nullptr || variable->getType()->isDependentType()) continue;
    const Place where = place(variable->getSourceRange());
    facts::Location target;
    target.storage = storage_of(variable);
    build_.store(target, lower(init), where.span, where.in_macro);
  }
  states_.pop_back();
  build_.end();
}

Id Lowering::lower_lambda(const clang::LambdaExpr* lambda) {
  const clang::CXXMethodDecl* method = lambda->getCallOperator();
  const auto found = functions_.find(method->getCanonicalDecl());
  Id id = found == functions_.end() ? kNone : found->second;
  const Place where = place(lambda);
  for (const clang::LambdaCapture& capture : lambda->captures()) {
    if (!capture.capturesVariable()) continue;
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar());
    if (variable == nullptr) continue;
    if (!variable->isInitCapture() && capture.getCaptureKind() == clang::LCK_ByCopy && variable->hasLocalStorage() &&
        type_of(variable->getType()).kind == TypeKind::kTensor)
      build_.storage(storage_of(variable)).kind = StorageKind::kClosure;  // a copy lives as long as the lambda
    if (!variable->isInitCapture() || variable->getInit() == nullptr) continue;
    facts::Location target;
    target.storage = storage_of(variable);
    build_.storage(target.storage).kind = StorageKind::kClosure;
    build_.store(target, lower(variable->getInit()), where.span, where.in_macro);
  }
  const auto describe = [&](facts::Function& function, Id outer) {
    function.name = "<lambda>";
    function.qualified_name =
        (outer == kNone ? std::string() : build_.function(outer).qualified_name + "::") + "<lambda>";
    function.unit = unit_id_;
    function.enclosing_function = outer;
    function.is_kernel = method->hasAttr<clang::CUDAGlobalAttr>();
    function.is_device = outer != kNone && build_.function(outer).is_device;
    function.span = where.span;
    function.name_span = place(lambda->getIntroducerRange()).span;
  };
  if (id != kNone && build_.function(id).enclosing_function == kNone) {
    describe(build_.function(id), build_.current_function());  // a template that is handed it came first
  } else if (id == kNone) {
    facts::Function function;
    describe(function, build_.current_function());
    build_.facts().functions.push_back(std::move(function));
    id = static_cast<Id>(build_.facts().functions.size()) - 1;
    functions_.emplace(method->getCanonicalDecl(), id);
    // A lambda of an instantiated function: its calls ask for the one it was made from.
    if (const clang::FunctionDecl* pattern = method->getTemplateInstantiationPattern())
      functions_.emplace(pattern->getCanonicalDecl(), id);
    lower_parameters(id, method);
    lower_body(id, method, lambda->getBody());
  }
  const Id value = build_.add_value(OriginKind::kComputed, {TypeKind::kFunction, "lambda"}, where.span);
  build_.value(value).function = id;
  return value;
}

}  // namespace kernel_audit::analysis::cuda
