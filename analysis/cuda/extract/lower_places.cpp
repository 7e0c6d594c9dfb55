#include <algorithm>

#include "analysis/cuda/extract/lowering.h"

namespace kernel_audit::analysis::cuda {
namespace {

constexpr int kDeepestStructure = 8;

// Whether an object of the type has no room for an address: floating point, integers of four bytes at most, and
// structures and arrays of such.
bool numbers_alone(clang::QualType type, const clang::ASTContext& context, int depth = 0) {
  if (type.isNull() || type->isDependentType() || type->isIncompleteType() || depth > kDeepestStructure) return false;
  if (const clang::ArrayType* array = context.getAsArrayType(type))
    return numbers_alone(array->getElementType(), context, depth + 1);
  if (type->isRealFloatingType()) return true;
  if (type->isIntegralOrEnumerationType()) return context.getTypeSize(type) <= 32;
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (record == nullptr || record->isInvalidDecl() || record->isLambda()) return false;
  const auto numbers = [&](const auto& part) { return numbers_alone(part.getType(), context, depth + 1); };
  const bool any = !record->field_empty() || record->getNumBases() > 0;  // a stub may say nothing of what it holds
  return any && std::all_of(record->bases_begin(), record->bases_end(), numbers) &&
         std::all_of(record->field_begin(), record->field_end(), [&](const auto* field) { return numbers(*field); });
}

}  // namespace

bool Lowering::in_candidate(clang::SourceLocation location) {
  if (location.isInvalid()) return false;
  const clang::FileID file = sources_.getFileID(sources_.getExpansionLoc(location));
  if (file == sources_.getMainFileID()) return true;
  const auto entry = sources_.getFileEntryRefForID(file);
  return entry && neighbour_names_.count(entry->getName().str()) != 0;
}

Lowering::Place Lowering::place(clang::SourceRange range) {
  Place result;
  if (range.isInvalid()) return result;
  // Physical offsets only: presumed locations obey `#line`. What a macro's body produced is where the
  // macro is used; what was written in a macro's argument is where it was written.
  const auto settle = [&](clang::SourceLocation location, bool at_end) {
    while (location.isMacroID()) {
      if (sources_.isMacroArgExpansion(location)) {
        location = sources_.getImmediateSpellingLoc(location);
        continue;
      }
      result.in_macro = true;
      const clang::CharSourceRange expansion = sources_.getImmediateExpansionRange(location);
      location = at_end ? expansion.getEnd() : expansion.getBegin();
    }
    return location;
  };
  const clang::SourceLocation begin = settle(range.getBegin(), false);
  const clang::SourceLocation end = settle(range.getEnd(), true);
  const auto [begin_file, begin_offset] = sources_.getDecomposedLoc(begin);
  auto [end_file, end_offset] = sources_.getDecomposedLoc(end);
  clang::SourceLocation last = end;
  if (begin_file != end_file || end_offset < begin_offset) {
    end_offset = begin_offset;
    last = begin;
  }
  end_offset += clang::Lexer::MeasureTokenLength(last, sources_, context_.getLangOpts());
  if (begin_file == sources_.getMainFileID()) {
    result.span = unit_.map.resolve(begin_offset, end_offset);
  } else if (const auto entry = sources_.getFileEntryRefForID(begin_file)) {
    const auto found = neighbour_names_.find(entry->getName().str());
    if (found != neighbour_names_.end()) {
      result.span.file = found->second;
      result.span.begin = begin_offset;
      result.span.end = end_offset;
    }
  }
  return result;
}

std::string Lowering::spelled(clang::SourceRange range) {
  return clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(range), sources_, context_.getLangOpts())
      .str();
}

