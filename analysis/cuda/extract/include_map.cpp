#include "analysis/cuda/extract/include_map.h"

#include <array>
#include <cctype>
#include <map>

#include "auditor/core/embedded_text.h"

namespace kernel_audit {
const std::vector<EmbeddedText>& cuda_stub_headers();
}

namespace kernel_audit::analysis::cuda {
namespace {

struct Prefix {
  std::string_view prefix;
  std::string_view stub;
};
constexpr std::array kPrefixes = {
    Prefix{"torch/", "torch.h"},    Prefix{"ATen/", "torch.h"},
    Prefix{"c10/", "torch.h"},      Prefix{"pybind11/", "torch.h"},
    Prefix{"caffe2/", "torch.h"},   Prefix{"THC/", "torch.h"},
    Prefix{"TH/", "torch.h"},       Prefix{"cub/", "cub.h"},
    Prefix{"thrust/", "cub.h"},     Prefix{"cuda/std/", "cub.h"},
    Prefix{"cuda/", "cub.h"},       Prefix{"cutlass/", "cutlass.h"},
    Prefix{"cute/", "cutlass.h"},   Prefix{"cooperative_groups/", "cuda.h"},
    Prefix{"crt/", "cuda.h"},       Prefix{"cublas", "vendor.h"},
    Prefix{"cudnn", "vendor.h"},    Prefix{"cufft", "vendor.h"},
    Prefix{"curand", "vendor.h"},   Prefix{"cusparse", "vendor.h"},
    Prefix{"cusolver", "vendor.h"}, Prefix{"nvrtc", "vendor.h"},
    Prefix{"cupti", "vendor.h"},    Prefix{"nccl", "vendor.h"},
    Prefix{"cuda", "cuda.h"},       Prefix{"device_", "cuda.h"},
    Prefix{"vector_", "cuda.h"},    Prefix{"sm_", "cuda.h"},
    Prefix{"bits/", "std.h"},       Prefix{"sys/", "std.h"},
    Prefix{"linux/", "std.h"},
};
constexpr std::array<std::string_view, 12> kCudaNames = {
    "builtin_types.h", "driver_types.h",       "host_defines.h",   "mma.h",
    "nvfunctional",    "math_constants.h",     "math_functions.h", "texture_types.h",
    "surface_types.h", "channel_descriptor.h", "nvToolsExt.h",     "library_types.h"};
constexpr std::array<std::string_view, 131> kStandardNames = {"algorithm",
                                                              "any",
                                                              "array",
                                                              "atomic",
                                                              "barrier",
                                                              "bit",
                                                              "bitset",
                                                              "cassert",
                                                              "ccomplex",
                                                              "cctype",
                                                              "cerrno",
                                                              "cfenv",
                                                              "cfloat",
                                                              "charconv",
                                                              "chrono",
                                                              "cinttypes",
                                                              "ciso646",
                                                              "climits",
                                                              "clocale",
                                                              "cmath",
                                                              "codecvt",
                                                              "compare",
                                                              "complex",
                                                              "concepts",
                                                              "condition_variable",
                                                              "coroutine",
                                                              "csetjmp",
                                                              "csignal",
                                                              "cstdalign",
                                                              "cstdarg",
                                                              "cstdbool",
                                                              "cstddef",
                                                              "cstdint",
                                                              "cstdio",
                                                              "cstdlib",
                                                              "cstring",
                                                              "ctgmath",
                                                              "ctime",
                                                              "cuchar",
                                                              "cwchar",
                                                              "cwctype",
                                                              "deque",
                                                              "exception",
                                                              "execution",
                                                              "filesystem",
                                                              "format",
                                                              "forward_list",
                                                              "fstream",
                                                              "functional",
                                                              "future",
                                                              "initializer_list",
                                                              "iomanip",
                                                              "ios",
                                                              "iosfwd",
                                                              "iostream",
                                                              "istream",
                                                              "iterator",
                                                              "latch",
                                                              "limits",
                                                              "list",
                                                              "locale",
                                                              "map",
                                                              "memory",
                                                              "memory_resource",
                                                              "mutex",
                                                              "new",
                                                              "numbers",
                                                              "numeric",
                                                              "optional",
                                                              "ostream",
                                                              "queue",
                                                              "random",
                                                              "ranges",
                                                              "ratio",
                                                              "regex",
                                                              "scoped_allocator",
                                                              "semaphore",
                                                              "set",
                                                              "shared_mutex",
                                                              "source_location",
                                                              "span",
                                                              "sstream",
                                                              "stack",
                                                              "stdexcept",
                                                              "stop_token",
                                                              "streambuf",
                                                              "string",
                                                              "string_view",
                                                              "syncstream",
                                                              "system_error",
                                                              "thread",
                                                              "tuple",
                                                              "type_traits",
                                                              "typeindex",
                                                              "typeinfo",
                                                              "unordered_map",
                                                              "unordered_set",
                                                              "utility",
                                                              "valarray",
                                                              "variant",
                                                              "vector",
                                                              "version",
                                                              "assert.h",
                                                              "complex.h",
                                                              "ctype.h",
                                                              "dlfcn.h",
                                                              "errno.h",
                                                              "fcntl.h",
                                                              "fenv.h",
                                                              "float.h",
                                                              "immintrin.h",
                                                              "inttypes.h",
                                                              "iso646.h",
                                                              "limits.h",
                                                              "malloc.h",
                                                              "math.h",
                                                              "memory.h",
                                                              "omp.h",
                                                              "pthread.h",
                                                              "sched.h",
                                                              "setjmp.h",
                                                              "signal.h",
                                                              "stdalign.h",
                                                              "stdarg.h",
                                                              "stdbool.h",
                                                              "stddef.h",
                                                              "stdint.h",
                                                              "stdio.h",
                                                              "stdlib.h",
                                                              "string.h",
                                                              "time.h"};
constexpr std::array<std::string_view, 12> kMoreStandardNames = {
    "unistd.h",     "wchar.h",         "x86intrin.h", "xmmintrin.h", "emmintrin.h", "avxintrin.h",
    "avx2intrin.h", "avx512fintrin.h", "fmaintrin.h", "smmintrin.h", "tmmintrin.h", "arm_neon.h"};

bool is_identifier_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_identifier(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// stubs/aten_names.txt: lines "kind name name …"; '#' starts a comment line.
const std::map<std::string, std::string, std::less<>>& aten_names() {
  static const std::map<std::string, std::string, std::less<>> names = [] {
    std::map<std::string, std::string, std::less<>> result;
    for (const EmbeddedText& file : cuda_stub_headers()) {
      if (file.name != "aten_names.txt") continue;
      std::string kind;
      bool at_line_start = true;
      std::string word;
      for (const char c : file.text) {
        if (c != ' ' && c != '\n') {
          word += c;
          continue;
        }
        if (!word.empty()) {
          if (at_line_start) {
            kind = word;
            at_line_start = false;
          } else if (kind != "#") {
            result.emplace(word, kind);
          }
          word.clear();
        }
        if (c == '\n') at_line_start = true;
      }
    }
    return result;
  }();
  return names;
}

}  // namespace

std::string stub_for(std::string_view include) {
  for (const std::string_view name : kCudaNames) {
    if (include == name) return "cuda.h";
  }
  for (const std::string_view name : kStandardNames) {
    if (include == name) return "std.h";
  }
  for (const std::string_view name : kMoreStandardNames) {
    if (include == name) return "std.h";
  }
  for (const Prefix& prefix : kPrefixes) {
    if (include.substr(0, prefix.prefix.size()) == prefix.prefix) return std::string(prefix.stub);
  }
  return "";
}

std::vector<std::string> included_names(std::string_view text) {
  std::vector<std::string> names;
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) end = text.size();
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.find('#') == std::string_view::npos && line.find("__has_include") == std::string_view::npos) continue;
    for (std::size_t open = line.find_first_of("<\""); open != std::string_view::npos;
         open = line.find_first_of("<\"", open + 1)) {
      const std::size_t close = line.find(line[open] == '<' ? '>' : '"', open + 1);
      if (close == std::string_view::npos || close == open + 1 || close - open > 256) break;
      names.emplace_back(line.substr(open + 1, close - open - 1));
    }
  }
  return names;
}

