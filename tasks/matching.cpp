#include "tasks/matching.h"

#include <map>

#include "tasks/loaders/names.h"

namespace kernel_audit::tasks {
namespace {

std::string last_component(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string::npos ? name : name.substr(slash + 1);
}

std::string without_extension(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
}

// Names to keys; a name that two tasks share leads nowhere.
class Index {
 public:
  explicit Index(const std::vector<Task>& tasks) {
    for (const Task& task : tasks) {
      keys_[task.key()] = task.key();
      add(names_, task.name, task.key());
      if (last_component(task.name) != task.name) add(names_, last_component(task.name), task.key());
      if (task.id > 0) add(ids_, task.id, task.key());
    }
  }

  std::string find(const Candidate& candidate) const {
    if (keys_.contains(candidate.task_key)) return candidate.task_key;
    const std::string own = last_component(candidate.name);
    for (const std::string& name :
         {candidate.task_key, candidate.name, without_extension(candidate.name), own, without_extension(own)}) {
      const auto it = names_.find(name);
      if (it != names_.end() && !it->second.empty()) return it->second;
    }
    if (!candidate.task_key.empty()) return "";  // it names a task, and that task is not here
    if (const auto id = leading_id(own)) {
      const auto it = ids_.find(*id);
      if (it != ids_.end() && !it->second.empty()) return it->second;
    }
    return keys_.size() == 1 ? keys_.begin()->first : "";
  }

 private:
  template <typename Key>
  static void add(std::map<Key, std::string>& map, const Key& name, const std::string& key) {
    const auto [it, is_new] = map.emplace(name, key);
    if (!is_new && it->second != key) it->second.clear();
  }

  std::map<std::string, std::string> keys_, names_;
  std::map<int, std::string> ids_;
};

}  // namespace

void match_candidates(std::vector<Candidate>& candidates, const std::vector<Task>& tasks) {
  const Index index(tasks);
  for (Candidate& candidate : candidates) {
    std::string key = index.find(candidate);
    if (key.empty()) {
      const std::string wanted = candidate.task_key.empty() ? candidate.name : candidate.task_key;
      candidate.note +=
          (candidate.note.empty() ? "" : "; ") + ("no task for it: " + wanted + " is not among the tasks");
    }
    candidate.task_key = std::move(key);
  }
}

}  // namespace kernel_audit::tasks
