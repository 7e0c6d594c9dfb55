#include "analysis/cuda/extract/parse.h"

#include <clang/Basic/DiagnosticParse.h>
#include <clang/Basic/Version.h>
#include <clang/Sema/SemaConsumer.h>

#include <cctype>

#include "analysis/cuda/extract/clang_headers.h"
#include "analysis/cuda/extract/invocation.h"
#include "analysis/cuda/extract/precompiled.h"

namespace kernel_audit::analysis::cuda {
namespace {

constexpr int kMaxAttempts = 5;
constexpr int kMaxReportedErrors = 50;

bool in_candidate_file(const clang::SourceManager& sources, clang::SourceLocation location) {
  const clang::FileID file = sources.getFileID(sources.getExpansionLoc(location));
  const auto entry = sources.getFileEntryRefForID(file);
  if (!entry) return false;
  const llvm::StringRef name = entry->getName();
  return !name.starts_with(kStubRoot) && !name.starts_with(kAliasRoot);
}

// A macro by its looks, that only options which did not fold can define: -DTILE=32.
bool names_option(const std::string& name) {
  const auto capital = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; };
  return std::all_of(name.begin(), name.end(), capital) && name.front() != '_' && !names_cuda_library(name);
}

// Collects errors, and from some of them the names that the next attempt declares.
class ErrorCollector : public clang::DiagnosticConsumer {
 public:
  ErrorCollector(ParseOutcome& outcome, MissingNames& missing) : outcome_(outcome), missing_(missing) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    if (level < clang::DiagnosticsEngine::Error || is_side_error(info.getID())) return;
    if (info.getID() == clang::diag::err_template_recursion_depth_exceeded && info.getLocation().isInvalid()) return;
    if (!info.hasSourceManager() || info.getLocation().isInvalid()) {
      add(info, "", -1, -1);
      return;
    }
    collect_missing(info);
    const clang::SourceManager& sources = info.getSourceManager();
    if (!in_candidate_file(sources, info.getLocation())) {
      if (sources.getFileEntryRefForID(sources.getFileID(sources.getExpansionLoc(info.getLocation())))) {
        add(info, "", -1, -1);
      }
      return;
    }
    const clang::SourceLocation location = sources.getFileLoc(info.getLocation());
    const auto [file, offset] = sources.getDecomposedLoc(location);
    const auto entry = sources.getFileEntryRefForID(file);
    const unsigned length = clang::Lexer::MeasureTokenLength(location, sources, clang::LangOptions());
    add(info, entry ? entry->getName().str() : "", offset, offset + std::max(1U, length));
  }

 private:
  // Calls across the host/device border are an error of the program, not of the parse.
  static bool is_side_error(unsigned id) {
    // So is a function template of a stub that a lambda instantiates: nothing is linked here. And other compilers take
    // `pointer->data_ptr<float>()` for a template where Clang wants to be told, and then does as well.
    return id == clang::diag::err_ref_bad_target || id == clang::diag::err_ref_bad_target_global_initializer ||
           id == clang::diag::err_undefined_internal_type || id == clang::diag::err_missing_dependent_template_keyword;
  }

  void add(const clang::Diagnostic& info, std::string path, std::int64_t begin, std::int64_t end) {
    if (outcome_.errors.size() >= kMaxReportedErrors) return;
    llvm::SmallString<256> message;
    info.FormatDiagnostic(message);
    outcome_.errors.push_back({message.str().str(), std::move(path), begin, end});
  }

  static char previous_character(const clang::SourceManager& sources, clang::SourceLocation location) {
    const auto [file, offset] = sources.getDecomposedSpellingLoc(location);
    const llvm::StringRef text = sources.getBufferData(file).take_front(offset).rtrim();
    return text.empty() ? '\0' : text.back();
  }

  // The character after the name, '(' for a call. A name made by token pasting is taken for a function.
  static char next_character(const clang::SourceManager& sources, clang::SourceLocation location) {
    if (sources.isWrittenInScratchSpace(sources.getSpellingLoc(location))) return '(';
    location = sources.getSpellingLoc(location);
    bool invalid = false;
    const char* text = sources.getCharacterData(location, &invalid);
    if (invalid) return '\0';
    text += clang::Lexer::MeasureTokenLength(location, sources, clang::LangOptions());
    while (*text == ' ' || *text == '\t' || *text == '\n' || *text == '\r') ++text;
    return *text;
  }

