#include <clang/Serialization/ASTWriter.h>
#include <clang/Serialization/PCHContainerOperations.h>

#include "analysis/cuda/extract/precompiled.h"

namespace kernel_audit::analysis::cuda {
namespace {

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

StubSet::StubSet(bool torch)
    : path_(stub_path(torch ? "before_torch_unit.h" : "before_unit.h")),
      text_("#include \"" + stub_path("prelude.h") + "\"\n") {
  if (torch) text_ += "#include \"" + stub_path("torch.h") + "\"\n";
}

void StubSet::offer(llvm::vfs::InMemoryFileSystem& files) const {
  files.addFileNoOwn(path_, 0, llvm::MemoryBufferRef(text_, path_));
}

std::string precompile(const StubSet& stubs) {
  const MemoryFiles files = stub_files(all_aten_declarations(), {});
  stubs.offer(*files);
  clang::CompilerInstance compiler;
  const llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine> diagnostics(new clang::DiagnosticsEngine(
      new clang::DiagnosticIDs, new clang::DiagnosticOptions, new clang::IgnoringDiagConsumer, true));
  std::vector<std::string> arguments = language_arguments();
  arguments.push_back(stubs.path());
  const std::shared_ptr<clang::CompilerInvocation> invocation = invocation_of(arguments, *diagnostics);
  if (invocation == nullptr) return "";
  compiler.setInvocation(invocation);
  compiler.setVerboseOutputStream(llvm::nulls());
  compiler.setDiagnostics(diagnostics.get());
  compiler.createFileManager(files);
  const auto buffer = std::make_shared<clang::PCHBuffer>();
  PrecompileAction action(buffer);
  if (!compiler.ExecuteAction(action) || !buffer->IsComplete) return "";
  return {buffer->Data.begin(), buffer->Data.end()};
}

}  // namespace kernel_audit::analysis::cuda
