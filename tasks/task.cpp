#include "tasks/task.h"

#include "auditor/core/digest.h"
#include "tasks/loaders/builders.h"

namespace kernel_audit::tasks {

std::string Task::key() const { return level > 0 && id > 0 ? task_key(level, id) : name; }

std::string name_within(const std::string& entry, const std::string& path) {
  const std::string folder = entry.substr(0, entry.rfind('/') + 1);
  if (path.starts_with(folder)) {
    const std::string name = path.substr(folder.size());
    if (!name.starts_with('/') && ("/" + name + "/").find("/../") == std::string::npos) return name;
  }
  return path.substr(path.rfind('/') + 1);
}

std::string code_digest(const std::vector<SourceFile>& files) {
  if (files.size() == 1) return sha256_hex(files.front().text);
  Sha256 digest;
  for (const SourceFile& source : files) {
    digest.update(name_within(files.front().file, source.file));
    digest.update(std::string(1, '\0') + std::to_string(source.text.size()) + std::string(1, '\0'));
    digest.update(source.text);
  }
  return to_hex(digest.finish());
}

}  // namespace kernel_audit::tasks
