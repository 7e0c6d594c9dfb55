// One table per enum for both directions of its text form, so that to_string and from_string cannot
// drift apart. The tables are small; a linear look-up is enough.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace kernel_audit {

template <typename Enum, std::size_t N>
using Names = std::array<std::pair<Enum, const char*>, N>;

template <typename Enum, std::size_t N>
constexpr const char* name_of(const Names<Enum, N>& names, Enum value) {
  for (const auto& [candidate, name] : names) {
    if (candidate == value) return name;
  }
  return "unknown";
}

template <typename Enum, std::size_t N>
constexpr std::optional<Enum> value_of(const Names<Enum, N>& names, std::string_view text) {
  for (const auto& [value, name] : names) {
    if (text == name) return value;
  }
  return std::nullopt;
}

}  // namespace kernel_audit
