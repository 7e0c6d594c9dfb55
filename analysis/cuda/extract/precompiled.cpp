#include "analysis/cuda/extract/precompiled.h"

#include "analysis/cuda/extract/precompiled_images.h"

namespace kernel_audit::analysis::cuda {

PrecompiledStubs::PrecompiledStubs(bool torch)
    : stubs_(torch), path_(stubs_.path() + ".pch"), image_(precompiled_image(torch)) {}

void PrecompiledStubs::offer(llvm::vfs::InMemoryFileSystem& files) const {
  stubs_.offer(files);
  files.addFileNoOwn(path_, 0, llvm::MemoryBufferRef(llvm::StringRef(image_.data(), image_.size()), path_));
}

MemoryFiles files_for_precompiled(const split::SourceUnit& unit, const std::vector<split::VirtualFile>& neighbours,
                                  const PrecompiledStubs& stubs) {
  MemoryFiles files = stub_files(all_aten_declarations(), {});
  stubs.offer(*files);
  add_sources(*files, unit, neighbours);
  return files;
}

const PrecompiledStubs* precompiled_stubs_for(const split::SourceUnit& unit) {
  if (!macro_flags(unit).empty()) return nullptr;
  if (begins_with_torch(unit)) {
    static const PrecompiledStubs with_torch(true);
    return &with_torch;
  }
  static const PrecompiledStubs plain(false);
  return &plain;
}

}  // namespace kernel_audit::analysis::cuda
