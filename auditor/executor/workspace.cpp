#include "auditor/executor/workspace.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "auditor/core/digest.h"
#include "tasks/configuration.h"

namespace kernel_audit::executor {
namespace {

namespace fs = std::filesystem;

Error io_error(const std::string& what, const std::string& path) {
  return Error{ErrorKind::kTool, what + ": " + std::strerror(errno), path, "", "check free space and permissions"};
}

Status write_file(const fs::path& path, const std::string& text) {
  std::error_code problem;
  fs::create_directories(path.parent_path(), problem);
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) return io_error("the file could not be written", path.string());
  return Ok{};
}

void give_to_sandbox_user(const fs::path& path) {
  // Without root the sandbox runs as the same user, and there is nothing to change.
  if (::geteuid() == 0 && ::lchown(path.c_str(), kSandboxUid, kSandboxUid) != 0) return;
}

// The name of a file in its candidate's folder, never outside of it.
std::string safe_name(const tasks::Candidate& candidate, const tasks::SourceFile& file) {
  const std::string name = tasks::name_within(candidate.files.front().path, file.path);
  const std::string last = fs::path(name).filename().string();
  if (last.empty() || last == "." || last == ".." || last.size() > 200)
    return file.language == tasks::Language::kPython ? "candidate.py" : "candidate.cu";
  return name;
}

// Copies a folder with its modification times and the sandbox user as owner.
Status copy_tree(const std::string& from, const std::string& to) {
  std::error_code problem;
  for (fs::recursive_directory_iterator it(from, problem), end; !problem && it != end; it.increment(problem)) {
    const fs::path target = fs::path(to) / fs::relative(it->path(), from, problem);
    struct stat info = {};
    if (::lstat(it->path().c_str(), &info) != 0) return io_error("the file could not be read", it->path().string());
    // Links, sockets and devices that an untrusted build left behind are not followed and not copied.
    if (S_ISDIR(info.st_mode)) {
      fs::create_directory(target, problem);
    } else if (S_ISREG(info.st_mode)) {
      fs::copy_file(it->path(), target, problem);
    } else {
      continue;
    }
    if (problem) break;
    give_to_sandbox_user(target);
    const timespec times[2] = {info.st_atim, info.st_mtim};
    ::utimensat(AT_FDCWD, target.c_str(), times, AT_SYMLINK_NOFOLLOW);
  }
  if (problem) return Error{ErrorKind::kTool, "the folder could not be copied: " + problem.message(), from, "", ""};
  return Ok{};
}

}  // namespace

Result<Workspace> Workspace::create() {
  std::error_code problem;
  std::string pattern = (fs::temp_directory_path(problem) / "kernel-audit-XXXXXX").string();
  if (problem || ::mkdtemp(pattern.data()) == nullptr) return io_error("no temporary folder could be made", pattern);
  ::chmod(pattern.c_str(), 0711);
  return Workspace(pattern);
}

Workspace::Workspace(Workspace&& other) noexcept : root_(std::exchange(other.root_, {})) {}

Workspace& Workspace::operator=(Workspace&& other) noexcept {
  std::swap(root_, other.root_);
  return *this;
}

Workspace::~Workspace() {
  if (root_.empty()) return;
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

Result<std::string> Workspace::private_folder(const std::string& name) const {
  std::string path = (fs::path(root_) / (name + "-XXXXXX")).string();
  if (::mkdtemp(path.data()) == nullptr) return io_error("the folder could not be made", path);  // mode 0700
  give_to_sandbox_user(path);
  return path;
}

Result<std::string> Workspace::set_aside(const std::string& folder) const {
  const std::string aside = folder + "-built";
  if (::rename(folder.c_str(), aside.c_str()) != 0 || (::geteuid() == 0 && ::chown(aside.c_str(), 0, 0) != 0)) {
    return io_error("the build could not be set aside", folder);
  }
  return aside;
}

Result<std::string> Workspace::restored(const std::string& snapshot, const std::string& folder) const {
  std::error_code problem;
  fs::remove_all(folder, problem);
  if (::mkdir(folder.c_str(), 0700) != 0) return io_error("the folder could not be made", folder);
  give_to_sandbox_user(folder);
  if (Status copied = copy_tree(snapshot, folder); !copied) return copied.error();
  return folder;
}

Result<std::string> Workspace::write_task(const tasks::Task& task) const {
  // A folder per content, closed to the candidate by the sandbox's allow-list, not by its name.
  const fs::path path = fs::path(root_) / ("task-" + task.code_sha256.substr(0, 16)) / "task.py";
  if (task.configuration.is_null()) {
    if (Status status = write_file(path, task.code); !status) return status.error();
    return path.string();
  }
  if (Status status = write_file(path.parent_path() / tasks::kBoundFile, task.code); !status) return status.error();
  if (Status status = write_file(path, tasks::bound_module(task)); !status) return status.error();
  return path.string();
}

Result<std::string> Workspace::write_candidate(const tasks::Candidate& candidate) const {
  const fs::path folder =
      fs::path(root_) / ("candidate-" + sha256_hex(candidate.name + candidate.code_sha256).substr(0, 16));
  std::string entry;
  for (const tasks::SourceFile& file : candidate.files) {
    const fs::path path = folder / safe_name(candidate, file);
    if (Status status = write_file(path, file.text); !status) return status.error();
    if (entry.empty()) entry = path.string();
  }
  if (entry.empty()) return Error{ErrorKind::kUsage, "the candidate has no source", candidate.name, "", ""};
  return entry;
}

}  // namespace kernel_audit::executor
