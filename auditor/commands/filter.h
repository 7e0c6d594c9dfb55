// The verbs that `filter` knows beside filtering.
#pragma once

#include "auditor/commands/command.h"

namespace kernel_audit::commands {

int filter_diff_command(const Arguments& arguments);     // filter diff A B
int filter_merge_command(const Arguments& arguments);    // filter merge A B … --out FILE
int filter_presets_command(const Arguments& arguments);  // filter presets [NAME]

}  // namespace kernel_audit::commands
