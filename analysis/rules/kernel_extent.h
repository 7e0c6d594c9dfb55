// How many elements all programs of one launch of a Triton kernel can reach together: an upper bound. An address is a
// function of program numbers, ranges and loop counters, so that it takes at most as many values as these have
// together.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/rules/host_numbers.h"
#include "analysis/rules/kernel_code.h"

namespace kernel_audit::analysis::rules {

class KernelExtent {
 public:
  // `numbers`: what the launch gives to the kernel's parameters, by storage.
  KernelExtent(const KernelView& kernel, std::vector<double> grid, std::map<facts::Id, double> numbers);

  // Elements that a tl.load or tl.store can reach, where the conditions `selected` hold as well; nothing when that
  // cannot be told.
  std::optional<double> reach(const facts::Statement& access, const std::vector<facts::Id>& selected = {});

 private:
  struct Bounds {
    double low = 0, high = 0;
  };
  // What values depend on: how many values each may take.
  using Atoms = std::map<std::string, double>;
  struct Cap {
    facts::Id value = facts::kNone;
    double count = 0;
  };

  std::optional<Bounds> bounds(facts::Id value, int depth = 0);
  std::optional<Bounds> bounds_of_call(const facts::Statement& call, int depth);
  std::optional<Bounds> of_loop(const facts::Statement& next, int depth);
  std::optional<double> trips(const facts::Statement& next, int depth = 0);
  bool collect(facts::Id value, Atoms& atoms, const std::vector<Cap>& caps, std::set<facts::Id>& variables,
               int depth = 0);
  bool loops_around(const facts::Statement& store, Atoms& atoms);
  std::optional<double> count(facts::Id value, const std::vector<Cap>& caps);
  void add_caps(facts::Id mask, std::vector<Cap>& caps, int depth = 0);
  double stride(facts::Id value, int depth = 0);
  double programs(const std::string& axis);
  bool same_index(facts::Id a, facts::Id b) const;
  std::optional<double> at(facts::Id value, double program, const std::string& axis, int depth = 0);

  const KernelView& kernel_;
  std::vector<double> grid_;
  std::map<facts::Id, double> numbers_;
  struct Loop {
    const facts::Statement* next = nullptr;
    std::set<facts::Id> blocks;
  };
  std::vector<Loop> loops_;
  std::map<const facts::Statement*, facts::Id> block_of_;
  std::map<std::string, double> taking_part_;  // programs of an axis that come to the access
};

}  // namespace kernel_audit::analysis::rules
