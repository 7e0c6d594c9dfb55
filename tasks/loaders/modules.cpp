#include "tasks/loaders/modules.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <sstream>

#include "tasks/loaders/imports.h"
#include "tasks/loaders/text_file.h"

namespace kernel_audit::tasks {
namespace {

namespace fs = std::filesystem;

bool is_plain_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(fs::symlink_status(path, error));
}

bool is_plain_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(fs::symlink_status(path, error));
}

class ModuleReader {
 public:
  ModuleReader(const fs::path& entry, const std::string& exclude, LoadContext& context)
      : root_(entry.parent_path()), context_(context), seen_{entry, root_ / exclude} {}

  std::vector<SourceFile> read(const SourceFile& entry) {
    follow(entry, fs::path());
    for (std::size_t i = 0; i < modules_.size() && !full_; ++i) {
      const fs::path folder = fs::path(modules_[i].path).parent_path();
      follow(SourceFile(modules_[i]), folder == root_ ? fs::path() : folder.lexically_relative(root_));
    }
    return std::move(modules_);
  }

 private:
  // `package`: the importer's folder below the candidate's.
  void follow(const SourceFile& importer, const fs::path& package) {
    for (const std::string& path : imported_modules(importer.text)) {
      const auto dots = static_cast<std::ptrdiff_t>(std::min(path.find_first_not_of('.'), path.size()));
      std::istringstream words(path.substr(static_cast<std::size_t>(dots)));
      std::vector<std::string> names;
      for (std::string name; std::getline(words, name, '.');) names.push_back(name);
      if (names.empty()) continue;
      if (dots == 0) {
        if (is_installed(names.front())) continue;
        if (!take(fs::path(), names)) take(package, names);
      } else if (const auto depth = std::distance(package.begin(), package.end()); depth >= dots - 1) {
        fs::path base = package;
        for (std::ptrdiff_t up = 1; up < dots; ++up) base = base.parent_path();
        take(base, names);
      }
      if (full_) return;
    }
  }

  // The packages on the way to a module and the module itself; what is left of the names are its attributes. False
  // where the first of them leads nowhere.
  bool take(const fs::path& base, const std::vector<std::string>& names) {
    fs::path folder = base;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const fs::path inner = folder / names[i];
      const bool is_folder = is_plain_folder(root_ / inner);
      const bool is_package = is_folder && is_plain_file(root_ / inner / "__init__.py");
      fs::path module = inner;
      module += ".py";
      if (!is_package && is_plain_file(root_ / module)) {
        add(root_ / module);
        return true;
      }
      if (!is_folder) return i > 0;
      if (is_package) add(root_ / inner / "__init__.py");
      folder = inner;
    }
    return true;
  }

  void add(const fs::path& path) {
    if (full_ || !seen_.insert(path).second) return;
    Place module;
    module.path = path.string();
    full_ = modules_.size() == context_.limits.modules || bytes_ > context_.limits.module_bytes;
    if (full_) {
      context_.problem({ErrorKind::kUsage, "was not read: the candidate imports more than it may bring along",
                        module.path, "", "put what it needs into fewer or smaller files"});
    } else if (auto source = read_source(module, context_)) {
      bytes_ += source->text.size();
      modules_.push_back(std::move(*source));
    }
  }

  const fs::path root_;
  LoadContext& context_;
  std::set<fs::path> seen_;
  std::vector<SourceFile> modules_;
  std::size_t bytes_ = 0;
  bool full_ = false;
};

}  // namespace

std::vector<SourceFile> read_modules(const Place& place, const SourceFile& entry, const std::string& exclude,
                                     LoadContext& context) {
  return ModuleReader(place.path, exclude, context).read(entry);
}

}  // namespace kernel_audit::tasks