void collect_identifiers(std::string_view text, std::set<std::string, std::less<>>& identifiers) {
  for (std::size_t i = 0; i < text.size();) {
    if (!is_identifier_start(text[i])) {
      // A digit starts a number, whose suffix is no identifier.
      if (is_identifier(text[i])) {
        while (i < text.size() && is_identifier(text[i])) ++i;
      } else {
        ++i;
      }
      continue;
    }
    const std::size_t begin = i;
    while (i < text.size() && is_identifier(text[i])) ++i;
    if (i - begin <= 128) identifiers.emplace(text.substr(begin, i - begin));
  }
}

const AtenDeclarations& all_aten_declarations() {
  static const AtenDeclarations all = [] {
    std::set<std::string, std::less<>> names;
    for (const auto& [name, kind] : aten_names()) names.insert(name);
    return aten_declarations(names, {}, {});
  }();
  return all;
}

AtenDeclarations aten_declarations(const std::set<std::string, std::less<>>& identifiers,
                                   const std::set<std::string>& extra_functions,
                                   const std::set<std::string>& extra_methods) {
  AtenDeclarations result;
  for (const auto& [name, kind] : aten_names()) {
    if (identifiers.count(name) == 0) continue;
    // Kinds: f… is a free function only, m… a method only, otherwise both; the rest names the result.
    const bool function_only = kind[0] == 'f';
    const bool method_only = kind[0] == 'm';
    const std::string result_kind = function_only || method_only ? kind.substr(1) : kind;
    if (!method_only && extra_functions.count(name) == 0)
      result.functions += "KA_F_" + result_kind + "(" + name + ")\n";
    if (!method_only && identifiers.count("_ops") != 0) result.functions += "KA_OPS(" + name + ")\n";
    if (!function_only && extra_methods.count(name) == 0) result.methods += "KA_M_" + result_kind + "(" + name + ")\n";
  }
  for (const std::string& name : extra_functions) result.functions += "KA_F_T(" + name + ")\n";
  for (const std::string& name : extra_methods) result.methods += "KA_M_T(" + name + ")\n";
  return result;
}

}  // namespace kernel_audit::analysis::cuda
