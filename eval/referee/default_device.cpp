#include "eval/referee/default_device.h"

#include <Python.h>

namespace kernel_audit::eval {
namespace {

// torch.set_default_device(device), with None for a null pointer.
bool set_default_device(const char* device) {
  PyObject* torch = PyImport_ImportModule("torch");
  PyObject* result = torch == nullptr ? nullptr : PyObject_CallMethod(torch, "set_default_device", "z", device);
  const bool done = result != nullptr;
  if (!done) PyErr_Clear();
  Py_XDECREF(result);
  Py_XDECREF(torch);
  return done;
}

}  // namespace

DefaultDevice::DefaultDevice(const std::string& device) : active_(set_default_device(device.c_str())) {}

DefaultDevice::~DefaultDevice() {
  if (active_) set_default_device(nullptr);
}

}  // namespace kernel_audit::eval
