// What one launch lets the built-in indices, the parameters that are numbers and the memory of its kernel be, in CUDA
// and in Triton, and which of the kernel's blocks no thread of it can come to. Whatever is not known may be anything.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/rules/host_numbers.h"
#include "analysis/rules/kernel_code.h"

namespace kernel_audit::analysis::rules {

struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool point() const { return low == high; }
};

// Local variables that hold what their only store puts there: no address of them is handed on, no lambda stores to
// them.
class PlainVariables {
 public:
  explicit PlainVariables(const KernelView& view);
  const KernelView& view() const { return view_; }
  bool plain(facts::Id storage) const;
  bool changed(facts::Id storage) const { return changed_.contains(storage); }
  // What a value is by way of such variables and casts.
  facts::Id settled(facts::Id value) const;
  // KernelView::number, where only such variables take part.
  std::optional<double> number(facts::Id value) const;

 private:
  const KernelView& view_;
  std::set<facts::Id> changed_;
};

// Every launch of a kernel, those that the analysis did not come to as well.
std::vector<facts::StatementRef> launches_of(const facts::Model& model, facts::Id kernel);

// What a parameter of the kernel is when it is the same number in every launch.
std::optional<double> number_in_every_launch(const KernelView& kernel, facts::Id parameter);

class LaunchRanges {
 public:
  // `inputs`: when forward is given what the candidate's own get_inputs makes. `context`: one of the ways that lead to
  // the launch; what holds on all of them otherwise.
  LaunchRanges(const KernelView& kernel, const facts::StatementRef& launch, HostNumbers* inputs = nullptr,
               std::optional<facts::ContextId> context = std::nullopt);
  // Of a function that the kernel calls.
  LaunchRanges(const KernelView& called, const LaunchRanges& caller, const facts::Statement& call);
  Range of(facts::Id value, int depth = 0) const;
  // Whether the condition may come out as `side`.
  bool may_be(facts::Id condition, bool side, int depth = 0) const;
  // The block whose condition keeps every thread from `block`; kNone when a thread may come there.
  facts::Id barred_by(facts::Id block) const;
  // Whether a thread may come to each of the blocks.
  std::vector<bool> reached() const;

 private:
  struct Place {
    const facts::StatementRef& where;
    const facts::Statement& launch;
    std::optional<facts::ContextId> context;
    HostNumbers* inputs;
    int frame;
  };
  void take_grid(const Place& place);
  void take_parameters(const Place& place);
  void take_dimensions(const PlainVariables& host, facts::Id value, const std::string& size, const std::string& index);
  void take_dimensions(const std::vector<double>& sizes, const std::string& size, const std::string& index);
  bool may_go_on(facts::Id block, bool side) const;
  Range of_call(const facts::Statement& call, int depth) const;
  bool same_element(const facts::Statement& call) const;
  Range of_grid(const facts::Statement& call) const;
  Range returned_by(const facts::Statement& call) const;
  Range of_triton(const facts::Statement& call, int depth) const;
  // The numbers that a loop over range(…) counts, and whether it may have a turn.
  std::pair<Range, bool> counted(const facts::Statement& next, int depth) const;
  Range at(facts::Id pointer) const;
  Range of_member(const facts::Statement& load) const;
  std::optional<Range> of_counter(facts::Id storage, int depth) const;

  const KernelView& kernel_;
  PlainVariables variables_;
  std::map<std::string, Range> built_in_;                      // by symbol: "threadIdx.x"
  std::map<facts::Id, Range> parameters_;                      // by storage
  std::map<std::pair<facts::Id, std::string>, Range> fields_;  // members of structures, by parameter
  std::map<facts::Id, Range> memory_;                          // what the pointers in these parameters lead to
  int calls_ = 0;                                              // from the kernel to this function
  mutable std::map<const facts::Statement*, Range> returned_;  // by call of a function
};

}  // namespace kernel_audit::analysis::rules
