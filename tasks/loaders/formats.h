// One function per format; registry.cpp is their only user.
#pragma once

#include "tasks/loaders/loader.h"

namespace kernel_audit::tasks {

Loader bare_source_loader();
Loader directory_loader();
Loader kernelbench_run_loader();
Loader kernelbench_tree_loader();
Loader labelled_suite_loader();
Loader paired_directory_loader();
Loader python_file_loader();
Loader records_loader();
Loader robust_kbench_loader();

}  // namespace kernel_audit::tasks