  void collect_missing(const clang::Diagnostic& info) {
    const unsigned id = info.getID();
    if (id == clang::diag::err_typename_nested_not_found) {
      collect_type(info);
      return;
    }
    if (id == clang::diag::err_unknown_typename || id == clang::diag::err_no_member_template) {
      collect_named(info);
      return;
    }
    if (info.getNumArgs() == 0 || info.getArgKind(0) != clang::DiagnosticsEngine::ak_declarationname) {
      if (id != clang::diag::err_undeclared_var_use) return;
    }
    if (id == clang::diag::err_undeclared_var_use) {
      if (info.getNumArgs() > 0 && info.getArgKind(0) == clang::DiagnosticsEngine::ak_declarationname) {
        const auto name = clang::DeclarationName::getFromOpaqueInteger(info.getRawArg(0));
        const char next = next_character(info.getSourceManager(), info.getLocation());
        if (!name.isIdentifier()) return;
        if (next == '(') {
          missing_.functions.insert(name.getAsString());
        } else if (next != ':' && next != '<') {
          const std::string plain = name.getAsString();
          const bool declares = std::isalpha(static_cast<unsigned char>(next)) != 0;  // `cuuint64_t sizes[2]`
          if (declares && names_cuda_library(plain))
            missing_.types.insert(plain);
          else
            (names_option(plain) ? missing_.options : missing_.values).insert(plain);
        }
      }
      return;
    }
    if (id != clang::diag::err_no_member || info.getNumArgs() < 2) return;
    const auto name = clang::DeclarationName::getFromOpaqueInteger(info.getRawArg(0));
    if (!name.isIdentifier()) return;
    std::string context;
    if (info.getArgKind(1) == clang::DiagnosticsEngine::ak_declcontext) {
      const auto* decl = reinterpret_cast<const clang::DeclContext*>(info.getRawArg(1));
      if (const auto* named = llvm::dyn_cast<clang::NamedDecl>(decl)) context = named->getQualifiedNameAsString();
      if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(decl); record != nullptr && context != "at::Tensor")
        collect_member(info, record, name.getAsString(), context);
    }
    collect_template(info, name.getAsString());
    if (context != "at" && context != "torch") collect_function(info, name.getAsString());
    if (context == "at::Tensor") missing_.tensor_methods.insert(name.getAsString());
    if ((context == "at" || context == "torch") && next_character(info.getSourceManager(), info.getLocation()) == '(') {
      missing_.aten_functions.insert(name.getAsString());
    }
  }

  // What a class of the stubs lacks; the candidate's own classes lack what they lack.
  void collect_member(const clang::Diagnostic& info, const clang::CXXRecordDecl* record, const std::string& name,
                      const std::string& context) {
    const clang::SourceManager& sources = info.getSourceManager();
    const auto entry = sources.getFileEntryRefForID(sources.getFileID(sources.getSpellingLoc(record->getLocation())));
    if (!entry || !entry->getName().starts_with(kStubRoot) || record->getIdentifier() == nullptr) return;
    missing_.members.insert({entry->getName().drop_front(llvm::StringRef(kStubRoot).size()).str(),
                             record->getName().str(), name, next_character(sources, info.getLocation()),
                             previous_character(sources, info.getLocation()) == ':'});
    missing_.member_names.insert(context + "::" + name);
  }

  // `torch::jit::Stack` in a namespace that the stubs declare.
  void collect_type(const clang::Diagnostic& info) {
    if (info.getNumArgs() < 2 || info.getArgKind(0) != clang::DiagnosticsEngine::ak_identifierinfo ||
        info.getArgKind(1) != clang::DiagnosticsEngine::ak_declcontext)
      return;
    const clang::SourceManager& sources = info.getSourceManager();
    const auto* space =
        llvm::dyn_cast<clang::NamespaceDecl>(reinterpret_cast<const clang::DeclContext*>(info.getRawArg(1)));
    if (space == nullptr || space->isAnonymousNamespace() || in_candidate_file(sources, space->getLocation())) return;
    if (next_character(sources, info.getLocation()) == '<') return;
    const auto* identifier = reinterpret_cast<const clang::IdentifierInfo*>(info.getRawArg(0));
    missing_.types.insert(space->getQualifiedNameAsString() + "::" + identifier->getName().str());
  }

  // `cudaFunction_t`: names of the CUDA libraries say whose they are. `c10::weak_intrusive_ptr<T>`: in a namespace of
  // the stubs.
  void collect_named(const clang::Diagnostic& info) {
    if (info.getNumArgs() == 0) return;
    std::string name;
    if (info.getArgKind(0) == clang::DiagnosticsEngine::ak_identifierinfo) {
      name = reinterpret_cast<const clang::IdentifierInfo*>(info.getRawArg(0))->getName().str();
    } else if (info.getArgKind(0) == clang::DiagnosticsEngine::ak_declarationname) {
      name = clang::DeclarationName::getFromOpaqueInteger(info.getRawArg(0)).getAsString();
    }
    if (info.getID() == clang::diag::err_unknown_typename) {
      if (names_cuda_library(name))
        missing_.types.insert(name);
      else if (names_option(name))
        missing_.option_types.insert(name);
      return;
    }
    collect_template(info, name);
  }

  // `cuda::ceil_div(a, b)`: a function of a namespace that the stubs declare.
  void collect_function(const clang::Diagnostic& info, const std::string& name) {
    if (info.getArgKind(1) != clang::DiagnosticsEngine::ak_declcontext) return;
    const auto* space =
        llvm::dyn_cast<clang::NamespaceDecl>(reinterpret_cast<const clang::DeclContext*>(info.getRawArg(1)));
    if (space == nullptr || space->isAnonymousNamespace() ||
        in_candidate_file(info.getSourceManager(), space->getLocation()) ||
        next_character(info.getSourceManager(), info.getLocation()) != '(')
      return;
    missing_.space_functions.insert(space->getQualifiedNameAsString() + "::" + name);
  }

  // Only what stands before `<` is a template.
  void collect_template(const clang::Diagnostic& info, const std::string& name) {
    if (info.getNumArgs() < 2 || info.getArgKind(1) != clang::DiagnosticsEngine::ak_declcontext) return;
    const auto* space =
        llvm::dyn_cast<clang::NamespaceDecl>(reinterpret_cast<const clang::DeclContext*>(info.getRawArg(1)));
    if (space == nullptr || space->isAnonymousNamespace() || name.empty() ||
        in_candidate_file(info.getSourceManager(), space->getLocation()) ||
        next_character(info.getSourceManager(), info.getLocation()) != '<')
      return;
    missing_.templates.insert(space->getQualifiedNameAsString() + "::" + name);
  }

  ParseOutcome& outcome_;
  MissingNames& missing_;
};

