// Arguments of forward whose memory is written: for certain, or in turn with another buffer; and those that the caller
// gets back as the result.
#pragma once

#include <set>
#include <vector>

#include "analysis/facts/model.h"

namespace kernel_audit::analysis::rules {

// Positions of the arguments of which every tensor that one return hands back is one, as a whole or in part; of those
// that forward writes to for certain.
std::set<int> written_and_returned(const facts::Model& model, const facts::EntryReturn& returned);
std::set<int> written_and_returned(const facts::Model& model);

// A launch, made several times, that reads one of two buffers and writes the other, now this way and now that: one of
// the two is an argument.
struct WrittenInTurn {
  facts::StatementRef launch;
  int position = -1;
  facts::ObjectId other = -1;
};
std::vector<WrittenInTurn> written_in_turn(const facts::Model& model);

// A launch that fills what forward returns: a buffer of its own, or on other paths an argument. What the model is made
// with decides none of them.
struct WrittenOnSomePaths {
  facts::StatementRef launch;
  int position = -1;
};
std::vector<WrittenOnSomePaths> written_on_some_paths(const facts::Model& model);

}  // namespace kernel_audit::analysis::rules