std::string Lowering::name_of(const clang::NamedDecl* decl) {
  std::string name;
  if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(decl)) {
    name = constructor->getParent()->getName().str();
  } else if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl);
             function != nullptr && function->getLiteralIdentifier() != nullptr) {
    name = "operator\"\"" + function->getLiteralIdentifier()->getName().str();
  } else {
    name = decl->getDeclName().getAsString();
  }
  for (const clang::DeclContext* context = decl->getDeclContext(); context != nullptr; context = context->getParent()) {
    const auto* outer = llvm::dyn_cast<clang::NamedDecl>(context);
    if (outer == nullptr) continue;
    if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(outer)) {
      if (space->isAnonymousNamespace() || space->isInline()) continue;
    }
    if (const auto* enumeration = llvm::dyn_cast<clang::EnumDecl>(outer);
        enumeration != nullptr && !enumeration->isScoped()) {
      continue;
    }
    if (outer->getDeclName().isEmpty()) continue;
    name = outer->getDeclName().getAsString() + "::" + name;
  }
  return name;
}

const clang::CXXRecordDecl* record_of(clang::QualType type) {
  return type.isNull() ? nullptr : type.getNonReferenceType()->getAsCXXRecordDecl();
}

bool Lowering::is_guard(clang::QualType type) {
  const clang::CXXRecordDecl* record = record_of(type);
  if (record == nullptr || record->getIdentifier() == nullptr) return false;
  const std::string name = name_of(record);
  const bool ours = name.rfind("at::", 0) == 0 || name.rfind("c10::", 0) == 0 || name.rfind("torch::", 0) == 0;
  return ours && llvm::StringRef(name).ends_with("Guard");
}

bool Lowering::narrows(clang::QualType from, clang::QualType to) {
  if (from.isNull() || to.isNull() || from->isDependentType() || to->isDependentType()) return false;
  if (!from.getNonReferenceType()->isRealFloatingType()) return false;
  const clang::CXXRecordDecl* record = record_of(to);
  if (record == nullptr || record->getIdentifier() == nullptr) return false;
  const std::string name = name_of(record);
  for (const char* narrow :
       {"__half", "__nv_bfloat16", "c10::Half", "c10::BFloat16", "__nv_fp8_e4m3", "__nv_fp8_e5m2", "c10::Float8_e4m3fn",
        "c10::Float8_e5m2", "cutlass::half_t", "cutlass::bfloat16_t", "cutlass::tfloat32_t"}) {
    if (name == narrow) return true;
  }
  return false;
}

