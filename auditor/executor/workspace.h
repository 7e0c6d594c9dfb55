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
  // Puts what a private folder holds out of reach; returns where it is now. The folder itself is gone.
  Result<std::string> set_aside(const std::string& folder) const;
  // Makes `folder` anew, as a private folder with a copy of `snapshot`, times kept, so that a finished build is not
  // built again. Whatever was there is removed.
  Result<std::string> restored(const std::string& snapshot, const std::string& folder) const;
  // Writes a task's source, readable by trusted workers and baselines; returns its path.
  Result<std::string> write_task(const tasks::Task& task) const;
  // Writes a candidate's files into a folder of their own; returns the path of the entry file.
  Result<std::string> write_candidate(const tasks::Candidate& candidate) const;

 private:
  explicit Workspace(std::string root) : root_(std::move(root)) {}
  std::string root_;
};

inline constexpr unsigned kSandboxUid = 65534;

}  // namespace kernel_audit::executor
