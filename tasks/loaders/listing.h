// What a directory holds, sorted by name: hidden entries and Python caches are left out, links are followed.
#pragma once

#include <string>
#include <vector>

#include "auditor/core/result.h"
#include "tasks/loaders/loader.h"

namespace kernel_audit::tasks {

struct Listing {
  std::vector<std::string> files;        // regular files and links to them
  std::vector<std::string> directories;  // and links to them
  std::vector<std::string> broken;       // links that lead nowhere or in circles
};

Result<Listing> list_directory(const std::string& path);

// Lists `place` for a loader; a fault becomes a problem and an empty listing.
Listing list_or_report(const Place& place, LoadContext& context);

bool is_file(const std::string& path);
bool is_directory(const std::string& path);

// Python files of a directory that are neither packaging nor package markers (`__init__.py`, `setup.py`).
bool is_python_entry(const std::string& file_name);

}  // namespace kernel_audit::tasks
