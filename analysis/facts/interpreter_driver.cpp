// CUDA's runtime and driver where they hand something out: functions found by name, kernels behind handles, maps of
// tensors, textures, graphs that are put together node by node.
#include "analysis/facts/interpreter.h"

namespace kernel_audit::analysis::facts {

std::optional<Abstract> Interpreter::apply_driver(const std::string& callee, std::vector<Abstract>& operands,
                                                  const CallSite& site) {
  const std::string name = library_function(callee, site);
  if (!name.starts_with("cu")) return std::nullopt;
  const auto hand_out = [&](std::size_t place, const Abstract& made) {
    store_through(place, made, site);
    return open_value({});
  };
  if (name == "cudaGetFuncBySymbol" && operands.size() > 1) return hand_out(0, operands[1]);
  if ((name.starts_with("cudaGetDriverEntryPoint") || name == "cuGetProcAddress") && operands.size() > 1) {
    const auto wanted = text_of(operands[0]);
    return hand_out(1, wanted ? symbol(*wanted) : unknown("which function of the driver is asked for", site));
  }
  // Whether a graph is being captured, only the run tells.
  if (name.find("StreamIsCapturing") != std::string::npos || name.find("StreamGetCaptureInfo") != std::string::npos) {
    store_through(1, open_value({}), site);
    return std::nullopt;
  }
  // The map is another form of the buffer's address.
  if (name.starts_with("cuTensorMapEncode") && operands.size() > 3) return hand_out(0, operands[3]);
  if ((name.starts_with("cudaCreateTexture") || name.starts_with("cudaCreateSurface")) && operands.size() > 1) {
    Abstract memory;
    memory.objects = held_buffers(operands[1], true);
    return hand_out(0, memory.objects.empty() ? unknown("what a texture lies on is not known", site) : memory);
  }
  if (name == "cudaGraphCreate" || name == "cuGraphCreate")
    return hand_out(0, of_object(make_object(ObjectKind::kGraph, site.where, site.context, 3)));
  const bool node = name.starts_with("cudaGraphAdd") || name.starts_with("cuGraphAdd");
  if (node && name.find("Node") != std::string::npos) return add_node(operands, site);
  return std::nullopt;
}

// A node put into a graph by hand: the kernel, copy or fill of it works on the buffers that its parameters hold.
Abstract Interpreter::add_node(const std::vector<Abstract>& operands, const CallSite& site) {
  const NodeId node = graph_.node(NodeKind::kLaunch, site.where, site.context, 5);
  graph_.at(node).name = "a node of a graph";
  graph_.at(node).phase = phase_;
  ObjectSet held, graphs;
  for (const Abstract& operand : operands) {
    merge_into(graphs, objects_of_kind(operand, ObjectKind::kGraph));
    merge_into(held, objects_of_kind(operand, ObjectKind::kTensor));
    merge_into(held, held_buffers(operand, true));
    for (const ObjectId owner : operand.objects) {
      for (const ObjectId id : objects_of_kind(all_fields(owner), ObjectKind::kFunction))
        graph_.at(node).kernel = object(id).function;
    }
  }
  if (graph_.at(node).kernel != kNone)
    graph_.at(node).name = facts_.functions[static_cast<std::size_t>(graph_.at(node).kernel)].qualified_name;
  for (const ObjectId id : held) graph_.add_slot(node, 0, read_contents(state_, {id}));
  const ObjectSet filled = filled_by(node, held);
  for (const ObjectId graph : graphs) {
    Capture& capture = captures_[graph];
    insert_into(capture.nodes, node);
    merge_into(capture.read, held);
    for (const ObjectId id : filled) capture.written.insert({id});
  }
  return open_value({});
}

}  // namespace kernel_audit::analysis::facts
