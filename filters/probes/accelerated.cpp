#include "filters/probes/accelerated.h"

#include <pybind11/eval.h>
#include <pybind11/pybind11.h>
#include <torch/csrc/autograd/python_variable.h>

#include "auditor/process/device_turns.h"

namespace py = pybind11;

namespace kernel_audit::filters {
namespace {

// Defines measure(kind, model, inputs, be_alone). Each pass is synchronised, as eager passes are.
constexpr const char* kSource = R"(
import statistics, time, torch

def measure(kind, model, inputs, be_alone):
    cuda = any(isinstance(x, torch.Tensor) and x.is_cuda for x in inputs)
    wait = torch.cuda.synchronize if cuda else (lambda: None)
    with torch.no_grad():
        if kind == "graph":
            if not cuda:
                raise RuntimeError("graphs exist on CUDA devices only")
            side = torch.cuda.Stream()
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                for _ in range(3):
                    model(*inputs)
            torch.cuda.current_stream().wait_stream(side)
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                kept = model(*inputs)
            call = graph.replay
        else:
            compiled = torch.compile(model)
            call = lambda: compiled(*inputs)
            for _ in range(3):
                call()
        wait()
        be_alone()
        times, start = [], time.perf_counter()
        while len(times) < 30 and (len(times) < 3 or time.perf_counter() - start < 2):
            begin = time.perf_counter()
            call()
            wait()
            times.append(time.perf_counter() - begin)
        return 1e3 * statistics.median(times)
)";

std::string text_of(py::error_already_set& error) {
  const std::string text = error.what();
  return text.substr(0, text.find('\n'));
}

}  // namespace

Result<double> time_accelerated(const std::string& kind, const std::shared_ptr<void>& model,
                                const std::vector<worker::Argument>& inputs, process::DeviceTurns& turns) {
  const py::gil_scoped_acquire gil;
  if (!model) return Error{ErrorKind::kTool, "the model is no nn.Module", "", "", ""};
  try {
    py::list arguments;
    for (const worker::Argument& input : inputs) {
      if (input.tensor) {
        arguments.append(py::reinterpret_steal<py::object>(THPVariable_Wrap(*input.tensor)));
      } else if (input.object) {
        arguments.append(py::reinterpret_borrow<py::object>(static_cast<PyObject*>(input.object.get())));
      } else if (input.plain.is_number_integer()) {
        arguments.append(input.plain.get<std::int64_t>());
      } else if (input.plain.is_number()) {
        arguments.append(input.plain.get<double>());
      } else if (input.plain.is_boolean()) {
        arguments.append(input.plain.get<bool>());
      } else {
        return Error{ErrorKind::kTool, "an argument is neither a tensor nor a number", "", "", ""};
      }
    }
    py::dict scope;
    scope["__builtins__"] = py::module_::import("builtins");
    py::exec(kSource, scope);
    const auto module = py::reinterpret_borrow<py::object>(static_cast<PyObject*>(model.get()));
    std::optional<process::DeviceTurns::Alone> alone;
    const double time =
        scope["measure"](kind, module, arguments, py::cpp_function([&] { alone.emplace(turns); })).cast<double>();
    if (alone->missing()) return Error{ErrorKind::kTool, process::kNotAlone + *alone->missing(), "", "", ""};
    return time;
  } catch (py::error_already_set& error) {
    return Error{ErrorKind::kTool, text_of(error), "", "", ""};
  } catch (const std::exception& error) {
    return Error{ErrorKind::kTool, error.what(), "", "", ""};
  }
}

DefaultDevice::DefaultDevice(const std::string& device) {
  const py::gil_scoped_acquire gil;
  py::object context = py::module_::import("torch").attr("device")(device);
  context.attr("__enter__")();
  context_ = std::shared_ptr<void>(context.release().ptr(), [](void* object) {
    const py::gil_scoped_acquire release_gil;
    py::handle(static_cast<PyObject*>(object)).dec_ref();
  });
}

DefaultDevice::~DefaultDevice() {
  const py::gil_scoped_acquire gil;
  try {
    py::handle(static_cast<PyObject*>(context_.get())).attr("__exit__")(py::none(), py::none(), py::none());
  } catch (py::error_already_set&) {
    // The process ends with its task; there is nothing to put right.
  }
}

std::string device_name() {
  const py::gil_scoped_acquire gil;
  try {
    return py::module_::import("torch").attr("cuda").attr("get_device_name")(0).cast<std::string>();
  } catch (py::error_already_set&) {
    return "cuda";
  }
}

std::optional<std::uint64_t> peak_device_bytes() {
  const py::gil_scoped_acquire gil;
  try {
    return py::module_::import("torch").attr("cuda").attr("max_memory_allocated")(0).cast<std::uint64_t>();
  } catch (py::error_already_set&) {
    return std::nullopt;
  }
}

}  // namespace kernel_audit::filters
