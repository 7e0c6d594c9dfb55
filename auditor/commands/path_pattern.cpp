#include "auditor/commands/path_pattern.h"

#include <fnmatch.h>

#include <filesystem>
#include <set>
#include <sstream>

namespace kernel_audit::commands {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAnyFolders = "**";

class Walk {
 public:
  explicit Walk(const std::string& pattern) : root_(pattern.starts_with('/') ? "/" : "") {
    std::istringstream stream(pattern);
    for (std::string part; std::getline(stream, part, '/');) {
      const bool again = part == kAnyFolders && !parts_.empty() && parts_.back() == kAnyFolders;
      if (!part.empty() && !again) parts_.push_back(part);
    }
  }

  std::vector<std::string> matches() {
    go(root_, 0);
    return {found_.begin(), found_.end()};
  }

 private:
  void go(const fs::path& folder, std::size_t at) {
    const bool last = at + 1 == parts_.size();
    if (parts_[at] == kAnyFolders) {
      if (last) {
        found_.insert(folder.empty() ? "." : folder.string());
      } else {
        go(folder, at + 1);
        for_each_entry(folder, [&](const fs::directory_entry& entry) {
          std::error_code ignored;
          const bool plain = entry.is_directory(ignored) && !entry.is_symlink(ignored);
          if (plain && !entry.path().filename().string().starts_with('.')) go(folder / entry.path().filename(), at);
        });
      }
    } else if (!is_pattern(parts_[at])) {
      step(folder / parts_[at], at);
    } else {
      for_each_entry(folder, [&](const fs::directory_entry& entry) {
        const fs::path name = entry.path().filename();
        if (::fnmatch(parts_[at].c_str(), name.c_str(), FNM_PERIOD) == 0) step(folder / name, at);
      });
    }
  }

  void step(const fs::path& path, std::size_t at) {
    std::error_code ignored;
    if (at + 1 < parts_.size()) {
      if (fs::is_directory(path, ignored)) go(path, at + 1);
    } else if (fs::exists(path, ignored)) {
      found_.insert(path.string());
    }
  }

  template <typename Use>
  static void for_each_entry(const fs::path& folder, const Use& use) {
    std::error_code problem;
    fs::directory_iterator entry(folder.empty() ? fs::path(".") : folder, problem);
    for (; !problem && entry != fs::directory_iterator(); entry.increment(problem)) use(*entry);
  }

  std::string root_;
  std::vector<std::string> parts_;
  std::set<std::string> found_;
};

}  // namespace

bool is_pattern(const std::string& path) { return path.find_first_of("*?[") != std::string::npos; }

std::vector<std::string> paths_matching(const std::string& pattern) { return Walk(pattern).matches(); }

}  // namespace kernel_audit::commands
