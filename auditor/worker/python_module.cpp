#include "auditor/worker/python_module.h"

#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/python_variable.h>

#include <atomic>
#include <filesystem>
#include <utility>

#include "auditor/worker/model_copy.h"
#include "auditor/worker/python_values.h"

namespace py = pybind11;
namespace fs = std::filesystem;

namespace kernel_audit::worker {
namespace {

constexpr std::size_t kMaxMessage = 2000;

bool speaks_of_memory(const std::string& message) {
  return message.rfind("MemoryError", 0) == 0 || message.find("OutOfMemory") != std::string::npos ||
         message.find("out of memory") != std::string::npos ||
         message.find("can't allocate memory") != std::string::npos;
}

Error failure(const std::string& path, const std::string& doing, std::string message, std::string place) {
  const ErrorKind kind = speaks_of_memory(message) ? ErrorKind::kMemory : ErrorKind::kExit;
  if (message.size() > kMaxMessage) message = message.substr(0, kMaxMessage) + " …";
  return {kind, doing + " failed: " + message, path, std::move(place), ""};
}

// The innermost frame in the user's file or in a file beside it, as "file:line".
std::string place_of(const py::error_already_set& error, const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string() + "/";
  std::string place;
  for (py::object at = error.trace(); at && !at.is_none(); at = at.attr("tb_next")) {
    const auto file = at.attr("tb_frame").attr("f_code").attr("co_filename").cast<std::string>();
    if (file.rfind(folder, 0) == 0) place = file + ":" + std::to_string(at.attr("tb_lineno").cast<int>());
  }
  if (place.empty() && error.matches(PyExc_SyntaxError) && py::hasattr(error.value(), "lineno") &&
      !error.value().attr("lineno").is_none()) {
    place = path + ":" + std::to_string(error.value().attr("lineno").cast<int>());
  }
  return place;
}

// A candidate's exception may raise again when it is printed.
template <typename Text>
std::string printed(Text text, const char* otherwise) {
  try {
    return text();
  } catch (const std::exception&) {
    return otherwise;
  }
}

Error to_error(const py::error_already_set& error, const std::string& path, const std::string& doing) {
  const std::string type = printed([&] { return error.type().attr("__name__").cast<std::string>(); }, "exception");
  const std::string value =
      printed([&] { return py::str(error.value()).cast<std::string>(); }, "a value that cannot be printed");
  return failure(path, doing, type + ": " + value, printed([&] { return place_of(error, path); }, ""));
}

// Runs `body` with the GIL, turning exceptions of Python and of torch into Errors.
template <typename T, typename Body>
Result<T> guarded(const std::string& path, const std::string& doing, Body&& body) {
  const py::gil_scoped_acquire gil;
  try {
    return body();
  } catch (const py::error_already_set& error) {
    return to_error(error, path, doing);
  } catch (const std::exception& error) {
    return failure(path, doing, error.what(), "");
  }
}

// A Python object that is released with the GIL held, wherever its owner dies.
class Held {
 public:
  explicit Held(py::object object) : object_(std::move(object)) {}
  Held(Held&&) = default;
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() {
    const py::gil_scoped_acquire gil;
    object_ = py::object();
  }
  py::object& get() { return object_; }

 private:
  py::object object_;
};

py::list objects_of(const std::vector<Argument>& arguments) {
  py::list list;
  for (const Argument& argument : arguments) list.append(object_of(argument));
  return list;
}

const char* cast_method(at::ScalarType type) {
  switch (type) {
    case at::kDouble:
      return "double";
    case at::kHalf:
      return "half";
    case at::kBFloat16:
      return "bfloat16";
    default:
      return "float";
  }
}

class PythonInstance final : public ModelInstance {
 public:
  PythonInstance(py::object instance, std::string path) : instance_(std::move(instance)), path_(std::move(path)) {}

