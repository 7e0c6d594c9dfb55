// What every reader of Facts checks once it has all of them, and how it says what is off.
#pragma once

#include <string>

#include "analysis/facts/facts.h"

namespace kernel_audit::analysis::facts {

// Thrown by what reads Facts and caught there: readers return Errors.
struct Malformed {
  std::string where;
  std::string what;
  Error error(const std::string& source) const {
    return Error{ErrorKind::kProtocol, "The Facts are malformed: " + where + " " + what + ".", source, where, ""};
  }
};

// Throws Malformed where an id refers to nothing.
void check_ids(const Facts& facts);

}  // namespace kernel_audit::analysis::facts
