// Patterns of paths that the shell left alone (in quotes, in a configuration). Within one name `*`, `?` and `[…]` act
// as in a shell and never reach across `/`; a part `**` stands for any number of folders, none included, and at the end
// for all that lies below. What begins with a dot is matched by a part that begins with one; `**` follows no links.
#pragma once

#include <string>
#include <vector>

namespace kernel_audit::commands {

bool is_pattern(const std::string& path);

// What there is of that name, sorted; a pattern that ends with `**` gives the folders before it.
std::vector<std::string> paths_matching(const std::string& pattern);

}  // namespace kernel_audit::commands