  Result<std::vector<at::Tensor>> forward(const std::vector<Argument>& arguments) override {
    return guarded<std::vector<at::Tensor>>(path_, "forward", [&]() -> Result<std::vector<at::Tensor>> {
      const c10::AutoGradMode no_grad(false);
      const py::object returned = instance_.get()(*objects_of(arguments));
      std::vector<at::Tensor> outputs;
      const std::string foreign = flatten(returned, outputs, subclass_outputs_);
      if (!foreign.empty()) {
        return Error{ErrorKind::kProtocol, "forward returned a " + foreign + ", which is no tensor.", path_, "", ""};
      }
      return outputs;
    });
  }

  std::vector<StateEntry> state() override {
    std::vector<StateEntry> entries;
    const Status listed = guarded<Ok>(path_, "Listing the state", [&]() -> Status {
      if (!py::hasattr(instance_.get(), "named_parameters")) return Ok{};
      for (const bool parameters : {true, false}) {
        for (const py::handle item : instance_.get().attr(parameters ? "named_parameters" : "named_buffers")()) {
          const auto pair = py::reinterpret_borrow<py::tuple>(item);
          if (!THPVariable_Check(py::object(pair[1]).ptr())) continue;
          entries.push_back(
              {pair[0].cast<std::string>(), THPVariable_Unpack(py::object(pair[1]).ptr()).detach(), parameters});
        }
      }
      return Ok{};
    });
    if (!listed) entries.clear();
    return entries;
  }

  Status to(const std::string& device, std::optional<at::ScalarType> floating_dtype) override {
    return guarded<Ok>(path_, "Moving the model", [&]() -> Status {
      if (!py::hasattr(instance_.get(), "to")) return Ok{};
      instance_.get() = instance_.get().attr("to")(device);
      if (floating_dtype) instance_.get() = instance_.get().attr(cast_method(*floating_dtype))();
      return Ok{};
    });
  }

  void set_training(bool training) override {
    static_cast<void>(guarded<Ok>(path_, "train()", [&]() -> Status {
      if (py::hasattr(instance_.get(), "train")) instance_.get().attr("train")(training);
      return Ok{};
    }));
  }

  int subclass_outputs() const override { return subclass_outputs_; }

  bool copies_alike() override {
    const auto alike = guarded<bool>(path_, "Looking at the model",
                                     [&]() -> Result<bool> { return worker::copies_alike(instance_.get()); });
    return alike && *alike;
  }

  Result<std::unique_ptr<ModelInstance>> copy() override {
    using Made = std::unique_ptr<ModelInstance>;
    return guarded<Made>(path_, "Copying the model", [&]() -> Result<Made> {
      return Made(std::make_unique<PythonInstance>(deep_copy(instance_.get()), path_));
    });
  }

 private:
  Held instance_;
  std::string path_;
  int subclass_outputs_ = 0;
};

class LoadedModule final : public PythonModule {
 public:
  LoadedModule(py::object module, std::string path, bool bare)
      : module_(std::move(module)), path_(std::move(path)), bare_(bare) {}

  Result<std::vector<Argument>> call_get_inputs() override { return call("get_inputs"); }

  Result<std::vector<Argument>> call_get_init_inputs() override {
    if (!has("get_init_inputs")) return std::vector<Argument>();
    return call("get_init_inputs");
  }

  bool has(const std::string& name) override {
    const py::gil_scoped_acquire gil;
    return py::hasattr(module_.get(), bare_ ? "forward" : name.c_str());
  }

  Result<std::unique_ptr<ModelInstance>> construct(const std::string& class_name,
                                                   const std::vector<Argument>& init_arguments) override {
    using Made = std::unique_ptr<ModelInstance>;
    return guarded<Made>(path_, class_name + "()", [&]() -> Result<Made> {
      const char* name = bare_ ? "forward" : class_name.c_str();
      if (!py::hasattr(module_.get(), name)) {
        return Error{ErrorKind::kUsage, std::string("The module defines no ") + name + ".", path_, name, ""};
      }
      py::object made = module_.get().attr(name);
      if (!bare_) made = made(*objects_of(init_arguments));
      return Made(std::make_unique<PythonInstance>(std::move(made), path_));
    });
  }

