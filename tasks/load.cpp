// load_tasks and load_candidates: find the loader, let it read, then select, make names unique and sum up problems.
#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

#include "tasks/loaders/listing.h"
#include "tasks/loaders/loader.h"
#include "tasks/selection.h"
#include "tasks/task.h"

namespace kernel_audit::tasks {
namespace {

// Names end up in reports and file names, and records may come from anyone: no control characters, no way up.
std::string clean_name(std::string name) {
  for (char& c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  while (name.starts_with('/')) name.erase(0, 1);
  for (std::size_t at = 0; (at = ("/" + name + "/").find("/../", at)) != std::string::npos;) name.replace(at, 2, "__");
  return name.empty() ? "unnamed" : name;
}

// "x", "x#2", "x#3", …, never one that another entry has by itself.
template <typename Entry>
void make_names_unique(std::vector<Entry>& entries) {
  std::set<std::string> taken;
  for (const Entry& entry : entries) taken.insert(entry.name);
  std::map<std::string, int> seen;
  for (Entry& entry : entries) {
    int& count = seen[entry.name];
    if (++count == 1) continue;
    std::string name;
    do {
      name = entry.name + "#" + std::to_string(count++);
    } while (!taken.insert(name).second);
    --count;
    entry.name = name;
  }
}

Result<Place> named_place(const std::string& path) {
  std::error_code error;
  if (path.empty()) return Error{ErrorKind::kUsage, "an empty path was given", "", "", "name a file or a folder"};
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    const bool absent = !error || error == std::errc::no_such_file_or_directory;
    return Error{ErrorKind::kUsage,
                 absent ? "there is no such file or directory" : "cannot be examined: " + error.message(), path, "",
                 absent ? "check the path" : "check the path and its permissions"};
  }
  Place place;
  place.path = path;
  while (place.path.size() > 1 && place.path.ends_with('/')) place.path.pop_back();
  place.is_directory = std::filesystem::is_directory(status);
  return place;
}

constexpr const char* kFormats =
    "name a .py, .cu, .cuh or .cpp file, a folder that holds some, a KernelBench checkout or run, a robust-kbench "
    "task, or a JSON or JSONL file of records";

// Two tasks with one key: equal code is one task (several records per task are usual); different code is an error.
void drop_repeated_tasks(std::vector<Task>& tasks, LoadContext& context) {
  std::map<std::string, std::size_t> first;
  std::vector<Task> kept;
  for (Task& task : tasks) {
    const auto [it, is_new] = first.emplace(task.key(), kept.size());
    if (is_new) {
      kept.push_back(std::move(task));
    } else if (kept[it->second].code_sha256 != task.code_sha256) {
      context.problem({ErrorKind::kUsage,
                       "task " + task.key() + " has other code here than in " + kept[it->second].file, task.file, "",
                       "load the two versions one at a time"});
    }
  }
  tasks = std::move(kept);
}

void finish_problems(LoadContext& context, std::vector<Error>& problems) {
  problems = std::move(context.problems);
  if (context.dropped_problems > 0) {
    problems.push_back({ErrorKind::kUsage, std::to_string(context.dropped_problems) + " more problems are not shown",
                        "", "", "repair the ones above first"});
  }
}

// What both loads share: `load` reads through the loader, `select` keeps the wanted entries.
template <typename Entry>
Result<std::vector<Entry>> load_entries(const std::string& path, LoadContext& context,
                                        void (*Loader::*load)(const Place&, LoadContext&, std::vector<Entry>&),
                                        const char* what) {
  const auto place = named_place(path);
  if (!place) return place.error();
  const Loader* loader = find_loader(*place);
  if (loader == nullptr) return Error{ErrorKind::kUsage, "is in no format that can be read", path, "", kFormats};
  std::vector<Entry> entries;
  (loader->*load)(*place, context, entries);
  for (Entry& entry : entries) entry.name = clean_name(std::move(entry.name));
  const bool found_any = !entries.empty();
  Selection selection(context.options);
  std::erase_if(entries, [&](const Entry& entry) { return !selection.wants(entry); });
  if (entries.empty() && found_any) {
    return Error{ErrorKind::kUsage, std::string("no ") + what + " answers to " + selection.describe(), path, "",
                 "give ids such as 1/9, 9 or a name"};
  }
  if (entries.empty()) {
    if (!context.problems.empty()) return context.problems.front();
    return Error{ErrorKind::kUsage, std::string("holds no ") + what, path, "", kFormats};
  }
  for (const std::string& id : selection.unused_ids()) {
    context.problem({ErrorKind::kUsage, std::string("no ") + what + " answers to " + id, path, "--ids",
                     "give ids such as 1/9, 9 or a name"});
  }
  return entries;
}

}  // namespace

std::string Place::base_name() const {
  const std::filesystem::path own = std::filesystem::path(path).lexically_normal();
  std::string name = own.filename().string();
  if (name.empty()) name = own.parent_path().filename().string();
  if (!name.empty() && name != "." && name != "..") return name;
  std::error_code error;
  return std::filesystem::canonical(path, error).filename().string();
}

Place Place::child(const std::string& name, bool directory) const {
  Place place;
  place.path = (path.ends_with('/') ? path : path + "/") + name;
  place.relative = relative.empty() ? name : relative + "/" + name;
  place.is_directory = directory;
  return place;
}

void LoadContext::problem(Error error) {
  if (problems.size() < limits.problems) {
    problems.push_back(std::move(error));
  } else {
    ++dropped_problems;
  }
}

void finish_names(std::vector<Candidate>& candidates) {
  for (Candidate& candidate : candidates) candidate.name = clean_name(std::move(candidate.name));
  make_names_unique(candidates);
}

Result<TaskSet> load_tasks(const std::string& path, const LoadOptions& options, const Limits& limits) {
  LoadContext context{options, limits, {}, 0, 0, {}};
  auto tasks = load_entries<Task>(path, context, &Loader::load_tasks, "task");
  if (!tasks) return tasks.error();
  TaskSet set;
  set.tasks = std::move(*tasks);
  drop_repeated_tasks(set.tasks, context);
  finish_problems(context, set.problems);
  return set;
}

Result<CandidateSet> load_candidates(const std::string& path, const LoadOptions& options, const Limits& limits) {
  LoadContext context{options, limits, {}, 0, 0, {}};
  auto candidates = load_entries<Candidate>(path, context, &Loader::load_candidates, "candidate");
  if (!candidates) return candidates.error();
  CandidateSet set;
  set.candidates = std::move(*candidates);
  finish_names(set.candidates);
  finish_problems(context, set.problems);
  return set;
}

Result<TaskSet> load_tasks(const std::string& path, const LoadOptions& options) {
  return load_tasks(path, options, Limits{});
}

Result<CandidateSet> load_candidates(const std::string& path, const LoadOptions& options) {
  return load_candidates(path, options, Limits{});
}

}  // namespace kernel_audit::tasks
