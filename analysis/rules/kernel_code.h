// What rules about single kernels ask: shared memory, barriers, indices, what a statement stores. Built on
// device_code.h.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/facts/flow_graph.h"
#include "analysis/rules/device_code.h"

namespace kernel_audit::analysis::rules {

// launched_code, and the Triton functions that launches from Python reach.
std::vector<DeviceFunction> launched_code_of_both(const facts::Model& model);

// Whether a function is decorated by something of that package: "triton", "numba".
bool decorated_by(const facts::Function& function, const std::string& package);

class KernelView {
 public:
  // Of a function of the model's.
  KernelView(const facts::Model& model, const facts::Function& function);

  const facts::Model& model;
  const facts::Function& function;
  const facts::FlowGraph& graph;
  DeviceFlow flow;

  // The shared array that a load or store goes to, kNone when it does not.
  facts::Id shared_target(const facts::Statement& statement, int depth = 0) const;
  // Shared arrays that a call is handed.
  std::vector<facts::Id> shared_operands(const facts::Statement& statement) const;
  // The place that a pointer points into (pointer_root), remembered.
  facts::Id root(facts::Id pointer) const;
  // Whether every thread of the block waits here: __syncthreads, bar.sync, a group's sync, or a call that may do so.
  bool is_barrier(const facts::Statement& statement) const;
  bool uses(facts::Id value, const std::string& symbol) const;  // "threadIdx", also through shared copies
  // Callees and symbols behind a value, and its numbers.
  std::vector<std::string> names_behind(facts::Id value) const;
  std::vector<double> numbers_behind(facts::Id value) const;
  // The value of arithmetic on numbers in the source.
  std::optional<double> number(facts::Id value, int depth = 0) const;
  // The conditions that say which of its operands a choice is.
  std::vector<facts::Id> choosing(const facts::Statement& phi) const;
  // Whether the block runs only on one side of the decider's condition.
  std::optional<bool> side(facts::Id decider, facts::Id block) const;

 private:
  mutable std::map<facts::Id, facts::Id> roots_;
};

// The view of a function, made once.
const KernelView& view_of(const facts::Model& model, facts::Id function);

// The first place of a kernel that a rule objects to, and what is said of the kernel.
struct KernelPlace {
  const facts::Statement* at = nullptr;  // none: nothing to object to
  std::string says;
};
// One finding for each of `launched` in which `look` finds a place.
std::vector<Finding> one_in_each(const RuleInfo& info, const facts::Model& model, const Policy& policy,
                                 const std::vector<DeviceFunction>& launched,
                                 const std::function<KernelPlace(KernelView&)>& look);

// Threads of a launch where grid and block are numbers in the source.
std::optional<double> threads_of(const KernelView& host, const facts::Launch& launch);

}  // namespace kernel_audit::analysis::rules
