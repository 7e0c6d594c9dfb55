// Which stub header stands for which included name. The whole standard library is one stub, CUDA
// another, everything of torch a third: a unit that forgets an include still parses, and a header
// that nobody has heard of is simply missing. Light: no Clang.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kernel_audit::analysis::cuda {

// "std.h", "cuda.h", "torch.h", "vendor.h", "cub.h"; empty when no stub stands for `include`.
std::string stub_for(std::string_view include);

// Names after #include, #include_next, #import and in __has_include of `text`, found by a plain scan of
// lines; only used to offer stubs, so a name inside a comment does no harm.
std::vector<std::string> included_names(std::string_view text);

// Identifiers that occur in `text`, strings and comments included.
void collect_identifiers(std::string_view text, std::set<std::string, std::less<>>& identifiers);

// Declarations of the functions and tensor methods of ATen that `identifiers` mentions, in the form
// that stubs/torch.h includes. `extra_*` are names that a first parse found missing.
struct AtenDeclarations {
  std::string functions;
  std::string methods;
};
AtenDeclarations aten_declarations(const std::set<std::string, std::less<>>& identifiers,
                                   const std::set<std::string>& extra_functions,
                                   const std::set<std::string>& extra_methods);
// Of all names that are known, without their operators of at::_ops.
const AtenDeclarations& all_aten_declarations();

}  // namespace kernel_audit::analysis::cuda
