// What the elements of tensors are, as far as what makes them says so.
#include <algorithm>

#include "analysis/facts/interpreter.h"

namespace kernel_audit::analysis::facts {

int Interpreter::argument_position(ObjectId tensor) const {
  const auto found = argument_objects_.find(tensor);
  return found == argument_objects_.end() ? -1 : found->second;
}

void Interpreter::note_element_type(const Abstract& made, const std::string& callee,
                                    const std::vector<Abstract>& operands, const Keywords& keywords) {
  ElementType type;
  // A dtype itself, or that of another tensor.
  const auto is_dtype = [&](const Abstract& value) {
    return std::any_of(value.objects.begin(), value.objects.end(),
                       [&](ObjectId id) { return object(id).kind == ObjectKind::kSymbol; }) ||
           std::any_of(value.nodes.begin(), value.nodes.end(), [&](NodeId id) {
             return graph_.at(id).kind == NodeKind::kMetadata && graph_.at(id).name.ends_with("dtype");
           });
  };
  for (const auto& [name, given] : keywords) {
    if (name == "dtype") type.asked = given;
  }
  const std::string last = callee.substr(callee.find_last_of(".:") + 1);
  if (last == "half" || last == "bfloat16" || last == "float" || last == "double") {
    type.asked = symbol("torch." + last);
  } else {
    for (std::size_t i = 1; i < operands.size(); ++i) {
      if (is_dtype(operands[i])) join(type.asked, operands[i]);
    }
  }
  const bool after_another = last.ends_with("_like") || last.starts_with("new_") ||
                             classify(callee).kind == OperationKind::kCopy ||
                             classify(callee).kind == OperationKind::kParameter || (last == "to" || last == "type");
  if (after_another && !operands.empty()) type.like = objects_of_kind(operands[0], ObjectKind::kTensor);
  for (const ObjectId id : objects_of_kind(made, ObjectKind::kTensor)) {
    ElementType& known = element_types[id];
    join(known.asked, type.asked);
    std::erase(type.like, id);
    merge_into(known.like, type.like);
  }
}

}  // namespace kernel_audit::analysis::facts
