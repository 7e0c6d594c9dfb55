// The run's private folder below the system's temporary folder: task and candidate sources as real
// files, builds, private tmp folders of sandboxed processes. Removed when the run ends. Its parents are
// traversable by the sandbox's unprivileged user, the rest of the machine's files need not be.
#pragma once

#include <string>
#include <vector>

#include "auditor/core/result.h"
#include "tasks/task.h"

namespace kernel_audit::executor {

class Workspace {
 public:
  static Result<Workspace> create();
  Workspace(Workspace&& other) noexcept;
  Workspace& operator=(Workspace&& other) noexcept;
  ~Workspace();

  const std::string& root() const { return root_; }
  // A new empty folder whose name begins with `name`, never one that was given before; owned by the unprivileged user
  // (when we are root) and closed to others.
  Result<std::string> private_folder(const std::string& name) const;
  // Writes a task's source, readable by trusted workers and baselines; returns its path.
  Result<std::string> write_task(const tasks::Task& task) const;
  // Writes a candidate's files into a folder of their own; returns the path of the entry file.
  Result<std::string> write_candidate(const tasks::Candidate& candidate) const;

 private:
  explicit Workspace(std::string root) : root_(std::move(root)) {}
  std::string root_;
};

// Copies a folder with its modification times and owner, so that a finished build is not built again.
Status copy_tree(const std::string& from, const std::string& to);

inline constexpr unsigned kSandboxUid = 65534;

}  // namespace kernel_audit::executor
