// Conversion between Python objects, Arguments and tensors. Private to auditor/worker; callers hold the GIL.
// Functions may throw pybind11 or torch exceptions; python_module.cpp turns them into Errors.
#pragma once

#include <ATen/core/Tensor.h>
#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <vector>

#include "auditor/worker/python_module.h"

namespace kernel_audit::worker {

std::optional<Json> plain_of(pybind11::handle object, int depth = 0);  // nothing: not plain data
pybind11::object python_of(const Json& plain);

Argument argument_of(pybind11::handle object);
pybind11::object object_of(const Argument& argument);

std::string type_name(pybind11::handle object);

// Appends the tensors of an output in order. Returns what was met that is no tensor, empty when nothing was.
std::string flatten(pybind11::handle object, std::vector<at::Tensor>& tensors, int& subclasses, int depth = 0);

}  // namespace kernel_audit::worker
