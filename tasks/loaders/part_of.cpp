// load_candidates_with: for hooks, which name the files that have changed, whatever they are.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>

#include "tasks/loaders/builders.h"
#include "tasks/loaders/loader.h"
#include "tasks/selection.h"

namespace kernel_audit::tasks {
namespace {

namespace fs = std::filesystem;

// The folder of a file and those above it, as far as the file's name tells or the working directory reaches.
std::vector<std::string> folders_of(const std::string& file) {
  std::error_code error;
  const fs::path path = fs::path(file).lexically_normal(), here = fs::current_path(error);
  std::vector<std::string> folders;
  for (fs::path folder = path.parent_path();; folder = folder.parent_path()) {
    folders.push_back(folder.empty() ? "." : folder.string());
    const bool last = folder.empty() || folder == here || folder == folder.root_path() || folder.filename() == "..";
    if (last || (folder.is_absolute() && folder.lexically_relative(here).string().starts_with(".."))) return folders;
  }
}

Place place_of(const std::string& folder) {
  Place place;
  place.path = folder;
  place.is_directory = true;
  if (folder != "." && !folder.starts_with('/') && !folder.starts_with("..")) place.relative = folder;
  return place;
}

// As it would be named from here: a folder "." is no part of a name.
void forget_dot(Candidate& candidate) {
  for (SourceFile& file : candidate.files) {
    for (std::string* name : {&file.file, &file.path}) {
      if (name->starts_with("./")) name->erase(0, 2);
    }
  }
}

}  // namespace

Result<CandidateSet> load_candidates_with(const std::vector<std::string>& files, const LoadOptions& options) {
  std::map<std::string, std::string> named;  // as it is compared → as it was named
  std::set<std::string> folders;
  for (const std::string& file : files) {
    named.emplace(fs::path(file).lexically_normal().string(), file);
    for (std::string& folder : folders_of(file)) folders.insert(std::move(folder));
  }
  LoadContext context{options, Limits{}, {}, 0, 0, {}, true};
  std::vector<Candidate> found;
  for (const std::string& folder : folders) {
    const Place place = place_of(folder);
    if (const Loader* loader = find_loader(place)) loader->load_candidates(place, context, found);
  }
  for (Candidate& candidate : found) forget_dot(candidate);
  drop_helpers(found, 0);

  CandidateSet set;
  Selection selection(options);
  std::set<std::string> entries, used;
  for (Candidate& candidate : found) {
    bool wanted = false;
    for (const SourceFile& file : candidate.files) wanted = named.contains(file.path) || wanted;
    if (!wanted || !selection.wants(candidate) || !entries.insert(candidate.files.front().path).second) continue;
    for (const SourceFile& file : candidate.files) used.insert(file.path);
    set.candidates.push_back(std::move(candidate));
  }
  finish_names(set.candidates);
  for (Error& problem : context.problems) {
    const std::string file = fs::path(problem.file).lexically_normal().string();
    if (named.contains(file) && used.insert(file).second) set.problems.push_back(std::move(problem));
  }
  if (set.candidates.empty() && !set.problems.empty()) return set.problems.front();
  for (const auto& [path, name] : named) {
    if (!used.contains(path)) set.left_out.push_back(name);
  }
  return set;
}

}  // namespace kernel_audit::tasks
