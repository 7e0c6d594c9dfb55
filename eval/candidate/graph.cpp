#include "eval/candidate/graph.h"

#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <utility>

namespace py = pybind11;

namespace kernel_audit::eval::candidate {
namespace {

Error cannot(const char* what, const std::exception& e) {
  std::string why = e.what();
  if (why.size() > 1000) why.resize(1000);
  return {ErrorKind::kTool, std::string(what) + ": " + why, "", "", ""};
}

class TorchGraph final : public Graph {
 public:
  explicit TorchGraph(py::object graph) : graph_(std::move(graph)) {}
  ~TorchGraph() override {
    const py::gil_scoped_acquire gil;
    graph_ = py::object();
  }

  Status replay() override {
    const py::gil_scoped_acquire gil;
    try {
      graph_.attr("replay")();
      return Ok{};
    } catch (const std::exception& e) {
      return cannot("The graph could not be replayed", e);
    }
  }

 private:
  py::object graph_;
};

}  // namespace

Result<std::unique_ptr<Graph>> Graph::capture(const std::function<Status(void* stream)>& body) {
  const py::gil_scoped_acquire gil;
  try {
    const py::object cuda = py::module_::import("torch.cuda");
    py::object graph = cuda.attr("CUDAGraph")();
    const py::object capturing = cuda.attr("graph")(graph);
    capturing.attr("__enter__")();
    const auto stream = cuda.attr("current_stream")().attr("cuda_stream").cast<std::uintptr_t>();
    const Status done = body(reinterpret_cast<void*>(stream));
    // The capture must be ended in any case. When the body failed, its reason is the one to tell.
    try {
      capturing.attr("__exit__")(py::none(), py::none(), py::none());
    } catch (const std::exception&) {
      if (!done) return done.error();
      throw;
    }
    if (!done) return done.error();
    return std::unique_ptr<Graph>(std::make_unique<TorchGraph>(std::move(graph)));
  } catch (const std::exception& e) {
    return cannot("The calls cannot be captured as a graph", e);
  }
}

}  // namespace kernel_audit::eval::candidate
