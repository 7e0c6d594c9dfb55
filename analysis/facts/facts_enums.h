// Names of the enumerations of facts.h in JSON. The order of each table is the order of its enum.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "analysis/facts/facts.h"

namespace kernel_audit::analysis::facts {

inline constexpr std::array<std::string_view, 19> kTypeKindNames = {
    "unknown", "tensor", "int",       "float",    "bool",  "string",  "bytes",  "none",  "tuple", "list",
    "dict",    "module", "parameter", "function", "class", "package", "stream", "event", "graph"};
inline constexpr std::array<std::string_view, 5> kTypeKindMoreNames = {"extension", "pointer", "dtype", "device",
                                                                       "other"};
inline constexpr std::array<std::string_view, 6> kOriginKindNames = {"unknown",  "argument", "constant",
                                                                     "computed", "state",    "weights"};
inline constexpr std::array<std::string_view, 14> kStorageKindNames = {"local",
                                                                       "global",
                                                                       "static-local",
                                                                       "class-attribute",
                                                                       "instance-attribute",
                                                                       "function-attribute",
                                                                       "default-argument",
                                                                       "closure",
                                                                       "thread-or-context",
                                                                       "file",
                                                                       "deref",
                                                                       "other-attribute",
                                                                       "foreign",
                                                                       "block-shared"};
inline constexpr std::array<std::string_view, 4> kLifetimeNames = {"call", "object", "static", "external"};
inline constexpr std::array<std::string_view, 7> kStatementKindNames = {"call",   "load",  "store", "launch",
                                                                        "return", "raise", "phi"};
inline constexpr std::array<std::string_view, 5> kEdgeKindNames = {"normal", "true", "false", "exception", "loop-back"};
inline constexpr std::array<std::string_view, 6> kUnitLanguageNames = {"python", "cuda", "cpp",
                                                                       "triton", "ptx",  "other"};

inline std::string_view name_of(TypeKind kind) {
  const auto index = static_cast<std::size_t>(kind);
  return index < kTypeKindNames.size() ? kTypeKindNames[index] : kTypeKindMoreNames[index - kTypeKindNames.size()];
}
inline std::string_view name_of(OriginKind kind) { return kOriginKindNames[static_cast<std::size_t>(kind)]; }
inline std::string_view name_of(StorageKind kind) { return kStorageKindNames[static_cast<std::size_t>(kind)]; }
inline std::string_view name_of(Lifetime kind) { return kLifetimeNames[static_cast<std::size_t>(kind)]; }
inline std::string_view name_of(StatementKind kind) { return kStatementKindNames[static_cast<std::size_t>(kind)]; }
inline std::string_view name_of(EdgeKind kind) { return kEdgeKindNames[static_cast<std::size_t>(kind)]; }
inline std::string_view name_of(UnitLanguage kind) { return kUnitLanguageNames[static_cast<std::size_t>(kind)]; }

// Looks `name` up among the `count` first values of the enumeration E.
template <typename E>
std::optional<E> enum_from_name(std::string_view name, int count) {
  for (int index = 0; index < count; ++index) {
    if (name_of(static_cast<E>(index)) == name) return static_cast<E>(index);
  }
  return std::nullopt;
}
template <typename E>
inline constexpr int kEnumCount = 0;
template <>
inline constexpr int kEnumCount<TypeKind> = 24;
template <>
inline constexpr int kEnumCount<OriginKind> = 6;
template <>
inline constexpr int kEnumCount<StorageKind> = 14;
template <>
inline constexpr int kEnumCount<Lifetime> = 4;
template <>
inline constexpr int kEnumCount<StatementKind> = 7;
template <>
inline constexpr int kEnumCount<EdgeKind> = 5;
template <>
inline constexpr int kEnumCount<UnitLanguage> = 6;

}  // namespace kernel_audit::analysis::facts
