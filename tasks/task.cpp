#include "tasks/task.h"

#include "auditor/core/digest.h"
#include "tasks/loaders/builders.h"

namespace kernel_audit::tasks {

std::string Task::key() const { return level > 0 && id > 0 ? task_key(level, id) : name; }

std::string code_digest(const std::vector<SourceFile>& files) {
  if (files.size() == 1) return sha256_hex(files.front().text);
  Sha256 digest;
  for (const SourceFile& source : files) {
    // The bare name, so that the same files at another place on disk keep their digest.
    const std::size_t slash = source.file.rfind('/');
    digest.update(slash == std::string::npos ? source.file : source.file.substr(slash + 1));
    digest.update(std::string(1, '\0') + std::to_string(source.text.size()) + std::string(1, '\0'));
    digest.update(source.text);
  }
  return to_hex(digest.finish());
}

}  // namespace kernel_audit::tasks
