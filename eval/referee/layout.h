// Where the tensors of one window lie in the exchange arena: aligned, disjoint, at random places that change
// from window to window, so that an address tells nothing about content.
#pragma once

#include <cstdint>
#include <vector>

#include "eval/timing/random.h"

namespace kernel_audit::eval {

// Bytes of an arena for `calls` calls whose tensors have these sizes, with room to move them about.
std::uint64_t arena_bytes(const std::vector<std::uint64_t>& tensor_bytes, int calls);

// Offsets, call-major, tensors of a call in the order of `tensor_bytes`; `arena` as arena_bytes gave it or larger.
std::vector<std::uint64_t> draw_offsets(const std::vector<std::uint64_t>& tensor_bytes, int calls, std::uint64_t arena,
                                        Random& random);

}  // namespace kernel_audit::eval
