// A CUDA graph captured by us around calls of the model, through torch, so that its allocator and generators take
// part. Callers hold the GIL or not; no function throws.
#pragma once

#include <functional>
#include <memory>

#include "auditor/core/result.h"

namespace kernel_audit::eval::candidate {

class Graph {
 public:
  virtual ~Graph() = default;
  // Runs `body` under capture; `body` gets the stream that is being captured. Errors: what `body` reports, or why the
  // work cannot be captured.
  static Result<std::unique_ptr<Graph>> capture(const std::function<Status(void* stream)>& body);
  virtual Status replay() = 0;  // does not wait
};

}  // namespace kernel_audit::eval::candidate
