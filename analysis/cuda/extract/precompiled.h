// The stub headers that come before every unit, parsed once when this is built and kept in Clang's precompiled form:
// reading them anew costs many times what a unit itself costs. A unit that Clang finds an error in is read again with
// the stubs as text (parse.cpp), so that what is said of it does not depend on the form. Includes Clang.
#pragma once

#include <string>
#include <string_view>

#include "analysis/cuda/extract/invocation.h"

namespace kernel_audit::analysis::cuda {

// One set of stubs: those before a unit, and those before one of an extension of torch.
class StubSet {
 public:
  explicit StubSet(bool torch);
  const std::string& path() const { return path_; }
  // Puts it into a unit's files, which must not outlive this.
  void offer(llvm::vfs::InMemoryFileSystem& files) const;

 private:
  std::string path_, text_;
};

// What the build does for each set (precompile_main.cpp); empty when Clang does not.
std::string precompile(const StubSet& stubs);

// A set with its precompiled form.
class PrecompiledStubs {
 public:
  explicit PrecompiledStubs(bool torch);
  const char* path() const { return path_.c_str(); }
  // As of the set itself: Clang asks for what was parsed, too.
  void offer(llvm::vfs::InMemoryFileSystem& files) const;

 private:
  StubSet stubs_;
  std::string path_;
  std::string_view image_;
};

// What Clang is given for a unit that begins with them; they must outlive it.
MemoryFiles files_for_precompiled(const split::SourceUnit& unit, const std::vector<split::VirtualFile>& neighbours,
                                  const PrecompiledStubs& stubs);

// Null when the unit is to read the stubs as text: its build defines macros, which could change them.
const PrecompiledStubs* precompiled_stubs_for(const split::SourceUnit& unit);

}  // namespace kernel_audit::analysis::cuda