class IncludeRecorder : public clang::PPCallbacks {
 public:
  IncludeRecorder(clang::CompilerInstance& compiler, ParseOutcome& outcome, Budget& budget)
      : compiler_(compiler), outcome_(outcome), budget_(budget) {}

  bool FileNotFound(llvm::StringRef name) override {
    add_once(outcome_.missing_includes, name.trim("\"<>").str());  // #embed gives the name with its quotes
    return true;                                                   // as if it were empty
  }
  void FileChanged(clang::SourceLocation location, FileChangeReason reason, clang::SrcMgr::CharacteristicKind,
                   clang::FileID) override {
    if (reason != EnterFile) return;
    if (++entered_ < budget_.limits().includes && !budget_.check_time()) return;
    budget_.exhaust("it includes files more than " + std::to_string(budget_.limits().includes) + " times");
    // Nothing more may be entered: a file that includes itself twice would take for ever.
    const clang::SourceManager& sources = compiler_.getSourceManager();
    if (const auto entry = sources.getFileEntryRefForID(sources.getFileID(location))) {
      compiler_.getPreprocessor().getHeaderSearchInfo().MarkFileIncludeOnce(*entry);
    }
  }
  void InclusionDirective(clang::SourceLocation hash, const clang::Token&, llvm::StringRef name, bool angled,
                          clang::CharSourceRange, clang::OptionalFileEntryRef, llvm::StringRef, llvm::StringRef,
#if CLANG_VERSION_MAJOR >= 19
                          const clang::Module*, bool,
#else
                          const clang::Module*,
#endif
                          clang::SrcMgr::CharacteristicKind) override {
    if (in_candidate_file(compiler_.getSourceManager(), hash)) {
      add_once(outcome_.includes, angled ? "<" + name.str() + ">" : "\"" + name.str() + "\"");
    }
  }
  void Ifdef(clang::SourceLocation location, const clang::Token& name, const clang::MacroDefinition&) override {
    note_condition(location, name);
  }
  void Ifndef(clang::SourceLocation location, const clang::Token& name, const clang::MacroDefinition&) override {
    note_condition(location, name);
  }
  void Defined(const clang::Token& name, const clang::MacroDefinition&, clang::SourceRange range) override {
    note_condition(range.getBegin(), name);
  }
  void If(clang::SourceLocation location, clang::SourceRange range, ConditionValueKind) override {
    note_text(location, range);
  }
  void Elif(clang::SourceLocation location, clang::SourceRange range, ConditionValueKind,
            clang::SourceLocation) override {
    note_text(location, range);
  }
  void MacroExpands(const clang::Token&, const clang::MacroDefinition&, clang::SourceRange,
                    const clang::MacroArgs*) override {
    if ((++expansions_ & 1023U) == 0) budget_.check_time();
  }

