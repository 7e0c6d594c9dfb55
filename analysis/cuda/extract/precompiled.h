// The stub headers that come before every unit, parsed once in a process and kept in Clang's precompiled form: reading
// them anew costs many times what a unit itself costs. A unit that Clang finds an error in is read again with the stubs
// as text (parse.cpp), so that what is said of it is the same in any order of units. Includes Clang.
#pragma once

#include <string>

#include "analysis/cuda/extract/invocation.h"

namespace kernel_audit::analysis::cuda {

class PrecompiledStubs {
 public:
  explicit PrecompiledStubs(bool torch);
  bool usable() const { return !bytes_.empty(); }
  const char* path() const { return path_.c_str(); }
  // Puts them into a unit's files, which must not outlive this.
  void offer(llvm::vfs::InMemoryFileSystem& files) const;

 private:
  std::string source_path_, source_;  // what was parsed; Clang asks for it again
  std::string path_, bytes_;
};

// What Clang is given for a unit that begins with them; they must outlive it.
MemoryFiles files_for_precompiled(const split::SourceUnit& unit, const std::vector<split::VirtualFile>& neighbours,
                                  const PrecompiledStubs& stubs);

// Null when the unit is to read the stubs as text: the first few of a process, and units whose build defines macros,
// which could change the stubs.
const PrecompiledStubs* precompiled_stubs_for(const split::SourceUnit& unit);

}  // namespace kernel_audit::analysis::cuda
