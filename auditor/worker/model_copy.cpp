#include "auditor/worker/model_copy.h"

#include <pybind11/eval.h>

namespace py = pybind11;

namespace kernel_audit::worker {
namespace {

// Defines copies_alike(model).
constexpr const char* kSource = R"(
import collections, enum, functools, types, torch

ATOMS = {type(None), bool, int, float, complex, str, bytes, type(...), range, torch.dtype, torch.device, torch.layout,
         torch.memory_format, torch.Size}
OWN_WAYS = {"__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__new__",
            "__slots__", "to", "_apply"}

# What a deep copy shares with its original: then it must hold nothing that belongs to one model.
def is_shared(value, seen):
    kind = type(value)
    if kind in ATOMS or isinstance(value, (type, enum.Enum)):
        return True
    if kind is types.BuiltinFunctionType:
        return isinstance(value.__self__, (type, types.ModuleType, type(None)))
    if id(value) in seen:
        return True
    if kind in (tuple, frozenset):
        return all(is_shared(part, seen) for part in value)
    if kind is types.FunctionType:
        seen[id(value)] = value
        parts = [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values(), *vars(value).values()]
        parts += [cell.cell_contents for cell in value.__closure__ or ()]
        return all(is_shared(part, seen) for part in parts)
    return False

def is_alike(value, seen, storages, registered):
    alike = lambda part: is_alike(part, seen, storages, registered)
    if is_shared(value, {}) or id(value) in seen:
        return True
    seen[id(value)] = value
    kind = type(value)
    if kind in (list, tuple, set, frozenset):
        return all(map(alike, value))
    if kind in (dict, collections.OrderedDict):
        return all(alike(key) and alike(part) for key, part in value.items())
    if kind is functools.partial:
        return not vars(value) and all(map(alike, (value.func, value.args, value.keywords)))
    if kind is types.MethodType:
        return is_shared(value.__func__, {}) and isinstance(value.__self__, torch.nn.Module) and alike(value.__self__)
    if kind in (torch.Tensor, torch.nn.Parameter):
        if id(value) not in registered or vars(value) or value._backward_hooks:
            return False
        if value.grad is not None or not value.is_leaf or value.layout is not torch.strided:
            return False
        place = value.untyped_storage().data_ptr()
        own = place == 0 or place not in storages
        storages.add(place)
        return own
    if not isinstance(value, torch.nn.Module):
        return False
    for one in kind.__mro__:
        if one is not object and not one.__module__.startswith("torch.") and OWN_WAYS & vars(one).keys():
            return False
    held = dict(vars(value))
    if isinstance(value, torch.nn.RNNBase):
        held.pop("_flat_weight_refs", None)  # made anew by its __setstate__
    return all(map(alike, held.values()))

def copies_alike(model):
    try:
        if not isinstance(model, torch.nn.Module):
            return False
        return is_alike(model, {}, set(), {id(tensor) for tensor in (*model.parameters(), *model.buffers())})
    except Exception:
        return False  # an attribute that cannot be looked at
)";

}  // namespace

bool copies_alike(const py::object& model) {
  py::dict scope;
  scope["__builtins__"] = py::module_::import("builtins");
  py::exec(kSource, scope);
  return scope["copies_alike"](model).cast<bool>();
}

py::object deep_copy(const py::object& model) { return py::module_::import("copy").attr("deepcopy")(model); }

}  // namespace kernel_audit::worker
