#include "tests/e2e/cli.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace kernel_audit::e2e {

std::string binary(const std::string& name) { return std::string(KA_BINARY_DIR) + "/bin/" + name; }
bool built(const std::string& name) { return ::access(binary(name).c_str(), X_OK) == 0; }
std::string source(const std::string& relative) { return std::string(KA_SOURCE_DIR) + "/" + relative; }

std::string shared_folder() {
  const char* given = std::getenv("KERNEL_AUDIT_SHARED");
  const std::string folder = given != nullptr ? given : std::string(KA_SOURCE_DIR) + "/../shared";
  return std::filesystem::is_directory(folder) ? folder : "";
}

Scratch::Scratch() {
  std::string pattern = (std::filesystem::temp_directory_path() / "kernel-audit-test-XXXXXX").string();
  if (::mkdtemp(pattern.data()) != nullptr) root_ = pattern;
}

Scratch::~Scratch() {
  std::error_code ignored;
  if (!root_.empty()) std::filesystem::remove_all(root_, ignored);
}

std::string Scratch::write(const std::string& name, const std::string& text) const {
  std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
  std::ofstream(path(name), std::ios::binary) << text;
  return path(name);
}

process::SpawnOptions options_for(const std::vector<std::string>& arguments, std::chrono::seconds limit) {
  process::SpawnOptions options;
  options.argv = {binary("kernel-audit")};
  options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
  options.limits.wall = limit;
  options.limits.output_cap_bytes = std::size_t{64} << 20;
  return options;
}

process::Completed run_cli(const std::vector<std::string>& arguments, std::chrono::seconds limit) {
  Result<process::Completed> done = process::run(options_for(arguments, limit));
  if (!done) return {};
  return std::move(*done);
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Json read_json_file(const std::string& path) {
  Result<Json> json = parse_json(read_text(path), path);
  return json ? *json : Json();
}

std::vector<pid_t> descendants(pid_t root) {
  std::map<pid_t, pid_t> parent;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream stat(entry.path() / "stat");
    std::string text;
    std::getline(stat, text);
    const auto close = text.rfind(')');
    if (close == std::string::npos || close + 4 >= text.size()) continue;
    parent[std::stoi(name)] = std::atoi(text.c_str() + close + 4);
  }
  std::vector<pid_t> found;
  for (const auto& [pid, up] : parent) {
    for (pid_t at = up; at > 1; at = parent.count(at) != 0 ? parent[at] : 0) {
      if (at == root) {
        found.push_back(pid);
        break;
      }
    }
  }
  return found;
}

}  // namespace kernel_audit::e2e
