#include "eval/referee/weights.h"

#include <map>

namespace kernel_audit::eval {
namespace {

// Entries that do not have the form of the protocol are left out: they cannot be the reference's.
std::map<std::string, StateDigest> read_state(const Json& loaded) {
  std::map<std::string, StateDigest> state;
  if (!loaded.is_array()) return state;
  for (const Json& item : loaded) {
    try {
      StateDigest entry{item.at("name").get<std::string>(), item.at("dtype").get<std::string>(),
                        item.at("sha256").get<std::string>(), item.at("shape").get<std::vector<std::int64_t>>()};
      state[entry.name] = std::move(entry);
    } catch (const Json::exception&) {
      continue;
    }
  }
  return state;
}

}  // namespace

StateComparison compare_state(const std::vector<StateDigest>& reference, const Json& loaded) {
  const auto state = read_state(loaded);
  StateComparison result;
  std::size_t absent = 0;
  for (const StateDigest& expected : reference) {
    const auto found = state.find(expected.name);
    if (found == state.end() || found->second.shape != expected.shape || found->second.dtype != expected.dtype) {
      ++absent;
    } else if (found->second.sha256 != expected.sha256) {
      result.to_copy.push_back(expected.name);
    }
  }
  if (absent > 0) {
    result.note =
        std::to_string(absent) + " of " + std::to_string(reference.size()) +
        " weights of the reference are not in the candidate's state under the same name, shape and dtype; only "
        "equal seeding makes their values equal.";
  }
  if (!result.to_copy.empty()) {
    result.note += (result.note.empty() ? "" : " ") + std::to_string(result.to_copy.size()) + " of " +
                   std::to_string(reference.size()) +
                   " weights had other values under equal seeding and were copied from the reference.";
  }
  return result;
}

}  // namespace kernel_audit::eval
