#include "tasks/selection.h"

#include <algorithm>

#include "tasks/loaders/names.h"

namespace kernel_audit::tasks {
namespace {

std::string last_component(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string::npos ? name : name.substr(slash + 1);
}

}  // namespace

bool Selection::wants_level(int level) const {
  return options_.levels.empty() ||
         std::find(options_.levels.begin(), options_.levels.end(), level) != options_.levels.end();
}

bool Selection::wants_any(const std::set<std::string>& names) {
  if (options_.ids.empty()) return true;
  bool wanted = false;
  for (const std::string& id : options_.ids) {
    if (!names.contains(id)) continue;
    used_.insert(id);
    wanted = true;
  }
  return wanted;
}

bool Selection::wants(const Task& task) {
  if (!wants_level(task.level)) return false;
  std::set<std::string> names = {task.key(), task.name, last_component(task.name)};
  // One configuration of several answers to the name that they share.
  if (const std::size_t at = task.name.rfind('@'); at != std::string::npos && !task.configuration.is_null()) {
    names.insert({task.name.substr(0, at), last_component(task.name.substr(0, at))});
  }
  if (task.id > 0) names.insert(std::to_string(task.id));
  return wants_any(names);
}

bool Selection::wants(const Candidate& candidate) {
  const std::size_t slash = candidate.task_key.find('/');
  const auto level = slash == std::string::npos ? std::nullopt : parse_number(candidate.task_key.substr(0, slash));
  const auto id = slash == std::string::npos ? std::nullopt : parse_number(candidate.task_key.substr(slash + 1));
  if (level && id && !wants_level(*level)) return false;
  std::set<std::string> names = {candidate.name, last_component(candidate.name)};
  if (!candidate.task_key.empty()) names.insert(candidate.task_key);
  if (level && id) {
    names.insert(std::to_string(*id));
  } else if (const auto leading = leading_id(last_component(candidate.name))) {
    names.insert(std::to_string(*leading));
  }
  return wants_any(names);
}

std::vector<std::string> Selection::unused_ids() const {
  std::vector<std::string> unused;
  for (const std::string& id : options_.ids) {
    if (!used_.contains(id)) unused.push_back(id);
  }
  return unused;
}

std::string Selection::describe() const {
  std::string text;
  const auto add = [&](const std::string& part, bool first, const char* option) {
    text += first ? std::string(text.empty() ? "" : " ") + option + " " + part : "," + part;
  };
  for (std::size_t i = 0; i < options_.levels.size(); ++i) add(std::to_string(options_.levels[i]), i == 0, "--level");
  for (std::size_t i = 0; i < options_.ids.size(); ++i) add(options_.ids[i], i == 0, "--ids");
  return text;
}

}  // namespace kernel_audit::tasks
