// Any other directory: everything in it that a loader recognises, depth first in order of name. Each directory is
// entered once, by device and inode, so links that lead back end the walk instead of repeating it.
#include <sys/stat.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "tasks/loaders/builders.h"
#include "tasks/loaders/formats.h"
#include "tasks/loaders/listing.h"
#include "tasks/loaders/text_file.h"

namespace kernel_audit::tasks {
namespace {

bool recognises(const Place& place) { return place.is_directory; }

bool enter(const Place& place, LoadContext& context) {
  const auto depth = static_cast<std::size_t>(std::count(place.relative.begin(), place.relative.end(), '/'));
  if (depth >= context.limits.depth) {
    context.problem({ErrorKind::kUsage,
                     "lies more than " + std::to_string(context.limits.depth) + " directories deep and was not read",
                     place.path, "", "name it directly"});
    return false;
  }
  struct stat status{};
  if (::stat(place.path.c_str(), &status) != 0) return false;
  return context.directories.emplace(status.st_dev, status.st_ino).second;
}

// Headers belong to the sources beside them.
bool taken_by_another(const std::string& name, const Listing& listing) {
  return is_header(name) && std::any_of(listing.files.begin(), listing.files.end(), [](const std::string& other) {
           return language_of(other) && !has_extension(other, ".py") && !is_header(other);
         });
}

template <typename Load>
void walk(const Place& place, LoadContext& context, const Load& load) {
  if (!enter(place, context)) return;
  const Listing listing = list_or_report(place, context);
  for (const std::string& name : listing.files) {
    if ((has_extension(name, ".py") && !is_python_entry(name)) || (context.flat && !language_of(name))) continue;
    const Place file = place.child(name, false);
    const Loader* loader = find_loader(file);
    if (loader != nullptr) load(*loader, file, listing);
  }
  if (context.flat) return;
  for (const std::string& name : listing.directories) {
    const Place directory = place.child(name, true);
    const Loader* loader = find_loader(directory);
    if (loader != nullptr) load(*loader, directory, listing);
  }
}

void load_all_tasks(const Place& place, LoadContext& context, std::vector<Task>& tasks) {
  walk(place, context, [&](const Loader& loader, const Place& inner, const Listing&) {
    if (!inner.is_directory && language_of(inner.path) && !has_extension(inner.path, ".py")) return;
    loader.load_tasks(inner, context, tasks);
  });
}

// Python that names neither a model nor a kernel: scripts, tests and the like, which lie beside candidates. So are
// headers without a kernel or a binding.
bool is_something_else(const Candidate& candidate) {
  if (candidate.files.empty()) return false;
  const SourceFile& entry = candidate.files.front();
  if (entry.language != Language::kPython) {
    return is_header(entry.path) && entry.text.find("__global__") == std::string::npos &&
           entry.text.find("_MODULE") == std::string::npos && entry.text.find("TORCH_LIBRARY") == std::string::npos;
  }
  static constexpr const char* kSigns[] = {"ModelNew",  "class Model", "@triton.jit", "__global__", "RawKernel",
                                           "@cuda.jit", "@cute.",      ".prim_func",  "@wp.kernel"};
  return std::none_of(std::begin(kSigns), std::end(kSigns),
                      [&](const char* sign) { return entry.text.find(sign) != std::string::npos; });
}

void load_all_candidates(const Place& place, LoadContext& context, std::vector<Candidate>& candidates) {
  const std::size_t first = candidates.size();
  walk(place, context, [&](const Loader& loader, const Place& inner, const Listing& listing) {
    if (!inner.is_directory && taken_by_another(inner.base_name(), listing)) return;
    const std::size_t before = candidates.size();
    loader.load_candidates(inner, context, candidates);
    const bool plain_file = loader.name == python_file_loader().name || loader.name == bare_source_loader().name;
    if (plain_file && candidates.size() > before && is_something_else(candidates.back())) candidates.pop_back();
  });
  drop_helpers(candidates, first);
}

}  // namespace

void drop_helpers(std::vector<Candidate>& candidates, std::size_t first) {
  std::set<std::string> brought;
  for (std::size_t i = first; i < candidates.size(); ++i) {
    for (std::size_t file = 1; file < candidates[i].files.size(); ++file)
      brought.insert(candidates[i].files[file].path);
  }
  const auto is_helper = [&](const Candidate& candidate) {
    if (candidate.files.empty() || !brought.contains(candidate.files.front().path)) return false;
    const SourceFile& entry = candidate.files.front();
    return entry.language != Language::kPython || entry.text.find("class Model") == std::string::npos;
  };
  candidates.erase(std::remove_if(candidates.begin() + static_cast<std::ptrdiff_t>(first), candidates.end(), is_helper),
                   candidates.end());
}

Loader directory_loader() {
  return {
      "directory",        "any directory that holds the other formats, at any depth", 10, recognises, load_all_tasks,
      load_all_candidates};
}

}  // namespace kernel_audit::tasks
