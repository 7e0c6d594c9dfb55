// Deep copies of models. Private to auditor/worker; callers hold the GIL. Functions may throw pybind11 exceptions;
// python_module.cpp turns them into Errors.
#pragma once

#include <pybind11/pybind11.h>

namespace kernel_audit::worker {

// Whether a deep copy would be what the constructor made, by all that the model holds: plain data, parameters,
// buffers, modules, and functions that hold nothing of it. A closure, a tensor or object of another kind, memory that
// two tensors share, or a class that copies in a way of its own is none of these. Asked before the model is moved to a
// device.
bool copies_alike(const pybind11::object& model);

pybind11::object deep_copy(const pybind11::object& model);

}  // namespace kernel_audit::worker
