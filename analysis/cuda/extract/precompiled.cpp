#include "analysis/cuda/extract/precompiled.h"

#include <clang/Serialization/ASTWriter.h>
#include <clang/Serialization/PCHContainerOperations.h>

namespace kernel_audit::analysis::cuda {
namespace {

// Precompiling costs about as much as reading the stubs six times: a process that ends before does without.
constexpr int kUnitsAsText = 6;

class PrecompileAction : public clang::ASTFrontendAction {
 public:
  explicit PrecompileAction(std::shared_ptr<clang::PCHBuffer> buffer) : buffer_(std::move(buffer)) {}

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler, llvm::StringRef) override {
    return std::make_unique<clang::PCHGenerator>(compiler.getPreprocessor(), compiler.getModuleCache(), "", "", buffer_,
                                                 llvm::ArrayRef<std::shared_ptr<clang::ModuleFileExtension>>(),
                                                 /*AllowASTWithErrors=*/false, /*IncludeTimestamps=*/false);
  }
  bool BeginSourceFileAction(clang::CompilerInstance& compiler) override {
    compiler.getLangOpts().CompilingPCH = true;
    return true;
  }
  clang::TranslationUnitKind getTranslationUnitKind() override { return clang::TU_Prefix; }

 private:
  std::shared_ptr<clang::PCHBuffer> buffer_;
};

}  // namespace

PrecompiledStubs::PrecompiledStubs(bool torch)
    : source_path_(stub_path(torch ? "before_torch_unit.h" : "before_unit.h")),
      source_("#include \"" + stub_path("prelude.h") + "\"\n"),
      path_(source_path_ + ".pch") {
  if (torch) source_ += "#include \"" + stub_path("torch.h") + "\"\n";
  const MemoryFiles files = stub_files(all_aten_declarations(), {});
  offer(*files);
  clang::CompilerInstance compiler;
  const llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine> diagnostics(new clang::DiagnosticsEngine(
      new clang::DiagnosticIDs, new clang::DiagnosticOptions, new clang::IgnoringDiagConsumer, true));
  std::vector<std::string> arguments = language_arguments();
  arguments.push_back(source_path_);
  const std::shared_ptr<clang::CompilerInvocation> invocation = invocation_of(arguments, *diagnostics);
  if (invocation == nullptr) return;
  compiler.setInvocation(invocation);
  compiler.setVerboseOutputStream(llvm::nulls());
  compiler.setDiagnostics(diagnostics.get());
  compiler.createFileManager(files);
  const auto buffer = std::make_shared<clang::PCHBuffer>();
  PrecompileAction action(buffer);
  if (compiler.ExecuteAction(action) && buffer->IsComplete) bytes_.assign(buffer->Data.begin(), buffer->Data.end());
}

void PrecompiledStubs::offer(llvm::vfs::InMemoryFileSystem& files) const {
  files.addFileNoOwn(source_path_, 0, llvm::MemoryBufferRef(source_, source_path_));
  if (usable()) files.addFileNoOwn(path_, 0, llvm::MemoryBufferRef(bytes_, path_));
}

MemoryFiles files_for_precompiled(const split::SourceUnit& unit, const std::vector<split::VirtualFile>& neighbours,
                                  const PrecompiledStubs& stubs) {
  MemoryFiles files = stub_files(all_aten_declarations(), {});
  stubs.offer(*files);
  add_sources(*files, unit, neighbours);
  return files;
}

const PrecompiledStubs* precompiled_stubs_for(const split::SourceUnit& unit) {
  static int units = 0;  // read one after the other in a process
  if (++units <= kUnitsAsText || !macro_flags(unit).empty()) return nullptr;
  const auto usable = [](const PrecompiledStubs& stubs) { return stubs.usable() ? &stubs : nullptr; };
  if (begins_with_torch(unit)) {
    static const PrecompiledStubs with_torch(true);
    return usable(with_torch);
  }
  static const PrecompiledStubs plain(false);
  return usable(plain);
}

}  // namespace kernel_audit::analysis::cuda
