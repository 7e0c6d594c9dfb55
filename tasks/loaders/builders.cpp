#include "tasks/loaders/builders.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "auditor/core/digest.h"
#include "tasks/loaders/listing.h"
#include "tasks/loaders/modules.h"
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

// The C++ and CUDA sources of a folder but one, those that a Python file may build or a C++ file may include.
void read_sources(const std::filesystem::path& folder, const Listing& listing, const std::string& own_name, bool python,
                  LoadContext& context, std::vector<SourceFile>& found) {
  for (const std::string& name : listing.files) {
    const auto language = language_of(name);
    if (name == own_name || !language || *language == Language::kPython || (!python && !is_header(name))) continue;
    Place neighbour;
    neighbour.path = (folder / name).string();
    if (auto source = read_source(neighbour, context)) found.push_back(std::move(*source));
  }
}

// "csrc", "csrc/scale.cu": within quotes, as a whole part of a path.
bool names_folder(const std::string& text, const std::string& folder) {
  const auto ends_part = [](char c) { return c == '"' || c == '\'' || c == '/'; };
  for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder, at + 1)) {
    const std::size_t end = at + folder.size();
    if (at > 0 && end < text.size() && ends_part(text[at - 1]) && ends_part(text[end])) return true;
  }
  return false;
}

// Those of a folder without Python files, and of the folders in it.
void read_source_folder(const std::filesystem::path& folder, std::size_t depth, LoadContext& context,
                        std::vector<SourceFile>& found) {
  constexpr std::size_t kDeepest = 4;
  std::error_code error;
  const bool plain = std::filesystem::is_directory(std::filesystem::symlink_status(folder, error));
  const auto listing = list_directory(folder.string());
  if (!plain || !listing || depth > kDeepest) return;
  if (std::any_of(listing->files.begin(), listing->files.end(),
                  [](const std::string& name) { return has_extension(name, ".py"); }))
    return;
  read_sources(folder, *listing, "", true, context, found);
  for (const std::string& inner : listing->directories) read_source_folder(folder / inner, depth + 1, context, found);
}

// Of a Python file's folder, those that its own text or that of its modules names.
void read_named_folders(const std::filesystem::path& parent, const Listing& listing, const SourceFile& entry,
                        LoadContext& context, std::vector<SourceFile>& found) {
  std::string text = entry.text;
  for (const SourceFile& module : found) text += module.text;
  for (const std::string& folder : listing.directories) {
    if (names_folder(text, folder)) read_source_folder(parent / folder, 0, context, found);
  }
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
  if (python) neighbours = read_modules(place, entry, exclude, context);
  std::set<std::filesystem::path> imported, packages;
  for (const SourceFile& module : neighbours) {
    imported.insert(module.path);
    packages.insert(std::filesystem::path(module.path).parent_path());
  }
  packages.erase(path.parent_path());
  for (const std::filesystem::path& folder : packages) {
    const auto inner = list_directory(folder.string());
    if (!inner) continue;
    read_named_folders(folder, *inner, entry, context, neighbours);
    read_sources(folder, *inner, "", true, context, neighbours);
  }
  if (python) read_named_folders(path.parent_path(), *listing, entry, context, neighbours);
  const bool shared = python && std::any_of(listing->files.begin(), listing->files.end(), [&](const std::string& name) {
                        return is_python_entry(name) && name != own_name && name != exclude &&
                               !imported.contains(path.parent_path() / name);
                      });
  if (!shared) read_sources(path.parent_path(), *listing, own_name, python, context, neighbours);
  return neighbours;
}

}  // namespace kernel_audit::tasks
