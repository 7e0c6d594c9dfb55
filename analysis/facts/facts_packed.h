// Facts as bytes, for the way from one process to another: what JSON says in a tenth of the time and room. Every text
// is there once, everything else is a number that names it or counts; defaults cost a byte. Both sides come from the
// same build. Where Facts are kept or shown they are JSON (facts.h).
#pragma once

#include <string>
#include <string_view>

#include "analysis/facts/facts.h"

namespace kernel_audit::analysis::facts {

// Text that is not UTF-8 is changed as JSON would change it: both forms carry the same Facts.
std::string packed(const Facts& facts);
// Takes nothing for granted: every number, every length, every text and every id is checked. `what` names the source in
// the error.
Result<Facts> facts_from_packed(std::string_view bytes, const std::string& what);

}  // namespace kernel_audit::analysis::facts
