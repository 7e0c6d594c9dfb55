// The commands that a candidate has other programs run, as far as their words fold.
#pragma once

#include <string>
#include <vector>

#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

// Calls that start a program by a command line or a list of words, from Python and from C++.
std::vector<Ran> commands(const facts::Model& model);

// The words of the command in order, one word per argument or between blanks, `;`, `&` and ends of lines.
std::vector<std::string> command_words(const facts::Model& model, const Ran& call);

// The name of a program, without the folder that it is in.
std::string program_name(const std::string& word);

}  // namespace kernel_audit::analysis::rules