 private:
  static void add_once(std::vector<std::string>& names, std::string name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  void note_condition(clang::SourceLocation location, const clang::Token& name) {
    const clang::IdentifierInfo* identifier = name.getIdentifierInfo();
    if (identifier != nullptr && identifier->getName() == "__CUDA_ARCH__" &&
        in_candidate_file(compiler_.getSourceManager(), location)) {
      outcome_.device_only_code = true;
    }
  }
  void note_text(clang::SourceLocation location, clang::SourceRange range) {
    if (!in_candidate_file(compiler_.getSourceManager(), location)) return;
    const llvm::StringRef text = clang::Lexer::getSourceText(clang::CharSourceRange::getCharRange(range),
                                                             compiler_.getSourceManager(), compiler_.getLangOpts());
    if (text.contains("__CUDA_ARCH__")) outcome_.device_only_code = true;
  }

  clang::CompilerInstance& compiler_;
  ParseOutcome& outcome_;
  Budget& budget_;
  int entered_ = 0;
  unsigned expansions_ = 0;
};

// Stops template instantiation when the budget is gone: after a fatal error Sema instantiates nothing.
class InstantiationGuard : public clang::TemplateInstantiationCallback {
 public:
  explicit InstantiationGuard(Budget& budget) : budget_(budget) {}
  void initialize(const clang::Sema&) override {}
  void finalize(const clang::Sema&) override {}
  void atTemplateBegin(const clang::Sema& sema, const clang::Sema::CodeSynthesisContext&) override {
    if (stopped_ || !budget_.check_time()) return;
    stopped_ = true;
    clang::DiagnosticsEngine& diagnostics = sema.getDiagnostics();
    // One of Clang's own: Sema goes on after a fatal error that is not known to prevent compilation.
    diagnostics.Report(clang::SourceLocation(), clang::diag::err_template_recursion_depth_exceeded) << 0U;
  }
  void atTemplateEnd(const clang::Sema&, const clang::Sema::CodeSynthesisContext&) override {}

 private:
  Budget& budget_;
  bool stopped_ = false;
};

class Consumer : public clang::SemaConsumer {
 public:
  explicit Consumer(Budget& budget) : budget_(budget) {}
  void InitializeSema(clang::Sema& sema) override {
    sema.TemplateInstCallbacks.push_back(std::make_unique<InstantiationGuard>(budget_));
  }

 private:
  Budget& budget_;
};

class ParseAction : public clang::ASTFrontendAction {
 public:
  ParseAction(ParseOutcome& outcome, Budget& budget, std::function<void(clang::CompilerInstance&)> done)
      : outcome_(outcome), budget_(budget), done_(std::move(done)) {}

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler, llvm::StringRef) override {
    clang::Preprocessor& preprocessor = compiler.getPreprocessor();
    preprocessor.addPPCallbacks(std::make_unique<IncludeRecorder>(compiler, outcome_, budget_));
    preprocessor.setTokenWatcher([this](const clang::Token& token) {
      ++tokens_;
      if (tokens_ > budget_.limits().tokens) {
        budget_.exhaust("it expands to more than " + std::to_string(budget_.limits().tokens) + " tokens");
      }
      if ((tokens_ & 4095U) == 0) budget_.check_time();
      // From here on the parser sees the end of the file, and unwinds by its own rules.
      if (budget_.exhausted()) const_cast<clang::Token&>(token).setKind(clang::tok::eof);
    });
    return std::make_unique<Consumer>(budget_);
  }
  void ExecuteAction() override {
    ASTFrontendAction::ExecuteAction();
    done_(getCompilerInstance());
  }

 private:
  ParseOutcome& outcome_;
  Budget& budget_;
  std::function<void(clang::CompilerInstance&)> done_;
  std::size_t tokens_ = 0;
};

}  // namespace

