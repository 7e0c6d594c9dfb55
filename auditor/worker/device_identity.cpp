#include "auditor/worker/device_identity.h"

#include <pybind11/pybind11.h>

namespace py = pybind11;

namespace kernel_audit::worker {

std::string device_identity(const std::string& device, int index) {
  if (device != "cuda") return device;
  const py::gil_scoped_acquire gil;
  try {
    const py::object properties = py::module_::import("torch").attr("cuda").attr("get_device_properties")(index);
    return py::str(py::getattr(properties, "uuid", properties.attr("name"))).cast<std::string>();
  } catch (py::error_already_set&) {
    return device;
  }
}

}  // namespace kernel_audit::worker
