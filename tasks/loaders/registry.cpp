#include <algorithm>

#include "tasks/loaders/formats.h"

namespace kernel_audit::tasks {

const std::vector<Loader>& loaders() {
  static const std::vector<Loader> all = {
      bare_source_loader(),      directory_loader(),      kernelbench_run_loader(),
      kernelbench_tree_loader(), labelled_suite_loader(), paired_directory_loader(),
      python_file_loader(),      records_loader(),        robust_kbench_loader(),
  };
  return all;
}

const Loader* find_loader(const Place& place) {
  const Loader* best = nullptr;
  for (const Loader& loader : loaders()) {
    if ((best == nullptr || loader.precedence > best->precedence) && loader.recognises(place)) best = &loader;
  }
  return best;
}

}  // namespace kernel_audit::tasks
