#include "tasks/loaders/builders.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "auditor/core/digest.h"
#include "tasks/loaders/imports.h"
#include "tasks/loaders/listing.h"
#include "tasks/loaders/text_file.h"

namespace kernel_audit::tasks {

std::string task_key(int level, int id) { return std::to_string(level) + "/" + std::to_string(id); }

Task make_task(const std::string& suite, int level, int id, const std::string& name, SourceFile source) {
  Task task;
  task.suite = suite;
  task.level = level;
  task.id = id;
  task.name = name;
  task.code_sha256 = sha256_hex(source.text);
  task.code = std::move(source.text);
  task.file = std::move(source.file);
  task.path = std::move(source.path);
  return task;
}

Candidate make_candidate(const std::string& name, const std::string& key, SourceFile source) {
  std::vector<SourceFile> files;
  files.push_back(std::move(source));
  return make_candidate(name, key, std::move(files));
}

Candidate make_candidate(const std::string& name, const std::string& key, std::vector<SourceFile> files) {
  Candidate candidate;
  candidate.name = name;
  candidate.task_key = key;
  candidate.code_sha256 = code_digest(files);
  candidate.files = std::move(files);
  return candidate;
}

Candidate make_empty_candidate(const std::string& name, const std::string& key, const std::string& note) {
  Candidate candidate;
  candidate.name = name;
  candidate.task_key = key;
  candidate.note = note;
  return candidate;
}

namespace {

// Python modules of the same folder that `entry` imports, and those that they import. Links are not followed: what lies
// outside of the folder is no part of the candidate. Stops at the limits, with a problem.
std::vector<SourceFile> read_modules(const Place& place, const SourceFile& entry, const Listing& listing,
                                     const std::string& exclude, LoadContext& context) {
  const std::filesystem::path folder = std::filesystem::path(place.path).parent_path();
  std::set<std::string> seen{std::filesystem::path(place.path).filename().string(), exclude};
  std::vector<SourceFile> modules;
  std::size_t bytes = 0;
  const auto take = [&](const SourceFile& importer) {
    for (const std::string& name : imported_modules(importer.text)) {
      if (is_installed(name)) continue;
      const std::string file = name + ".py";
      std::error_code error;
      if (!std::binary_search(listing.files.begin(), listing.files.end(), file) || !seen.insert(file).second ||
          !std::filesystem::is_regular_file(std::filesystem::symlink_status(folder / file, error)))
        continue;
      Place module;
      module.path = (folder / file).string();
      if (modules.size() == context.limits.modules || bytes > context.limits.module_bytes) {
        context.problem({ErrorKind::kUsage, "was not read: the candidate imports more than it may bring along",
                         module.path, "", "put what it needs into fewer or smaller files"});
        return;
      }
      if (auto source = read_source(module, context)) {
        bytes += source->text.size();
        modules.push_back(std::move(*source));
      }
    }
  };
  take(entry);
  for (std::size_t i = 0; i < modules.size(); ++i) take(SourceFile(modules[i]));
  return modules;
}

}  // namespace

std::vector<SourceFile> read_neighbours(const Place& place, const SourceFile& entry, LoadContext& context,
                                        const std::string& exclude) {
  const std::filesystem::path path(place.path);
  const std::string own_name = path.filename().string();
  std::string parent = path.parent_path().string();
  if (parent.empty()) parent = ".";
  const auto listing = list_directory(parent);
  std::vector<SourceFile> neighbours;
  if (!listing) return neighbours;  // the file itself was readable; its directory need not be
  const bool python = entry.language == Language::kPython;
  if (python) neighbours = read_modules(place, entry, *listing, exclude, context);
  const auto imported = [&](const std::string& name) {
    return std::any_of(neighbours.begin(), neighbours.end(),
                       [&](const SourceFile& module) { return std::filesystem::path(module.path).filename() == name; });
  };
  if (python && std::any_of(listing->files.begin(), listing->files.end(), [&](const std::string& name) {
        return is_python_entry(name) && name != own_name && name != exclude && !imported(name);
      })) {
    return neighbours;
  }
  for (const std::string& name : listing->files) {
    if (name == own_name || name == exclude) continue;
    const auto language = language_of(name);
    if (!language || *language == Language::kPython || (!python && !is_header(name))) continue;
    Place neighbour;
    neighbour.path = (path.parent_path() / name).string();
    if (auto source = read_source(neighbour, context)) neighbours.push_back(std::move(*source));
  }
  return neighbours;
}

}  // namespace kernel_audit::tasks
