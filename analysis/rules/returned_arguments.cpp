#include "analysis/rules/returned_arguments.h"

#include <algorithm>

namespace kernel_audit::analysis::rules {

using facts::Id;
using facts::Model;

std::set<int> written_and_returned(const Model& model, const facts::EntryReturn& returned) {
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

std::set<int> written_and_returned(const Model& model) {
  std::set<int> positions;
  for (const facts::EntryReturn& returned : model.returns()) positions.merge(written_and_returned(model, returned));
  return positions;
}

std::vector<WrittenInTurn> written_in_turn(const Model& model) {
  std::vector<WrittenInTurn> found;
  for (const auto& [place, arguments] : model.run().launch_arguments) {
    const Id kernel = model.kernel_of(place.first);
    if (kernel == facts::kNone) continue;
    const auto& access = model.access(kernel);
    if (!access.known || !access.precise) continue;
    const auto pair = [&](std::size_t p) { return arguments[p].objects.size() == 2 && !arguments[p].open; };
    for (std::size_t p = 0; p < arguments.size() && p < access.written.size(); ++p) {
      if (!access.written[p] || access.read[p] || !pair(p)) continue;
      const facts::ObjectSet& both = arguments[p].objects;
      const bool read = std::any_of(arguments.begin(), arguments.end(), [&](const facts::Abstract& each) {
        const auto q = static_cast<std::size_t>(&each - arguments.data());
        return q != p && q < access.read.size() && access.read[q] && !access.written[q] && each.objects == both;
      });
      const int first = model.run().argument_behind(both[0]), second = model.run().argument_behind(both[1]);
      if (read && (first < 0) != (second < 0))
        found.push_back({place.first, std::max(first, second), first < 0 ? both[0] : both[1]});
    }
  }
  return found;
}

}  // namespace kernel_audit::analysis::rules
