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

// The axis that tl.program_id asks for: "?" where that is not known.
std::string axis_of(const facts::Model& model, const facts::Statement& call);

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
  // The same of any access, by those tests alone that ask nothing but where a block or thread is, `chosen` among them.
  using Tests = std::vector<std::pair<const facts::Statement*, bool>>;  // comparisons, and whether they hold
  std::optional<double> reach_by_place(const facts::Statement& access, const Tests& chosen);
  // Elements that lie where an access goes, whoever comes to it.
  std::optional<double> reach_of_address(const facts::Statement& access);
  // Threads in CUDA that come to a statement, each time that one does.
  std::optional<double> threads_at(const facts::Statement& access);
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
    facts::Id value = facts::kNone;  // an index that takes `count` values below `below`, or else
    double count = 0, below = 0;
    const facts::Statement* test = nullptr;  // what has to come out as `holds`, whatever it asks
    bool holds = true;
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
  std::optional<double> count(facts::Id value, const std::vector<Cap>& caps, const Tests& tests = {});
  struct Order {
    facts::Id index = facts::kNone, limit = facts::kNone;
    bool strict = true;
  };
  static facts::Id mask_of(const facts::Statement& access);
  void take_tests(facts::Id mask, Tests& tests, int depth = 0) const;
  void take_tests_of_deciders(facts::Id block, Tests& tests) const;
  std::vector<Cap> caps_of(const Tests& tests);
  static std::optional<Order> order(const facts::Statement& test, bool holds);
  double stride(facts::Id value, int depth = 0);
  double programs(const std::string& axis);
  double all_threads() const;
  bool one_line(const facts::Statement& call) const;
  std::optional<double> block_size(facts::Id shape);
  bool same_index(facts::Id a, facts::Id b) const;
  // What a value is asked along: an axis of the grid, or an index.
  struct Along {
    std::string axis;
    facts::Id index = facts::kNone;
    const std::map<std::string, double>* places = nullptr;  // of several, by their names
  };
  std::optional<double> at(facts::Id value, double place, const Along& along, int depth = 0);
  std::optional<double> joined(const facts::Statement& choice, double place, const Along& along, int depth);
  std::optional<double> fixed(facts::Id value);
  std::optional<double> steps_of(facts::Id value, facts::Id index, int depth = 0);
  std::optional<double> period(facts::Id value, facts::Id index, int depth = 0);
  std::optional<std::pair<double, std::vector<Cap>>> most_of(facts::Id index, const std::vector<Cap>& caps);
  std::optional<double> left_by(const std::vector<Cap>& caps, facts::Id index, double below);
  double product(const Atoms& atoms) const;
  std::string place_name(facts::Id value) const;
  double share_of_rests(const Tests& tests, const Atoms& atoms);
  std::optional<double> share_of_rest(const facts::Statement& test, bool holds, const Atoms& atoms);
  bool linear(facts::Id value, int depth = 0);
  bool add_distinct(facts::Id value, const std::vector<Cap>& caps, Atoms& atoms);
  facts::Id held_at(const facts::Statement& load) const;
  facts::Id held_by_numbers(const facts::Statement& load);
  std::optional<bool> runs_by_numbers(facts::Id block);
  facts::Id passed_on(const facts::Statement& statement) const;
  facts::Id named(facts::Id index);
  bool is_quotient(facts::Id value) const;
  bool by_place(const facts::Statement& test, int depth = 0);
  std::optional<double> count_behind(const facts::Statement& access, const Tests& tests);

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
  int steps_ = 0, calls_ = 0, asked_ = 0;
  std::map<facts::Id, std::optional<double>> fixed_;
  std::vector<facts::Id> named_;               // indices, each once
  std::map<std::string, double> places_;       // of indices, by the name of their atom
  std::set<facts::Id> counting_;               // variables whose bounds are being asked for
  std::map<std::string, double> taking_part_;  // programs of an axis that come to the access
};

}  // namespace kernel_audit::analysis::rules
