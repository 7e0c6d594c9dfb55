// Functions of CUDA that store or load through a pointer that they are handed: caching hints, asynchronous copies,
// matrix fragments. Names alone; what a pointer leads to is the caller's business.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "analysis/facts/facts.h"

namespace kernel_audit::analysis::facts {

struct DeviceAccess {
  Id written = kNone, read = kNone;  // the pointers, as values
};

// Nothing for every other call.
std::optional<DeviceAccess> device_access(const Facts& facts, const Statement& call);

// In a kernel of Triton: the methods by which descriptors of tensors and pointers are stored to and loaded from.
std::optional<DeviceAccess> access_by_method(const Statement& call);

// Which operand a call of the host copies from, memcpy and its like: a pitch or a device may stand before it.
std::size_t copied_from(std::string_view callee);

}  // namespace kernel_audit::analysis::facts