Type Lowering::type_of(clang::QualType qualified) {
  if (qualified.isNull()) return {};
  const clang::QualType type = qualified.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  const auto cached = types_.find(type.getTypePtr());
  if (cached != types_.end()) return cached->second;
  Type result;
  clang::PrintingPolicy policy(context_.getLangOpts());
  policy.SuppressTagKeyword = true;
  policy.SuppressUnwrittenScope = true;
  result.name = type.getAsString(policy);
  if (result.name.size() > 200) result.name.resize(200);
  static const std::unordered_map<std::string, TypeKind> kRecords = {{"at::Tensor", TypeKind::kTensor},
                                                                     {"std::string", TypeKind::kString},
                                                                     {"std::string_view", TypeKind::kString},
                                                                     {"c10::string_view", TypeKind::kString},
                                                                     {"std::vector", TypeKind::kList},
                                                                     {"std::array", TypeKind::kList},
                                                                     {"std::deque", TypeKind::kList},
                                                                     {"std::list", TypeKind::kList},
                                                                     {"c10::ArrayRef", TypeKind::kList},
                                                                     {"c10::SmallVector", TypeKind::kList},
                                                                     {"std::initializer_list", TypeKind::kList},
                                                                     {"std::tuple", TypeKind::kTuple},
                                                                     {"std::pair", TypeKind::kTuple},
                                                                     {"std::map", TypeKind::kDict},
                                                                     {"std::unordered_map", TypeKind::kDict},
                                                                     {"c10::Dict", TypeKind::kDict},
                                                                     {"pybind11::dict", TypeKind::kDict},
                                                                     {"pybind11::list", TypeKind::kList},
                                                                     {"pybind11::tuple", TypeKind::kTuple},
                                                                     {"c10::cuda::CUDAStream", TypeKind::kStream},
                                                                     {"c10::Stream", TypeKind::kStream},
                                                                     {"CUstream_st", TypeKind::kStream},
                                                                     {"at::cuda::CUDAEvent", TypeKind::kEvent},
                                                                     {"CUevent_st", TypeKind::kEvent},
                                                                     {"at::cuda::CUDAGraph", TypeKind::kGraph},
                                                                     {"CUgraph_st", TypeKind::kGraph},
                                                                     {"CUgraphExec_st", TypeKind::kGraph},
                                                                     {"c10::ScalarType", TypeKind::kDtype},
                                                                     {"caffe2::TypeMeta", TypeKind::kDtype},
                                                                     {"c10::Device", TypeKind::kDevice},
                                                                     {"c10::DeviceType", TypeKind::kDevice},
                                                                     {"c10::Half", TypeKind::kFloat},
                                                                     {"c10::BFloat16", TypeKind::kFloat},
                                                                     {"__half", TypeKind::kFloat},
                                                                     {"__nv_bfloat16", TypeKind::kFloat},
                                                                     {"std::nullptr_t", TypeKind::kPointer},
                                                                     {"std::function", TypeKind::kFunction}};
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  const clang::TagDecl* tag = type->getAsTagDecl();
  if (tag != nullptr && tag->getIdentifier() != nullptr) {
    const auto found = kRecords.find(name_of(tag));
    result.kind = found == kRecords.end() ? TypeKind::kOther : found->second;
    if (found != kRecords.end() && found->second == TypeKind::kTensor) result.name = "at::Tensor";
    if (record != nullptr && name_of(record) == "std::optional") {
      // An optional tensor is a tensor to whoever reads it.
      if (const auto* special = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
          special != nullptr && special->getTemplateArgs().size() > 0 &&
          special->getTemplateArgs()[0].getKind() == clang::TemplateArgument::Type) {
        result.kind = type_of(special->getTemplateArgs()[0].getAsType()).kind;
      }
    }
  } else if (record != nullptr) {
    result.kind = record->isLambda() ? TypeKind::kFunction : TypeKind::kOther;  // else of a class without a name
  } else if (type->isBooleanType()) {
    result.kind = TypeKind::kBool;
  } else if (type->isIntegralOrEnumerationType()) {
    result.kind = TypeKind::kInt;
  } else if (type->isRealFloatingType()) {
    result.kind = TypeKind::kFloat;
  } else if (type->isVoidType()) {
    result.kind = TypeKind::kNoneValue;
  } else if (type->isFunctionType() || type->isFunctionPointerType() || type->isMemberFunctionPointerType()) {
    result.kind = TypeKind::kFunction;
  } else if (type->isPointerType()) {
    const TypeKind pointee = type_of(type->getPointeeType()).kind;
    const bool handle = pointee == TypeKind::kStream || pointee == TypeKind::kEvent || pointee == TypeKind::kGraph;
    result.kind = handle ? pointee : TypeKind::kPointer;
    if (type->getPointeeType()->isCharType() && type->getPointeeType().isConstQualified())
      result.kind = TypeKind::kString;
  } else if (type->isArrayType()) {
    result.kind = TypeKind::kPointer;
  } else if (type->isNullPtrType()) {
    result.kind = TypeKind::kPointer;
  } else if (const auto* special = type->getAs<clang::TemplateSpecializationType>();
             special != nullptr && special->getTemplateName().getAsTemplateDecl() != nullptr) {
    const auto found = kRecords.find(name_of(special->getTemplateName().getAsTemplateDecl()));  // of a pattern
    result.kind = found == kRecords.end() ? TypeKind::kUnknown : found->second;
  } else {
    result.kind = TypeKind::kUnknown;
  }
  result.numbers = record != nullptr && numbers_alone(type, context_);
  types_.emplace(type.getTypePtr(), result);
  return result;
}

void Lowering::problem(const std::string& kind, const std::string& message, const SourceSpan& span, bool blocks_clean) {
  build_.facts().problems.push_back({kind, message, unit_id_, span, blocks_clean});
}

}  // namespace kernel_audit::analysis::cuda
