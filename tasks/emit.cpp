#include "tasks/emit.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>

#include "tasks/configuration.h"
#include "tasks/loaders/names.h"
#include "tasks/loaders/text_file.h"

namespace kernel_audit::tasks {
namespace {

namespace fs = std::filesystem;

constexpr const char* kManifestName = "manifest.json";

Error folder_error(const std::string& folder, const std::string& what) {
  return {ErrorKind::kUsage, what, folder, "--emit-tree", "name a folder that is absent or empty"};
}

// Names come from records too: no way up, no hidden files, nothing that a shell or another system dislikes.
std::string safe_component(const std::string& name) {
  std::string safe;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    safe += std::isalnum(byte) || byte >= 0x80 || c == '_' || c == '-' || c == '.' || c == '@' ? c : '_';
  }
  if (safe.empty() || safe.front() == '.') safe.insert(0, "_");
  return safe;
}

fs::path safe_path(const std::string& name) {
  fs::path path;
  for (const fs::path& part : fs::path(name)) {
    if (part != "/") path /= safe_component(part.string());
  }
  return path.empty() ? fs::path("_") : path;
}

std::string numbered_file(const Task& task) {
  const std::string name = safe_component(fs::path(task.name).filename().string());
  return (leading_id(name) == task.id ? name : std::to_string(task.id) + "_" + name) + ".py";
}

// Where the code of `task` goes, below the folder.
fs::path place_of(const Task& task) {
  if (!task.configuration.is_null()) return safe_path(task.name) / kBoundFile;
  if (task.suite == "paired") return safe_path(task.name) / "ref.py";
  if (task.level > 0 && task.id > 0)
    return fs::path("KernelBench") / ("level" + std::to_string(task.level)) / numbered_file(task);
  fs::path path = safe_path(task.name);
  path += ".py";
  return path;
}

Status write_bytes(const fs::path& path, const std::string& text) {
  std::error_code problem;
  fs::create_directories(path.parent_path(), problem);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (problem || !file) {
    return Error{ErrorKind::kTool, "the file could not be written", path.string(), "--emit-tree",
                 "check free space and permissions"};
  }
  return Ok{};
}

Status write_tasks(const fs::path& root, const std::vector<Task>& tasks) {
  std::set<fs::path> taken;
  for (const Task& task : tasks) {
    fs::path place = place_of(task);
    if (!taken.insert(place).second) {
      return Error{ErrorKind::kUsage, "two kept tasks would be written to " + place.string(), task.file, "--emit-tree",
                   "select one of them with --ids"};
    }
    if (Status status = write_bytes(root / place, task.code); !status) return status;
    if (task.configuration.is_null()) continue;
    const std::string config = config_file_for(task.configuration).dump(2) + "\n";
    if (Status status = write_bytes(root / place.parent_path() / kConfigFile, config); !status) return status;
  }
  return Ok{};
}

}  // namespace

Status check_emit_folder(const std::string& folder) {
  std::error_code problem;
  const fs::file_status status = fs::status(folder, problem);
  if (!fs::exists(status)) return Ok{};
  if (!fs::is_directory(status)) return folder_error(folder, "is not a folder");
  if (fs::is_empty(folder, problem) || read_manifest(folder + "/" + kManifestName).ok()) return Ok{};
  return folder_error(folder, "holds files that no earlier filter wrote");
}

Status emit_tree(const std::string& folder, const std::vector<Task>& tasks, const Manifest& manifest) {
  if (Status status = check_emit_folder(folder); !status) return status;
  fs::path target(folder);
  if (!target.has_filename()) target = target.parent_path();  // "out/"
  const fs::path fresh = target.string() + ".new";
  std::error_code problem;
  fs::remove_all(fresh, problem);
  fs::create_directories(fresh, problem);
  if (problem)
    return Error{ErrorKind::kTool, "cannot be made: " + problem.message(), fresh.string(), "--emit-tree", ""};
  Status status = write_tasks(fresh, tasks);
  if (status) status = write_manifest((fresh / kManifestName).string(), manifest);
  if (status) {
    fs::remove_all(target, problem);
    fs::rename(fresh, target, problem);
    if (problem)
      status = Error{ErrorKind::kTool, "cannot be put in place: " + problem.message(), folder, "--emit-tree", ""};
  }
  if (!status) fs::remove_all(fresh, problem);
  return status;
}

Json id_lists(const std::vector<Task>& kept, const Manifest& manifest, std::vector<std::string>& unnumbered) {
  std::map<int, std::set<int>> ids;
  for (const ManifestEntry& entry : manifest.tasks) {
    if (entry.level > 0 && entry.id > 0) ids[entry.level];
  }
  for (const Task& task : kept) {
    if (task.level > 0 && task.id > 0) {
      ids[task.level].insert(task.id);
    } else {
      unnumbered.push_back(task.name);
    }
  }
  Json lists = Json::object();
  for (const auto& [level, numbers] : ids) lists[std::to_string(level)] = numbers;
  return lists;
}

}  // namespace kernel_audit::tasks
