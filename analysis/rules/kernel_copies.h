// What a launch of a kernel stores as it lay in other memory, with the numbers that it is launched with.
#pragma once

#include <set>
#include <vector>

#include "analysis/rules/launch_ranges.h"

namespace kernel_audit::analysis::rules {

// Whether a kernel reads through `from` at each place at which it stores through `to`, which it does somewhere.
bool stores_beside(const KernelView& kernel, facts::Id to, facts::Id from);

class KernelCopies {
 public:
  KernelCopies(const KernelView& kernel, const LaunchRanges& ranges);

  // Whether all that it stores is what lies at the same places of another buffer.
  bool same_places() const;
  // The parameters from which all that it stores through one of them comes; empty when something else does.
  std::set<facts::Id> moved_into(facts::Id parameter) const;

 private:
  struct Stored {
    facts::Id address = facts::kNone, value = facts::kNone;
  };
  std::optional<Stored> stored(const facts::Statement& store) const;
  const facts::Statement* unchanged(facts::Id value) const;
  const facts::Statement* only_store(facts::Id variable) const;
  const facts::Statement* only_store_into(const facts::Statement& load) const;
  facts::Id passed_on(const facts::Statement& made) const;
  facts::Id read_through(const facts::Statement& load) const;
  bool copied(const facts::Statement& store) const;
  const KernelView& kernel_;
  const LaunchRanges& ranges_;
  PlainVariables variables_;
  std::vector<const facts::Block*> blocks_;  // that a thread may come to
};

}  // namespace kernel_audit::analysis::rules
