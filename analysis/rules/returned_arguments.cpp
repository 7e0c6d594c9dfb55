#include "analysis/rules/returned_arguments.h"

#include <algorithm>

namespace kernel_audit::analysis::rules {

std::set<int> written_and_returned(const facts::Model& model, const facts::EntryReturn& returned) {
  std::set<int> positions;
  for (const facts::ObjectId id : returned.value.objects) {
    if (model.run().object(id).kind != facts::ObjectKind::kTensor) continue;
    const auto argument = model.run().argument_objects().find(id);
    if (argument == model.run().argument_objects().end()) return {};
    positions.insert(argument->second);
  }
  std::erase_if(positions, [&](int position) {
    const auto& writes = model.run().argument_writes;
    return std::none_of(writes.begin(), writes.end(), [&](const auto& each) { return each.second.contains(position); });
  });
  return positions;
}

std::set<int> written_and_returned(const facts::Model& model) {
  std::set<int> positions;
  for (const facts::EntryReturn& returned : model.returns()) positions.merge(written_and_returned(model, returned));
  return positions;
}

}  // namespace kernel_audit::analysis::rules
