// KA903: not every thread of a block comes to a barrier.
#include <algorithm>

#include "analysis/rules/kernel_code.h"
#include "analysis/rules/rules.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;
using facts::StatementKind;

const RuleInfo kInfo{"KA903",
                     "divergent-barrier",
                     "__syncthreads runs under a condition that threads of a block decide differently",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kNote,
                     {}};

class Check {
 public:
  explicit Check(const KernelView& kernel) : kernel_(kernel) {}

  std::pair<const Statement*, Id> run() const {
    for (const Id block : kernel_.graph.order()) {
      for (const Statement& s : kernel_.function.blocks[static_cast<std::size_t>(block)].statements) {
        if (s.kind != StatementKind::kCall || !s.callee.starts_with("__syncthreads")) continue;
        for (const Id decider : kernel_.graph.deciders(block)) {
          const Id condition = kernel_.function.blocks[static_cast<std::size_t>(decider)].condition;
          if (kernel_.uses(condition, "threadIdx") && goes_on(decider, block)) return {&s, condition};
        }
      }
    }
    return {nullptr, kNone};
  }

 private:
  // Whether the side without the barrier does more than to leave.
  bool goes_on(Id decider, Id barrier) const {
    for (const facts::Edge& edge : kernel_.function.blocks[static_cast<std::size_t>(decider)].successors) {
      if (edge.to == barrier || kernel_.graph.dominates(edge.to, barrier)) continue;
      std::set<Id> seen{decider};
      std::vector<Id> todo{edge.to};
      while (!todo.empty()) {
        const Id at = todo.back();
        todo.pop_back();
        if (!seen.insert(at).second) continue;
        const facts::Block& block = kernel_.function.blocks[static_cast<std::size_t>(at)];
        for (const Statement& s : block.statements) {
          if (s.kind == StatementKind::kStore || s.kind == StatementKind::kCall) return true;
        }
        for (const facts::Edge& next : block.successors) todo.push_back(next.to);
      }
    }
    return false;
  }

  const KernelView& kernel_;
};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  for (const DeviceFunction& code : launched_code(model)) {
    const facts::Function& function = model.function(code.function);
    const KernelView& kernel = view_of(model, code.function);
    const auto [barrier, condition] = Check(kernel).run();
    if (barrier == nullptr) continue;
    Finding finding = make_finding(
        kInfo, policy, "Not every thread of a block comes to a barrier of " + function.qualified_name + ".");
    finding.span = barrier->span;
    finding.notes.push_back({model.value(condition).span, "decided by the thread here"});
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& divergent_barrier() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
