#include "analysis/rules/build_flags.h"

#include <algorithm>

namespace kernel_audit::analysis::rules {
namespace {

bool takes_value(const std::string& name) {
  for (const char* option :
       {"arch", "gpu-architecture", "gencode", "generate-code", "default-stream", "maxrregcount", "ftz", "prec-div",
        "prec-sqrt", "fmad", "Xcompiler", "Xptxas", "std", "gpu-code", "code"}) {
    if (name == option) return true;
  }
  return false;
}

}  // namespace

std::vector<BuildFlag> flags_of(const facts::Unit& unit) {
  std::vector<BuildFlag> flags;
  for (std::size_t i = 0; i < unit.build_flags.size(); ++i) {
    const std::string& word = unit.build_flags[i];
    const std::size_t start = word.find_first_not_of('-');
    if (start == 0 || start == std::string::npos) continue;
    BuildFlag flag;
    const std::size_t equals = word.find('=', start);
    flag.name = word.substr(start, equals == std::string::npos ? std::string::npos : equals - start);
    if (equals != std::string::npos) {
      flag.value = word.substr(equals + 1);
    } else if (takes_value(flag.name) && i + 1 < unit.build_flags.size()) {
      flag.value = unit.build_flags[++i];
    }
    std::replace(flag.name.begin(), flag.name.end(), '_', '-');
    flags.push_back(std::move(flag));
  }
  return flags;
}

}  // namespace kernel_audit::analysis::rules