 private:
  Result<std::vector<Argument>> call(const char* name) {
    using Arguments = std::vector<Argument>;
    return guarded<Arguments>(path_, std::string(name) + "()", [&]() -> Result<Arguments> {
      if (bare_ || !py::hasattr(module_.get(), name)) {
        return Error{ErrorKind::kUsage, std::string("The module defines no ") + name + ".", path_, name, ""};
      }
      const py::object returned = module_.get().attr(name)();
      if (THPVariable_Check(returned.ptr())) return Arguments{argument_of(returned)};
      Arguments arguments;
      for (const py::handle item : returned) arguments.push_back(argument_of(item));
      return arguments;
    });
  }

  Held module_;
  std::string path_;
  bool bare_;  // built from a .cu or .cpp file: its function `forward` is the model
};

std::string next_name(const std::string& base) {
  static std::atomic<int> count{0};
  return base + "_" + std::to_string(++count);
}

py::object load_python(const std::string& path, const std::string& name) {
  const py::object util = py::module_::import("importlib.util");
  const py::object spec = util.attr("spec_from_file_location")(name, path);
  if (spec.is_none()) throw std::runtime_error("the file is no Python module");
  const py::module_ sys = py::module_::import("sys");
  // Last, so that files beside it can be imported and hide nothing.
  py::list search = sys.attr("path");
  const py::str folder(fs::path(path).parent_path().string());
  if (!search.contains(folder)) search.append(folder);
  py::object module = util.attr("module_from_spec")(spec);
  // Registered before it runs, as an import would: dataclasses, pickling and Triton look a class's module up.
  sys.attr("modules")[py::str(name)] = module;
  spec.attr("loader").attr("exec_module")(module);
  return module;
}

// The name depends on the file alone, so that a build is found again by the next process.
py::object load_bare(const std::string& path) {
  std::string name = "kernel_audit_" + fs::path(path).stem().string();
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  py::list sources;
  sources.append(path);
  return py::module_::import("torch.utils.cpp_extension")
      .attr("load")(py::arg("name") = name, py::arg("sources") = sources);
}

}  // namespace

Result<std::unique_ptr<PythonModule>> PythonModule::load(const std::string& path, const std::string& module_name) {
  using Loaded = std::unique_ptr<PythonModule>;
  const std::string absolute = fs::absolute(path).string();
  const std::string extension = fs::path(path).extension().string();
  const bool bare = extension == ".cu" || extension == ".cpp" || extension == ".cc";
  return guarded<Loaded>(absolute, bare ? "Building" : "Importing", [&]() -> Result<Loaded> {
    py::object module = bare ? load_bare(absolute) : load_python(absolute, next_name(module_name));
    return Loaded(std::make_unique<LoadedModule>(std::move(module), absolute, bare));
  });
}

void seed_everything(std::uint64_t seed) {
  const py::gil_scoped_acquire gil;
  try {
    py::module_::import("torch").attr("manual_seed")(seed & 0x7fffffffffffffffULL);
    py::module_::import("random").attr("seed")(seed);
    const py::dict modules = py::module_::import("sys").attr("modules");
    // numpy takes 32 bits.
    if (modules.contains("numpy")) modules["numpy"].attr("random").attr("seed")(seed & 0xffffffffULL);
  } catch (py::error_already_set& error) {
    // A candidate can make any of these fail; what then draws other numbers is seen in its outputs.
    error.discard_as_unraisable("seed_everything");
  }
}

std::optional<std::int64_t> state_of_other_generators() {
  const py::gil_scoped_acquire gil;
  try {
    py::list states;
    states.append(py::module_::import("random").attr("getstate")());
    const py::dict modules = py::module_::import("sys").attr("modules");
    if (modules.contains("numpy")) states.append(py::repr(modules["numpy"].attr("random").attr("get_state")()));
    return static_cast<std::int64_t>(py::hash(py::tuple(states)));
  } catch (py::error_already_set& error) {
    error.discard_as_unraisable("state_of_other_generators");
    return std::nullopt;
  }
}

}  // namespace kernel_audit::worker
