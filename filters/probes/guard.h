// The border at which exceptions of torch end: guarded() runs a function that returns a Result and turns
// whatever escapes from it into an Error.
#pragma once

#include <c10/util/Exception.h>

#include <exception>
#include <utility>

#include "auditor/core/result.h"

namespace kernel_audit::filters {

template <typename Function>
auto guarded(Function function) -> decltype(function()) {
  try {
    return function();
  } catch (const c10::OutOfMemoryError& e) {
    return Error{ErrorKind::kMemory, e.what_without_backtrace(), "", "", ""};
  } catch (const c10::Error& e) {
    return Error{ErrorKind::kTool, e.what_without_backtrace(), "", "", ""};
  } catch (const std::exception& e) {
    return Error{ErrorKind::kTool, e.what(), "", "", ""};
  }
}

}  // namespace kernel_audit::filters
