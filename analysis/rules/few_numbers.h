// The numbers that a value of device code may be, where they are few: what is made of constants, of the low bits of
// anything, and of choices between such, bit by bit as the device computes it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/rules/kernel_values.h"
#include "analysis/rules/launch_ranges.h"

namespace kernel_audit::analysis::rules {

class FewNumbers {
 public:
  using Numbers = std::vector<double>;  // each once; not-a-number may be among them

  FewNumbers(const facts::Model& model, KernelValues& values) : model_(model), values_(values) {}
  // Nothing where they are many, or where one of them is not known.
  std::optional<Numbers> of(KernelValue value, int depth = 0);
  bool may_be_nan(KernelValue value);

 private:
  std::optional<Numbers> of_load(const facts::Statement& load, KernelValue at, int depth);
  std::optional<Numbers> of_call(const facts::Statement& call, KernelValue at, int depth);
  std::optional<Numbers> of_any(const std::vector<KernelValue>& from, int depth);
  std::optional<Numbers> of_low_bits(const facts::Statement& call, KernelValue at, int depth);

  bool changed(const facts::Function& function, facts::Id variable);

  struct Variables {
    Variables(const facts::Model& model, const facts::Function& function) : view(model, function), plain(view) {}
    KernelView view;
    PlainVariables plain;
  };

  const facts::Model& model_;
  KernelValues& values_;
  std::map<const facts::Function*, std::unique_ptr<Variables>> functions_;
};

}  // namespace kernel_audit::analysis::rules
