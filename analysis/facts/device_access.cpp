#include "analysis/facts/device_access.h"

#include <algorithm>
#include <array>

namespace kernel_audit::analysis::facts {
namespace {

struct Entry {
  std::string_view name;
  int written, read;  // positions, -1: none
};
constexpr std::array kEntries{
    Entry{"__stcg", 0, -1},
    Entry{"__stcs", 0, -1},
    Entry{"__stwb", 0, -1},
    Entry{"__stwt", 0, -1},
    Entry{"__builtin_nontemporal_store", 1, -1},
    Entry{"__ldg", -1, 0},
    Entry{"__ldcg", -1, 0},
    Entry{"__ldca", -1, 0},
    Entry{"__ldcs", -1, 0},
    Entry{"__ldlu", -1, 0},
    Entry{"__ldcv", -1, 0},
    Entry{"__builtin_nontemporal_load", -1, 0},
    Entry{"tex1Dfetch", -1, 0},
    Entry{"tex1D", -1, 0},
    Entry{"tex2D", -1, 0},
    Entry{"tex3D", -1, 0},
    Entry{"tex1DLayered", -1, 0},
    Entry{"tex2DLayered", -1, 0},
    Entry{"tex2DLod", -1, 0},
    Entry{"tex2Dgather", -1, 0},
    Entry{"surf1Dread", -1, 0},
    Entry{"surf1Dwrite", 1, -1},
    Entry{"surf2Dwrite", 1, -1},
    Entry{"__pipeline_memcpy_async", 0, 1},
    Entry{"memcpy", 0, 1},
    Entry{"std::memcpy", 0, 1},
    Entry{"__builtin_memcpy", 0, 1},
    Entry{"nvcuda::wmma::load_matrix_sync", -1, 1},
    Entry{"nvcuda::wmma::store_matrix_sync", 0, -1},
    Entry{"cub::LoadDirectBlocked", -1, 1},
    Entry{"cub::LoadDirectBlockedVectorized", -1, 1},
    Entry{"cub::LoadDirectStriped", -1, 1},
    Entry{"cub::LoadDirectWarpStriped", -1, 1},
    Entry{"cub::StoreDirectBlocked", 1, -1},
    Entry{"cub::StoreDirectBlockedVectorized", 1, -1},
    Entry{"cub::StoreDirectStriped", 1, -1},
    Entry{"cub::StoreDirectWarpStriped", 1, -1},
    Entry{"triton.language.store_tensor_descriptor", 0, -1},
    Entry{"triton.language.load_tensor_descriptor", -1, 0},
    Entry{"triton.language._experimental_descriptor_store", 0, -1},
    Entry{"triton.language._experimental_descriptor_load", -1, 0},
};

// The first two pointers, whatever group or layout stands before or between them.
DeviceAccess first_pointers(const Facts& facts, const Statement& call) {
  DeviceAccess access;
  for (const Id arg : call.args) {
    if (arg == kNone || facts.values[static_cast<std::size_t>(arg)].type.kind != TypeKind::kPointer) continue;
    if (access.written == kNone) {
      access.written = arg;
    } else {
      access.read = arg;
      break;
    }
  }
  return access;
}

}  // namespace

std::optional<DeviceAccess> device_access(const Facts& facts, const Statement& call) {
  if (call.kind != StatementKind::kCall || call.target != kNone) return std::nullopt;
  if (call.callee == "cooperative_groups::memcpy_async" || call.callee == "cuda::memcpy_async") {
    const DeviceAccess access = first_pointers(facts, call);
    return access.read == kNone ? std::nullopt : std::optional(access);
  }
  const auto* const entry =
      std::find_if(kEntries.begin(), kEntries.end(), [&](const Entry& each) { return each.name == call.callee; });
  if (entry == kEntries.end()) return std::nullopt;
  const auto at = [&](int place) {
    return place < 0 || static_cast<std::size_t>(place) >= call.args.size()
               ? kNone
               : call.args[static_cast<std::size_t>(place)];
  };
  return DeviceAccess{at(entry->written), at(entry->read)};
}

std::optional<DeviceAccess> access_by_method(const Statement& call) {
  if (call.kind != StatementKind::kCall || call.receiver == kNone) return std::nullopt;
  const std::string_view method = std::string_view(call.callee).substr(call.callee.rfind('.') + 1);
  const bool both = method.starts_with("atomic_");
  const bool writes = both || method == "store" || method == "scatter";
  const bool reads = both || method == "load" || method == "gather";
  if (!writes && !reads) return std::nullopt;
  return DeviceAccess{writes ? call.receiver : kNone, reads ? call.receiver : kNone};
}

std::size_t copied_from(std::string_view callee) {
  if (callee.starts_with("std::copy")) return 0;
  return callee.find("2D") != std::string_view::npos || callee.find("Peer") != std::string_view::npos ? 2 : 1;
}

}  // namespace kernel_audit::analysis::facts
