// What Clang is given for a unit: its arguments, and a file system in memory with the unit, its neighbours and the stub
// headers. Includes Clang.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/cuda/extract/clang_headers.h"
#include "analysis/cuda/extract/include_map.h"
#include "analysis/split/unit.h"

namespace kernel_audit::analysis::cuda {

inline constexpr const char* kUnitRoot = "/unit/";
inline constexpr const char* kStubRoot = "/stubs/";
inline constexpr const char* kAliasRoot = "/headers/";  // names that candidates include, each leading to a stub

std::string stub_path(std::string_view name);

// A member that a class of the stubs lacks.
struct MissingMember {
  std::string stub;  // file that defines the class: "torch.h"
  std::string class_name, name;
  char next = '\0';       // the character after its use: '(' for a call
  bool of_class = false;  // named with `::`
  auto operator<=>(const MissingMember&) const = default;
};

// Names that a first attempt found undeclared.
struct MissingNames {
  std::set<std::string> aten_functions, tensor_methods, functions, values;
  std::set<std::string> options, option_types;  // macros of options that did not fold: numbers, types
  std::set<std::string> types;                  // "torch::jit::Stack", "cudaFunction_t"
  std::set<std::string> templates;              // "c10::weak_intrusive_ptr"
  std::set<std::string> space_functions;        // "cuda::ceil_div"
  std::set<MissingMember> members;
  std::set<std::string> member_names;  // "c10::TensorImpl::data"
  std::size_t size() const {
    return aten_functions.size() + tensor_methods.size() + functions.size() + values.size() + types.size() +
           templates.size() + members.size() + options.size() + option_types.size() + space_functions.size();
  }
};

using MemoryFiles = llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem>;

// The stubs alone, with these declarations in the places that are left open for them.
MemoryFiles stub_files(const AtenDeclarations& aten, const MissingNames& missing);
// Adds the unit and its neighbours, with a header that leads to a stub for each name that they include.
void add_sources(llvm::vfs::InMemoryFileSystem& files, const split::SourceUnit& unit,
                 const std::vector<split::VirtualFile>& neighbours);
// All for one unit, with what it mentions of ATen declared, and what is missing.
MemoryFiles files_for(const split::SourceUnit& unit, const std::vector<split::VirtualFile>& neighbours,
                      const MissingNames& missing);

// Whether the build puts torch's headers in front of the unit.
bool begins_with_torch(const split::SourceUnit& unit);
// Macros of the unit's build: -D and -U flags.
std::vector<std::string> macro_flags(const split::SourceUnit& unit);

// Common to all units: language, targets, limits.
std::vector<std::string> language_arguments();
// All for one unit; with `precompiled`, the path of precompiled stubs, in place of the stubs that come before the unit.
// Headers are looked for where the unit's own file lies, then at the root and wherever else a neighbour lies.
std::vector<std::string> arguments_for(const split::SourceUnit& unit, const std::vector<split::VirtualFile>& neighbours,
                                       const char* precompiled);
// Null when Clang refuses them; the diagnostics say why.
std::shared_ptr<clang::CompilerInvocation> invocation_of(const std::vector<std::string>& arguments,
                                                         clang::DiagnosticsEngine& diagnostics);

}  // namespace kernel_audit::analysis::cuda
