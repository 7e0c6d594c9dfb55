// Task files of one test, in a folder of their own that goes away with this object. Uses plain POSIX calls:
// libtorch.so exports broken copies of parts of std::filesystem (remove_all jumps to address 0), and they win
// over libstdc++'s in a program that links it.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace kernel_audit::filters {

class TemporaryTasks {
 public:
  TemporaryTasks() {
    const char* base = std::getenv("TMPDIR");
    folder_ = std::string(base != nullptr ? base : "/tmp") + "/kernel_audit_tasks_XXXXXX";
    if (mkdtemp(folder_.data()) == nullptr) folder_.clear();
  }
  ~TemporaryTasks() {
    for (const std::string& file : files_) std::remove(file.c_str());
    rmdir(folder_.c_str());
  }
  TemporaryTasks(const TemporaryTasks&) = delete;
  TemporaryTasks& operator=(const TemporaryTasks&) = delete;

  std::string write(const std::string& code) {
    files_.push_back(folder_ + "/task_" + std::to_string(files_.size()) + ".py");
    std::ofstream(files_.back()) << code;
    return files_.back();
  }

 private:
  std::string folder_;
  std::vector<std::string> files_;
};

}  // namespace kernel_audit::filters
