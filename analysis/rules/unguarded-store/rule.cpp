// KA901: a kernel stores at an index of block and thread that nothing compares with a bound.
#include <algorithm>

#include "analysis/rules/kernel_code.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Id;
using facts::Model;
using facts::Statement;
using facts::StatementKind;

const RuleInfo kInfo{"KA901",
                     "unguarded-store",
                     "a kernel stores at an index that it compares with no bound",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kNote,
                     {}};

class Check {
 public:
  explicit Check(const KernelView& kernel) : kernel_(kernel) {}

  const Statement* run() const {
    for (const Id block : kernel_.graph.order()) {
      for (const Statement& s : kernel_.function.blocks[static_cast<std::size_t>(block)].statements) {
        if (s.kind != StatementKind::kStore || !writes_global(kernel_.model, kernel_.function, s)) continue;
        if (over_the_grid(s) && !limited(s) && !guarded(block, s)) return &s;
      }
    }
    return nullptr;
  }

 private:
  bool uses(const Statement& s, const std::string& symbol) const {
    return kernel_.uses(s.location.key, symbol) || kernel_.uses(s.location.base, symbol);
  }

  bool over_the_grid(const Statement& s) const { return uses(s, "blockIdx") && uses(s, "threadIdx"); }

  bool limited(const Statement& s) const {
    for (const Id part : {s.location.key, s.location.base}) {
      for (const std::string& name : kernel_.names_behind(part)) {
        if (one_of(last_part(name), {"min", "umin", "mod", "imod", "and_"})) return true;
      }
    }
    return false;
  }

  bool guarded(Id block, const Statement& s) const {
    std::set<Id> index;
    for (const Id part : {s.location.key, s.location.base}) {
      const auto behind = kernel_.flow.behind(part);
      index.insert(behind.variables.begin(), behind.variables.end());
    }
    for (const Id decider : kernel_.graph.deciders(block)) {
      const Id condition = kernel_.function.blocks[static_cast<std::size_t>(decider)].condition;
      if (kernel_.uses(condition, "threadIdx") || kernel_.uses(condition, "blockIdx")) return true;
      const auto behind = kernel_.flow.behind(condition);
      if (std::any_of(behind.variables.begin(), behind.variables.end(), [&](Id id) { return index.contains(id); }))
        return true;
    }
    return false;
  }

  const KernelView& kernel_;
};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  return one_in_each(kInfo, model, policy, launched_code(model), [](KernelView& kernel) -> KernelPlace {
    return {kernel.function.is_kernel ? Check(kernel).run() : nullptr,
            "stores at an index of block and thread that it compares with no bound."};
  });
}

}  // namespace

const Rule& unguarded_store() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
