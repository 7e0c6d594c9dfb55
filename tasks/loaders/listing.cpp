#include "tasks/loaders/listing.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "tasks/loaders/text_file.h"

namespace kernel_audit::tasks {

namespace fs = std::filesystem;

Result<Listing> list_directory(const std::string& path) {
  std::error_code error;
  fs::directory_iterator entry(path, error);
  if (error) {
    return Error{ErrorKind::kUsage, "cannot be listed: " + error.message(), path, "",
                 "check the path and its permissions"};
  }
  Listing listing;
  for (; entry != fs::directory_iterator(); entry.increment(error)) {
    if (error) break;
    const std::string name = entry->path().filename().string();
    if (name.starts_with('.') || name == "__pycache__") continue;
    std::error_code status_error;
    const fs::file_status status = entry->status(status_error);  // follows links; ELOOP and ENOENT end in `broken`
    if (status_error || !fs::exists(status)) {
      listing.broken.push_back(name);
    } else if (fs::is_directory(status)) {
      listing.directories.push_back(name);
    } else if (fs::is_regular_file(status)) {
      listing.files.push_back(name);
    }
  }
  if (error) {
    return Error{ErrorKind::kUsage, "cannot be listed: " + error.message(), path, "", "check the file system"};
  }
  std::sort(listing.files.begin(), listing.files.end());
  std::sort(listing.directories.begin(), listing.directories.end());
  std::sort(listing.broken.begin(), listing.broken.end());
  return listing;
}

Listing list_or_report(const Place& place, LoadContext& context) {
  auto listing = list_directory(place.path);
  if (!listing) {
    context.problem(listing.error());
    return {};
  }
  for (const std::string& name : listing->broken) {
    context.problem({ErrorKind::kUsage, "is a symbolic link that leads nowhere or in a circle",
                     place.child(name, false).path, "", "remove or repair the link"});
  }
  return std::move(*listing);
}

bool is_file(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool is_directory(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool is_python_entry(const std::string& file_name) {
  return has_extension(file_name, ".py") && file_name != "__init__.py" && file_name != "setup.py";
}

}  // namespace kernel_audit::tasks
