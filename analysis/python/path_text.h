// What becomes of paths that are known as text.
#pragma once

#include <optional>
#include <string>

#include "analysis/split/text.h"

namespace kernel_audit::analysis::python {

split::Text join_paths(const split::Text& left, const split::Text& right);

// Path.with_suffix(given), Path.with_name(given), Path.with_stem(given); nothing for any other method, or where it is
// not known what is given.
std::optional<std::string> other_name(const std::string& path, const std::string& method, const split::Text* given);

}  // namespace kernel_audit::analysis::python
