// How much one launch of a kernel reaches of what a parameter points to, in elements of the tensor behind it.
#pragma once

#include <optional>
#include <utility>

#include "analysis/rules/kernel_extent.h"
#include "analysis/rules/launched.h"

namespace kernel_audit::analysis::rules {

class Reached {
 public:
  Reached(const facts::Model& model, const KernelView& kernel, Launched& launch);

  struct Sum {
    std::optional<double> elements;
    const facts::Statement* first = nullptr;
  };
  Sum of(const facts::Parameter& parameter, double element_size, bool store);
  // The same of stores of what is computed. Where a block or thread puts down a number for being where it is, that is
  // left out: nothing where none does.
  std::optional<double> computed(const facts::Parameter& parameter, double element_size);
  // How many elements lie where it reads through a parameter, whoever comes to the reads.
  std::optional<double> addressed(const facts::Parameter& parameter, double element_size);
  // Where each store through a parameter stays below a bound that the launch gives, the first of them and by how much.
  std::pair<const facts::Statement*, KernelExtent::Shortfall> shortfall(const facts::Parameter& parameter);

 private:
  struct Here {
    bool touches = false;
    std::optional<double> count;
  };
  bool same_place(const facts::Statement& a, const facts::Statement& b) const;
  // A number, or a block of it.
  bool all_one_number(facts::Id value) const;
  // What holds where a value is anything but the number that is chosen instead of it.
  KernelExtent::Tests chosen_by(facts::Id value) const;
  bool points(facts::Id value, const facts::Parameter& parameter) const;
  // A pointer to blocks, which a loop may move on.
  bool in_blocks(facts::Id pointer, const facts::Parameter& parameter) const;
  Here touched_by(const facts::Statement& s, const facts::Parameter& parameter, double element_size, bool store);
  // y[i] = x[i]
  Here in_numba(const facts::Statement& s, const facts::Parameter& parameter, bool store);
  Here in_triton(const facts::Statement& s, const facts::Parameter& parameter, bool store);
  Here in_cuda(const facts::Statement& s, const facts::Parameter& parameter, double element_size, bool store);
  // Elements that one call of a function of the candidate stores through a parameter, where none is in a loop.
  std::optional<double> stored_by(const facts::Statement& call, const facts::Parameter& parameter,
                                  double element_size) const;
  bool handed(facts::Id arg, const facts::Parameter& parameter) const;
  // A sum, a maximum, a test or shared memory takes in what is loaded, by whatever way it goes there.
  bool taken_in(const facts::Statement& load) const;
  // Whether something outlasts what a block decides: a count, the largest so far, what a loop has found. A choice of
  // what is put in the same place does not.
  bool keeps_what_is_found(const facts::Block& decider) const;
  // Whether the variable of a store has another from before a loop around the block.
  bool outlasts_loop(const facts::Statement& store, facts::Id block) const;
  bool gathers(const facts::Statement& store) const;
  bool local(facts::Id pointer) const;
  // Whether a statement reads through a parameter; nothing where it may do something else with it.
  std::optional<bool> reads(const facts::Statement& s, const facts::Parameter& parameter) const;

  const facts::Model& model_;
  const KernelView& kernel_;
  KernelExtent extent_;
  bool native_, numba_;
};

}  // namespace kernel_audit::analysis::rules
