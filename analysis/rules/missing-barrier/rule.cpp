// KA902: a kernel reads at another index of a shared array, and no barrier comes after the store.
#include <algorithm>

#include "analysis/rules/kernel_code.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;
using facts::StatementKind;

const RuleInfo kInfo{"KA902",
                     "missing-barrier",
                     "shared memory is read at another thread's index without a barrier after the store",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kNote,
                     {}};

class Check {
 public:
  explicit Check(const KernelView& kernel) : kernel_(kernel) {
    for (const facts::Block& block : kernel.function.blocks) {
      for (const Statement& s : block.statements) {
        if (s.callee == "operator.addressof") addressed_.insert(s.args.begin(), s.args.end());
      }
    }
  }

  // The first load, and the store that it may race with.
  std::pair<const Statement*, const Statement*> run() const {
    if (synchronises_otherwise()) return {};
    for (const Id block : kernel_.graph.order()) {
      const auto& statements = kernel_.function.blocks[static_cast<std::size_t>(block)].statements;
      for (std::size_t i = 0; i < statements.size(); ++i) {
        const Statement& s = statements[i];
        const Id array = s.kind == StatementKind::kStore ? kernel_.shared_target(s) : kNone;
        if (array == kNone || s.location.key == kNone || !kernel_.uses(s.location.key, "threadIdx") ||
            by_some_threads(block))
          continue;
        const Statement* load = reached(block, i + 1, array, s);
        if (load != nullptr) return {load, &s};
      }
    }
    return {};
  }

 private:
  // Warps that agree among themselves, and calls that may wait.
  bool synchronises_otherwise() const {
    for (const facts::Block& block : kernel_.function.blocks) {
      for (const Statement& s : block.statements) {
        if (s.kind != StatementKind::kCall) continue;
        const std::string last = last_part(s.callee);
        if (last.starts_with("__syncwarp") || last.starts_with("__shfl") || s.callee == "asm" ||
            s.callee.find("wmma") != std::string::npos || s.callee.find("cooperative_groups") != std::string::npos)
          return true;
        if (s.target != kNone || (s.callee.empty() && s.callee_value != kNone)) return true;
      }
    }
    return false;
  }

  bool by_some_threads(Id block) const {
    for (const Id decider : kernel_.graph.deciders(block)) {
      const Id condition = kernel_.function.blocks[static_cast<std::size_t>(decider)].condition;
      const Statement* test = kernel_.flow.made(condition);
      if (test != nullptr && test->callee == "operator.eq" && kernel_.uses(condition, "threadIdx")) return true;
    }
    return false;
  }

  const Statement* reached(Id block, std::size_t index, Id array, const Statement& store) const {
    std::set<Id> seen;
    std::vector<std::pair<Id, std::size_t>> todo{{block, index}};
    while (!todo.empty()) {
      const auto [at, from] = todo.back();
      todo.pop_back();
      const facts::Block& here = kernel_.function.blocks[static_cast<std::size_t>(at)];
      bool waits = false;
      for (std::size_t i = from; i < here.statements.size() && !waits; ++i) {
        const Statement& s = here.statements[i];
        waits = kernel_.is_barrier(s);
        if (s.kind != StatementKind::kLoad || addressed_.contains(s.result) || kernel_.shared_target(s) != array ||
            s.location.key == kNone)
          continue;
        const bool same = kernel_.flow.same(s.location.key, store.location.key);
        if (!same && !by_some_threads(at)) return &s;
      }
      if (waits) continue;
      for (const facts::Edge& edge : here.successors) {
        // The same loop again is another question: the values of its variables have changed.
        if (edge.kind == facts::EdgeKind::kLoopBack || !seen.insert(edge.to).second) continue;
        todo.emplace_back(edge.to, 0);
      }
    }
    return nullptr;
  }

  const KernelView& kernel_;
  std::set<Id> addressed_;
};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  for (const DeviceFunction& code : launched_code(model)) {
    const facts::Function& function = model.function(code.function);
    if (!function.is_kernel) continue;
    const KernelView& kernel = view_of(model, code.function);
    const auto [load, store] = Check(kernel).run();
    if (load == nullptr) continue;
    Finding finding = make_finding(
        kInfo, policy,
        function.qualified_name + " reads shared memory at another index than it stored, and no barrier lies between.");
    finding.span = load->span;
    finding.notes.push_back({store->span, "stored here"});
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& missing_barrier() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
