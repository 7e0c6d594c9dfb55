#include "auditor/process/procfs.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string_view>

#include "auditor/process/fd.h"

namespace kernel_audit::process {
namespace {

using Directory = std::unique_ptr<DIR, int (*)(DIR*)>;

std::vector<pid_t> numeric_entries(const std::string& path) {
  std::vector<pid_t> numbers;
  const Directory directory(::opendir(path.c_str()), ::closedir);
  if (!directory) return numbers;
  while (const dirent* entry = ::readdir(directory.get())) {
    char* end = nullptr;
    const long number = std::strtol(entry->d_name, &end, 10);
    if (end != entry->d_name && *end == '\0' && number > 0) numbers.push_back(static_cast<pid_t>(number));
  }
  return numbers;
}

// Fields of a stat line after the command name, which may hold spaces and parentheses itself.
std::optional<ProcessInfo> parse_stat(const std::string& text, pid_t pid) {
  const std::size_t close = text.rfind(')');
  if (close == std::string::npos) return std::nullopt;
  std::istringstream fields(text.substr(close + 1));
  ProcessInfo info;
  info.pid = pid;
  fields >> info.state >> info.parent;
  std::string skipped;
  for (int field = 5; field <= 21; ++field) fields >> skipped;
  fields >> info.start_ticks;  // field 22 of proc(5)
  return fields ? std::optional(info) : std::nullopt;
}

bool every_thread_in(pid_t pid, std::string_view states) {
  const std::string tasks = "/proc/" + std::to_string(pid) + "/task";
  const std::vector<pid_t> threads = numeric_entries(tasks);
  return std::all_of(threads.begin(), threads.end(), [&](pid_t thread) {
    const auto info = parse_stat(read_small_file(tasks + "/" + std::to_string(thread) + "/stat"), thread);
    return !info || states.find(info->state) != std::string_view::npos;
  });
}

}  // namespace

std::string read_small_file(const std::string& path) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  if (fd.get() < 0) return text;
  char buffer[4096];
  for (ssize_t got; (got = ::read(fd.get(), buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(got));
  }
  return text;
}

bool write_small_file(const std::string& path, const std::string& text) {
  const Fd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return fd.get() >= 0 && ::write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

std::optional<ProcessInfo> process_info(pid_t pid) {
  return parse_stat(read_small_file("/proc/" + std::to_string(pid) + "/stat"), pid);
}

std::vector<ProcessInfo> list_processes() {
  std::vector<ProcessInfo> processes;
  for (const pid_t pid : numeric_entries("/proc")) {
    if (const auto info = process_info(pid)) processes.push_back(*info);
  }
  return processes;
}

std::vector<ProcessInfo> tree_of(pid_t root, std::uint64_t start_ticks) {
  const std::vector<ProcessInfo> all = list_processes();
  std::vector<ProcessInfo> tree;
  for (const ProcessInfo& info : all) {
    if (info.pid == root && (start_ticks == 0 || info.start_ticks == start_ticks)) tree.push_back(info);
  }
  for (std::size_t i = 0; i < tree.size(); ++i) {
    for (const ProcessInfo& info : all) {
      if (info.parent == tree[i].pid && info.pid != root) tree.push_back(info);
    }
  }
  return tree;
}

bool is_stopped(pid_t pid) { return every_thread_in(pid, "TtZX"); }

bool is_gone(const ProcessInfo& info) {
  return info.state == 'X' || (info.state == 'Z' && every_thread_in(info.pid, "ZX"));
}

std::uint64_t resident_bytes(pid_t pid) {
  std::istringstream fields(read_small_file("/proc/" + std::to_string(pid) + "/statm"));
  std::uint64_t total = 0, resident = 0;
  if (!(fields >> total >> resident)) return 0;
  static const auto page_bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return resident * page_bytes;
}

std::optional<std::uint64_t> proportional_bytes(pid_t pid) {
  std::istringstream lines(read_small_file("/proc/" + std::to_string(pid) + "/smaps_rollup"));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string name;
    std::uint64_t kib = 0;
    if (fields >> name >> kib && name == "Pss:") return kib * 1024;
  }
  return std::nullopt;
}

}  // namespace kernel_audit::process
