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

// By which files are compared, however they were named: links to folders are resolved, a link to a file stays a file of
// the folder that it lies in.
fs::path whole(const fs::path& path) {
  std::error_code ignored;
  const fs::path absolute = fs::absolute(path, ignored);
  return fs::weakly_canonical(absolute.parent_path(), ignored) / absolute.filename();
}

// Whether a relative path leaves the folder that it starts from; one that cannot be told counts so.
bool leads_out(const fs::path& way) { return way.empty() || *way.begin() == ".."; }

// The folder of a file and those above it: up to the working directory or, outside of it, as far as they do not hold it
// as well.
void add_folders_of(const std::string& file, std::set<fs::path>& folders) {
  std::error_code ignored;
  const fs::path here = fs::current_path(ignored), own = whole(file).parent_path();
  for (fs::path folder = own;; folder = folder.parent_path()) {
    const fs::path way = here.lexically_relative(folder);  // "." from there, else one that leads out unless from above
    if (folder != own && way != "." && !leads_out(way)) return;
    folders.insert(folder);
    if (folder == here || folder == folder.root_path()) return;
  }
}

Place place_of(const fs::path& folder, bool absolute) {
  std::error_code ignored;
  const fs::path below = folder.lexically_relative(fs::current_path(ignored));
  Place place;
  place.path = (absolute ? folder : below).string();
  place.is_directory = true;
  if (below != "." && !leads_out(below)) place.relative = below.string();
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
  std::map<fs::path, std::string> named;  // as it is compared → as it was named
  std::set<fs::path> folders;
  bool absolute = false;
  for (const std::string& file : files) {
    named.emplace(whole(file), file);
    add_folders_of(file, folders);
    absolute = absolute || fs::path(file).is_absolute();
  }
  LoadContext context{options, Limits{}, {}, 0, 0, {}, true};
  std::vector<Candidate> found;
  for (const fs::path& folder : folders) {
    const Place place = place_of(folder, absolute);
    if (const Loader* loader = find_loader(place)) loader->load_candidates(place, context, found);
  }
  for (Candidate& candidate : found) forget_dot(candidate);
  drop_helpers(found, 0);

  CandidateSet set;
  Selection selection(options);
  std::set<fs::path> entries, used;
  for (Candidate& candidate : found) {
    bool wanted = false;
    for (const SourceFile& file : candidate.files) wanted = named.contains(whole(file.path)) || wanted;
    if (!wanted || !selection.wants(candidate) || !entries.insert(whole(candidate.files.front().path)).second) continue;
    for (const SourceFile& file : candidate.files) used.insert(whole(file.path));
    set.candidates.push_back(std::move(candidate));
  }
  finish_names(set.candidates);
  for (Error& problem : context.problems) {
    const fs::path file = whole(problem.file);
    if (named.contains(file) && used.insert(file).second) set.problems.push_back(std::move(problem));
  }
  if (set.candidates.empty() && !set.problems.empty()) return set.problems.front();
  for (const auto& [path, name] : named) {
    if (!used.contains(path)) set.left_out.push_back(name);
  }
  return set;
}

}  // namespace kernel_audit::tasks
