#include "analysis/rules/returned_arguments.h"

#include <algorithm>

#include "analysis/rules/partial_work.h"

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

namespace {

// The only argument among several buffers of which the others are allocated in the call; -1 where it is not so.
facts::ObjectId argument_beside_own(const Model& model, const facts::Abstract& buffer) {
  facts::ObjectId argument = -1;
  if (buffer.open || buffer.partial || buffer.objects.size() < 2) return argument;
  for (const facts::ObjectId id : buffer.objects) {
    const facts::Object& object = model.run().object(id);
    const bool handed = model.run().argument_behind(id) >= 0;
    const bool own = object.kind == facts::ObjectKind::kTensor && object.phase == facts::Phase::kForward &&
                     !object.from_earlier_call;
    if (handed ? argument >= 0 : !own) return -1;
    if (handed) argument = id;
  }
  return argument;
}

// Whether a setting decides anything in a function and what it calls, other than at places that were `seen`.
bool settings_decide(const Model& model, facts::Id function, std::set<std::pair<facts::Id, facts::Id>>& seen) {
  if (function == facts::kNone || !seen.insert({function, facts::kNone}).second) return false;
  const auto& conditions = model.run().conditions;
  const facts::Function& code = model.function(function);
  for (std::size_t b = 0; b < code.blocks.size(); ++b) {
    const auto asked = conditions.find({function, static_cast<facts::Id>(b)});
    if (asked != conditions.end() && !seen.contains(asked->first) &&
        model.provenance().reaches(asked->second, facts::NodeKind::kConfiguration))
      return true;
    for (const facts::Statement& s : code.blocks[b].statements) {
      if (s.kind == facts::StatementKind::kCall && settings_decide(model, s.target, seen)) return true;
    }
  }
  return false;
}

// Whether a setting may say which buffer a launch is handed: any that does not say whether it is launched.
bool settings_choose(const Model& model, const LaunchPlace& launch) {
  std::set<std::pair<facts::Id, facts::Id>> seen;
  for (const facts::Guard& guard : model.guards_of(launch.first, launch.second))
    seen.emplace(guard.function, guard.block);
  return settings_decide(model, model.facts().entry_function, seen);
}

}  // namespace

std::vector<WrittenOnSomePaths> written_on_some_paths(const Model& model) {
  std::vector<WrittenOnSomePaths> found;
  for (const auto& [place, arguments] : model.run().launch_arguments) {
    const Id kernel = model.kernel_of(place.first);
    if (kernel == facts::kNone || repeated(model, place.first, place.second)) continue;
    if (settings_choose(model, place)) continue;
    const auto& access = model.access(kernel);
    if (!access.known || !access.precise) continue;
    for (std::size_t p = 0; p < arguments.size() && p < access.written.size(); ++p) {
      const facts::ObjectId argument = access.written[p] ? argument_beside_own(model, arguments[p]) : -1;
      const auto& own = arguments[p].objects;
      const auto takes_along = [&](const facts::EntryReturn& each) {
        return std::includes(each.value.objects.begin(), each.value.objects.end(), own.begin(), own.end());
      };
      const bool returned = argument >= 0 && std::any_of(model.returns().begin(), model.returns().end(), takes_along);
      if (returned) found.push_back({place.first, model.run().argument_behind(argument)});
    }
  }
  return found;
}

}  // namespace kernel_audit::analysis::rules
