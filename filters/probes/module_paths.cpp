#include "filters/probes/module_paths.h"

#include <pybind11/pybind11.h>

#include <unordered_map>

namespace py = pybind11;

namespace kernel_audit::filters {

// Hidden like the pybind11 types in it.
struct __attribute__((visibility("hidden"))) ModulePaths::State {
  std::vector<ModuleInfo> modules;
  std::unordered_map<PyObject*, std::size_t> index;  // borrowed: compared, never followed
  std::vector<std::size_t> running;
  py::object before, after;  // handles of the hooks
  py::object root;
  std::size_t unknown = 0;  // entry for modules that the model does not list

  void learn(const py::object& model) {
    modules.clear();
    index.clear();
    root = model;
    for (const py::handle item : model.attr("named_modules")()) {
      const auto pair = py::reinterpret_borrow<py::tuple>(item);
      const py::object module = pair[1];
      ModuleInfo info;
      info.path = pair[0].cast<std::string>();
      info.type = py::type::of(module).attr("__name__").cast<std::string>();
      info.parameters = static_cast<int>(py::len(module.attr("_parameters")));
      info.children = static_cast<int>(py::len(module.attr("_modules")));
      index.try_emplace(module.ptr(), modules.size());
      modules.push_back(std::move(info));
    }
    unknown = modules.size();
    modules.push_back({"(a module that the model does not list)", "", 0, 0, true});
  }

  void enter(const py::object& module) {
    if (running.empty()) learn(module);
    const auto found = index.find(module.ptr());
    running.push_back(found == index.end() ? unknown : found->second);
    modules[running.back()].called = true;
  }

  void leave() {
    if (!running.empty()) running.pop_back();
  }
};

ModulePaths::ModulePaths() : state_(std::make_shared<State>()) {
  const py::gil_scoped_acquire gil;
  const py::module_ hooks = py::module_::import("torch.nn.modules.module");
  State* const state = state_.get();
  state->before = hooks.attr("register_module_forward_pre_hook")(
      py::cpp_function([state](const py::object& module, const py::object&) { state->enter(module); }));
  // always_call: forward may raise, and a task may catch what a child raised.
  state->after = hooks.attr("register_module_forward_hook")(
      py::cpp_function([state](const py::object&, const py::object&, const py::object&) { state->leave(); }),
      py::arg("always_call") = true);
}

ModulePaths::~ModulePaths() {
  const py::gil_scoped_acquire gil;
  state_->root = py::object();
  for (py::object* handle : {&state_->before, &state_->after}) {
    try {
      handle->attr("remove")();
    } catch (py::error_already_set& error) {
      error.discard_as_unraisable("ModulePaths");
    }
    *handle = py::object();
  }
}

bool ModulePaths::inside() const { return !state_->running.empty(); }

const ModuleInfo& ModulePaths::innermost() const {
  static const ModuleInfo none;
  return state_->running.empty() ? none : state_->modules[state_->running.back()];
}

std::shared_ptr<void> ModulePaths::model() const {
  const py::gil_scoped_acquire gil;
  if (!state_->root) return nullptr;
  return {py::object(state_->root).release().ptr(), [](void* object) {
            const py::gil_scoped_acquire held;
            py::reinterpret_steal<py::object>(static_cast<PyObject*>(object));
          }};
}

const std::vector<ModuleInfo>& ModulePaths::modules() const { return state_->modules; }

}  // namespace kernel_audit::filters
