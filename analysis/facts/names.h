// Canonical names, taken apart and looked up.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

namespace kernel_audit::analysis::facts {

// Last component of a dotted or scoped name.
inline std::string last_part(const std::string& name) { return name.substr(name.find_last_of(".:") + 1); }

inline bool one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace kernel_audit::analysis::facts
