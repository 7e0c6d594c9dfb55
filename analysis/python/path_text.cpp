#include "analysis/python/path_text.h"

namespace kernel_audit::analysis::python {

using split::Text;

Text join_paths(const Text& left, const Text& right) {
  if (right.bytes.rfind('/', 0) == 0 || left.bytes.empty()) return right;
  Text result = left;
  if (left.bytes.back() != '/') result.append(Text::coarse("/", left.map.resolve(0, 1)));
  result.append(right);
  return result;
}

std::optional<std::string> other_name(const std::string& path, const std::string& method, const Text* given) {
  if (given == nullptr || !method.starts_with("with_")) return std::nullopt;
  const std::size_t name = path.rfind('/') + 1;
  const std::size_t dot = path.rfind('.');
  const std::size_t end = dot == std::string::npos || dot <= name ? path.size() : dot;
  if (method == "with_suffix") return path.substr(0, end) + given->bytes;
  if (method == "with_name") return path.substr(0, name) + given->bytes;
  if (method == "with_stem") return path.substr(0, name) + given->bytes + path.substr(end);
  return std::nullopt;
}

}  // namespace kernel_audit::analysis::python
