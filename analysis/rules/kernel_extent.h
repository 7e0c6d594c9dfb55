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
  using Fields = std::map<std::pair<facts::Id, std::string>, double>;  // members of structures, by parameter
  // `numbers`: what the launch gives to the kernel's parameters, by storage.
  // `block`: the threads of a block in CUDA.
  KernelExtent(const KernelView& kernel, std::vector<double> grid, std::vector<double> block,
               std::map<facts::Id, double> numbers, Fields fields = {});

  // Elements that a tl.load or tl.store can reach, where the conditions `selected` hold as well; nothing when that
  // cannot be told.
  std::optional<double> reach(const facts::Statement& access, const std::vector<facts::Id>& selected = {});
  // The same of a load or store in CUDA, or of what a call reads at the address that it is given first.
  std::optional<double> reach_of_threads(const facts::Statement& access);
  // A bound that the launch gives to an index of the access, which no thread comes up to.
  struct Shortfall {
    double reached = 0, limit = 0;
  };
  std::optional<Shortfall> falls_short(const facts::Statement& access);

 private:
  struct Bounds {
    double low = 0, high = 0;
  };
  // What values depend on: how many values each may take.
  using Atoms = std::map<std::string, double>;
  struct Cap {
    facts::Id value = facts::kNone;
    double count = 0;
    double share = 1;  // below 1: of the values that another cap leaves
  };

  struct Loop {
    facts::Id header = facts::kNone;
    const facts::Statement* next = nullptr;
    std::set<facts::Id> blocks;
  };
  std::optional<Bounds> bounds(facts::Id value, int depth = 0);
  std::optional<Bounds> returned_by(const facts::Statement& call, const std::vector<Bounds>& args);
  bool bounds_known(facts::Id value) const;
  std::optional<Bounds> bounds_of_choice(const facts::Statement& phi, int depth);
  std::optional<Bounds> bounds_of_call(const facts::Statement& call, int depth);
  // Where a loop over range(…) starts and what it does not come to.
  struct Span {
    Bounds start, end;
    facts::Id step = facts::kNone;  // left out
  };
  std::optional<Span> span_of_range(const facts::Statement& next, int depth);
  std::optional<Bounds> of_loop(const facts::Statement& next, int depth);
  std::optional<double> trips(const facts::Statement& next, int depth = 0);
  bool collect(facts::Id value, Atoms& atoms, const std::vector<Cap>& caps, std::set<facts::Id>& variables,
               int depth = 0);
  bool loops_around(const facts::Statement& store, Atoms& atoms);
  std::optional<double> count(facts::Id value, const std::vector<Cap>& caps);
  // Comparisons, and whether they hold.
  using Tests = std::vector<std::pair<const facts::Statement*, bool>>;
  struct Order {
    facts::Id index = facts::kNone, limit = facts::kNone;
    bool strict = true;
  };
  static facts::Id mask_of(const facts::Statement& access);
  void take_tests(facts::Id mask, Tests& tests, int depth = 0) const;
  void take_tests_of_deciders(facts::Id block, Tests& tests) const;
  std::vector<Cap> caps_of(const Tests& tests);
  static std::optional<Order> order(const facts::Statement& test, bool holds);
  void add_share(const facts::Statement& test, bool holds, std::vector<Cap>& caps);
  double stride(facts::Id value, int depth = 0);
  double programs(const std::string& axis);
  double all_threads() const;
  bool one_line(const facts::Statement& call) const;
  std::optional<double> block_size(facts::Id shape);
  bool same_index(facts::Id a, facts::Id b) const;
  std::optional<double> at(facts::Id value, double program, const std::string& axis, int depth = 0);

  // Turns of a loop, and what its counter may be: a `for` over a variable that each turn moves on.
  std::optional<double> turns(const Loop& loop);
  struct Counter {
    Bounds start, limit;
    double step = 0;
  };
  std::pair<const facts::Statement*, double> tested(const facts::Statement& test);
  std::optional<Counter> counter(const Loop& loop, facts::Id variable);

  const KernelView& kernel_;
  std::vector<double> grid_, threads_;
  std::map<facts::Id, double> numbers_;
  Fields fields_;
  std::optional<Bounds> of_member(const facts::Statement& load) const;
  std::optional<Bounds> built_in(const std::string& symbol) const;
  void add_cap(const facts::Statement& test, bool holds, std::vector<Cap>& caps);
  std::vector<Loop> loops_;
  std::map<const facts::Statement*, facts::Id> block_of_;
  static constexpr int kMostSteps = 2'000'000;  // past it nothing is known
  int steps_ = 0, calls_ = 0;
  std::set<facts::Id> counting_;               // variables whose bounds are being asked for
  std::map<std::string, double> taking_part_;  // programs of an axis that come to the access
};

}  // namespace kernel_audit::analysis::rules
