#include "auditor/worker/python_values.h"

#include <torch/csrc/autograd/python_variable.h>

#include <cmath>
#include <utility>

namespace py = pybind11;

namespace kernel_audit::worker {
namespace {

constexpr const char* kTuple = "__tuple__";
constexpr const char* kFloat = "__float__";
constexpr int kMaxDepth = 20;

std::optional<Json> plain_items(py::handle sequence, int depth) {
  Json items = Json::array();
  for (const py::handle item : sequence) {
    std::optional<Json> plain = plain_of(item, depth + 1);
    if (!plain) return std::nullopt;
    items.push_back(std::move(*plain));
  }
  return items;
}

std::optional<Json> plain_fields(const py::dict& dict, int depth) {
  Json fields = Json::object();
  for (const auto& [key, value] : dict) {
    if (!py::isinstance<py::str>(key)) return std::nullopt;
    std::optional<Json> plain = plain_of(value, depth + 1);
    if (!plain) return std::nullopt;
    fields[key.cast<std::string>()] = std::move(*plain);
  }
  return fields;
}

Json plain_float(double value) {
  if (std::isfinite(value)) return value;
  return Json{{kFloat, std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf"}};
}

bool is_marker(const Json& json, const char* name) { return json.size() == 1 && json.contains(name); }

}  // namespace

std::string type_name(py::handle object) { return Py_TYPE(object.ptr())->tp_name; }

// Exact types only: a subclass may carry more than its value.
std::optional<Json> plain_of(py::handle object, int depth) {
  if (depth > kMaxDepth) return std::nullopt;
  PyObject* raw = object.ptr();
  if (raw == Py_None) return Json(nullptr);
  if (PyBool_Check(raw)) return Json(raw == Py_True);
  if (PyLong_CheckExact(raw)) {
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(raw, &overflow);
    if (overflow != 0) return std::nullopt;
    return Json(value);
  }
  if (PyFloat_CheckExact(raw)) return plain_float(PyFloat_AS_DOUBLE(raw));
  if (PyUnicode_CheckExact(raw)) return Json(object.cast<std::string>());
  if (PyList_CheckExact(raw)) return plain_items(object, depth);
  if (PyTuple_CheckExact(raw)) {
    std::optional<Json> items = plain_items(object, depth);
    if (!items) return std::nullopt;
    return Json{{kTuple, std::move(*items)}};
  }
  if (PyDict_CheckExact(raw)) return plain_fields(py::reinterpret_borrow<py::dict>(object), depth);
  return std::nullopt;
}

py::object python_of(const Json& plain) {
  switch (plain.type()) {
    case Json::value_t::boolean:
      return py::bool_(plain.get<bool>());
    case Json::value_t::number_integer:
      return py::int_(plain.get<long long>());
    case Json::value_t::number_unsigned:
      return py::int_(plain.get<unsigned long long>());
    case Json::value_t::number_float:
      return py::float_(plain.get<double>());
    case Json::value_t::string:
      return py::str(plain.get<std::string>());
    case Json::value_t::array: {
      py::list list;
      for (const Json& item : plain) list.append(python_of(item));
      return list;
    }
    case Json::value_t::object: {
      if (is_marker(plain, kTuple)) return py::tuple(python_of(plain[kTuple]));
      if (is_marker(plain, kFloat) && plain[kFloat].is_string()) {
        const std::string name = plain[kFloat].get<std::string>();
        return py::float_(name == "nan" ? NAN : name == "inf" ? INFINITY : -INFINITY);
      }
      py::dict dict;
      for (const auto& [key, value] : plain.items()) dict[py::str(key)] = python_of(value);
      return dict;
    }
    default:
      return py::none();
  }
}

Argument argument_of(py::handle object) {
  Argument argument;
  if (THPVariable_Check(object.ptr())) {
    argument.python_type = "Tensor";
    argument.tensor = THPVariable_Unpack(object.ptr()).detach();
    return argument;
  }
  if (std::optional<Json> plain = plain_of(object)) {
    argument.plain = std::move(*plain);
    argument.python_type = type_name(object);
    return argument;
  }
  argument.python_type = "opaque";
  argument.object = std::shared_ptr<void>(object.inc_ref().ptr(), [](void* held) {
    const py::gil_scoped_acquire gil;
    py::handle(static_cast<PyObject*>(held)).dec_ref();
  });
  return argument;
}

py::object object_of(const Argument& argument) {
  if (argument.tensor) return py::reinterpret_steal<py::object>(THPVariable_Wrap(*argument.tensor));
  if (argument.object) return py::reinterpret_borrow<py::object>(static_cast<PyObject*>(argument.object.get()));
  return python_of(argument.plain);
}

std::string flatten(py::handle object, std::vector<at::Tensor>& tensors, int& subclasses, int depth) {
  PyObject* raw = object.ptr();
  if (THPVariable_Check(raw)) {
    if (!THPVariable_CheckExact(raw)) ++subclasses;
    tensors.push_back(THPVariable_Unpack(raw).detach());
    return {};
  }
  if (depth > kMaxDepth) return type_name(object) + " nested too deep";
  if (PyTuple_Check(raw) || PyList_Check(raw)) {
    for (const py::handle item : object) {
      if (std::string foreign = flatten(item, tensors, subclasses, depth + 1); !foreign.empty()) return foreign;
    }
    return {};
  }
  if (PyDict_Check(raw)) {
    for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(object)) {
      if (std::string foreign = flatten(value, tensors, subclasses, depth + 1); !foreign.empty()) return foreign;
    }
    return {};
  }
  return type_name(object);
}

}  // namespace kernel_audit::worker
