// The writers that put a report into a file; the terminal writer stands apart, it needs a terminal's width.
#pragma once

#include <string>
#include <vector>

#include "reports/model.h"

namespace kernel_audit::reports {

struct Writer {
  std::string name;       // for --format: "json"
  std::string file_name;  // in the output folder: "results.json"
  std::string summary;
  std::string (*render)(const Report& report);
};

// Sorted by name.
const std::vector<Writer>& writers();
const Writer* find_writer(const std::string& name);  // nullptr when there is none

}  // namespace kernel_audit::reports