bool names_cuda_library(std::string_view name) {
  for (const std::string_view family : {"cuda", "cublas", "cublasLt", "cudnn", "cufft", "curand", "cusparse",
                                        "cusolver", "nvrtc", "cupti", "nvml", "nccl", "CU", "cu", "PFN_cu"}) {
    if (!name.starts_with(family) || name.size() == family.size()) continue;
    const std::string_view rest = name.substr(family.size());
    const char next = rest.front();
    if (family == "CU") {  // CU_TENSOR_MAP_…, CUDNN_…, CUtensorMapSwizzle, and nobody's CUSTOM or CUBE
      for (const std::string_view caps :
           {"_", "DA_", "DART_", "BLAS_", "BLASLT_", "DNN_", "FFT_", "RAND_", "SPARSE_", "SOLVER_", "PTI_"}) {
        if (rest.starts_with(caps)) return true;
      }
      for (const std::string_view type :
           {"tensorMap", "device",    "ctx",  "module", "function", "stream",  "event", "graph",
            "mem",       "launch",    "jit",  "link",   "library",  "kernel",  "func",  "green",
            "dev",       "array",     "tex",  "surf",   "driver",   "pointer", "limit", "shared",
            "access",    "multicast", "uuid", "host",   "user",     "exec",    "async"}) {
        if (rest.starts_with(type)) return true;
      }
      continue;
    }
    if (family == "cu") {  // cuuint64_t, and nobody's custom or cube
      if (rest.starts_with("uint") || (next >= 'A' && next <= 'Z')) return true;
      continue;
    }
    if (next >= 'A' && next <= 'Z') return true;
  }
  for (const std::string_view caps : {"NVRTC_", "NVML_", "NCCL_"}) {
    if (name.starts_with(caps)) return true;
  }
  return false;
}

Result<ParseOutcome> parse_unit(const split::SourceUnit& unit, const std::vector<split::VirtualFile>& neighbours,
                                Budget& budget,
                                const std::function<void(clang::CompilerInstance&, const ParseOutcome&)>& lower) {
  MissingNames missing;
  ParseOutcome outcome;
  const PrecompiledStubs* precompiled = precompiled_stubs_for(unit);
  for (int attempt = precompiled != nullptr ? 0 : 1; attempt <= kMaxAttempts; ++attempt) {
    // The first reads precompiled stubs. Whatever Clang has to say of it, it says of the stubs as text.
    const bool as_text = attempt > 0;
    const std::size_t known = missing.size();
    outcome = ParseOutcome();
    for (const std::string& name : missing.aten_functions) outcome.undeclared.insert("at::" + name);
    for (const std::string& name : missing.tensor_methods) outcome.undeclared.insert("at::Tensor::" + name);
    for (const std::string& name : missing.functions) outcome.undeclared.insert(name);
    outcome.undeclared.insert(missing.member_names.begin(), missing.member_names.end());
    outcome.undeclared.insert(missing.space_functions.begin(), missing.space_functions.end());
    outcome.undeclared_values = missing.values;
    outcome.options = missing.options;
    outcome.options.insert(missing.option_types.begin(), missing.option_types.end());

    ErrorCollector errors(outcome, missing);
    clang::CompilerInstance compiler;
    const MemoryFiles files =
        as_text ? files_for(unit, neighbours, missing) : files_for_precompiled(unit, neighbours, *precompiled);
    llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine> diagnostics(
        new clang::DiagnosticsEngine(new clang::DiagnosticIDs, new clang::DiagnosticOptions, &errors, false));
    const std::shared_ptr<clang::CompilerInvocation> invocation =
        invocation_of(arguments_for(unit, neighbours, as_text ? nullptr : precompiled->path()), *diagnostics);
    if (invocation == nullptr) {
      return Error{ErrorKind::kTool,
                   "Clang refused the arguments it was given for " + unit.name + ": " +
                       (outcome.errors.empty() ? std::string("no reason given") : outcome.errors.front().message) + ".",
                   unit.name, "", ""};
    }
    compiler.setInvocation(invocation);
    compiler.setVerboseOutputStream(llvm::nulls());
    compiler.setDiagnostics(diagnostics.get());
    compiler.createFileManager(files);
    bool lowered = false;
    ParseAction action(outcome, budget, [&](clang::CompilerInstance& done) {
      const bool again = as_text ? attempt < kMaxAttempts && missing.size() > known
                                 : missing.size() > known || !outcome.errors.empty();
      if (again && !budget.exhausted()) return;
      lowered = true;
      if (done.hasASTContext()) lower(done, outcome);
    });
    compiler.ExecuteAction(action);
    if (lowered) break;
    if (as_text && missing.size() == known) break;
    if (!as_text) missing = {};
  }
  return outcome;
}

}  // namespace kernel_audit::analysis::cuda
