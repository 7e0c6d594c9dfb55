// A KernelBench checkout, its KernelBench/ or tasks/ folder, or one of its level folders:
// level<N>/<id>_<Name>.py or level_<N>/<id>_<Name>.py. As candidates: the same tree holding ModelNew.
#include <algorithm>
#include <iterator>
#include <map>

#include "tasks/loaders/builders.h"
#include "tasks/loaders/formats.h"
#include "tasks/loaders/listing.h"
#include "tasks/loaders/names.h"
#include "tasks/loaders/text_file.h"

namespace kernel_audit::tasks {
namespace {

bool has_numbered_file(const std::string& directory) {
  const auto listing = list_directory(directory);
  if (!listing) return false;
  return std::any_of(listing->files.begin(), listing->files.end(), [](const std::string& name) {
    return has_extension(name, ".py") && leading_id(name).has_value();
  });
}

// Level folders of the tree that `place` is part of; empty when it is none.
std::map<int, Place> level_folders(const Place& place) {
  std::map<int, Place> levels;
  if (const auto level = level_of_directory(place.base_name()); level && has_numbered_file(place.path)) {
    levels.emplace(*level, place);
    return levels;
  }
  for (const char* inner : {"KernelBench", "tasks", ""}) {
    const Place root = *inner ? place.child(inner, true) : place;
    const auto listing = list_directory(root.path);
    if (!listing) continue;
    for (const std::string& name : listing->directories) {
      const auto level = level_of_directory(name);
      const Place folder = root.child(name, true);
      if (level && has_numbered_file(folder.path)) levels.emplace(*level, folder);
    }
    if (!levels.empty()) return levels;
  }
  return levels;
}

bool wanted(const LoadOptions& options, int level) {
  return options.levels.empty() ||
         std::find(options.levels.begin(), options.levels.end(), level) != options.levels.end();
}

// Calls `use` for each numbered file, by level and id.
template <typename Use>
void each_file(const Place& place, LoadContext& context, const Use& use) {
  for (const auto& [level, folder] : level_folders(place)) {
    if (!wanted(context.options, level)) continue;
    std::multimap<int, std::string> files;
    for (const std::string& name : list_or_report(folder, context).files) {
      if (!is_python_entry(name)) continue;
      if (const auto id = leading_id(name)) {
        files.emplace(*id, name);
      } else {
        context.problem({ErrorKind::kUsage, "the file name does not begin with a task number and '_'",
                         folder.child(name, false).path, "", "rename it to <id>_<Name>.py, or move it away"});
      }
    }
    for (const auto& [id, name] : files) use(level, id, folder.child(name, false));
  }
}

bool recognises(const Place& place) { return place.is_directory && !level_folders(place).empty(); }

void load_tree_tasks(const Place& place, LoadContext& context, std::vector<Task>& tasks) {
  each_file(place, context, [&](int level, int id, const Place& file) {
    if (auto source = read_source(file, context)) {
      tasks.push_back(make_task("kernelbench", level, id, stem(file.path), std::move(*source)));
    }
  });
}

void load_tree_candidates(const Place& place, LoadContext& context, std::vector<Candidate>& candidates) {
  std::vector<Candidate> found;
  bool any = false;
  each_file(place, context, [&](int level, int id, const Place& file) {
    if (auto source = read_source(file, context)) {
      any = any || source->text.find("class ModelNew") != std::string::npos;
      const std::string name = "level" + std::to_string(level) + "/" + stem(file.path);
      found.push_back(make_candidate(name, task_key(level, id), std::move(*source)));
    }
  });
  if (any) {
    candidates.insert(candidates.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
    return;
  }
  // The tasks themselves: what is asked about may lie beside them.
  const std::size_t before = candidates.size();
  if (!level_of_directory(place.base_name())) directory_loader().load_candidates(place, context, candidates);
  if (candidates.size() == before && place.relative.empty())
    context.problem({ErrorKind::kUsage, "holds tasks, and no candidate: no file of it defines ModelNew", place.path, "",
                     "name the folder that holds the candidates"});
}

}  // namespace

Loader kernelbench_tree_loader() {
  return {"kernelbench-tree",
          "a KernelBench checkout, or one of its level<N> folders of <id>_<Name>.py files",
          40,
          recognises,
          load_tree_tasks,
          load_tree_candidates};
}

}  // namespace kernel_audit::tasks
