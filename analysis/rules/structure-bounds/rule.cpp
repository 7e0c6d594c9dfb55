// KA813: a bound that an integer argument holds (a length, an offset) is capped by a number in the source.
#include <algorithm>

#include "analysis/rules/fixed_reads.h"
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

const RuleInfo kInfo{"KA813",
                     "structure-bounds",
                     "a number in the source caps a length or offset that an argument holds",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {74}};

class Check {
 public:
  explicit Check(KernelView& kernel) : kernel_(kernel) {}

  const Statement* run() {
    for (std::size_t b = 0; b < kernel_.function.blocks.size(); ++b) {
      for (const Statement& s : kernel_.function.blocks[b].statements) {
        if (s.kind == StatementKind::kCall && caps(s) && bounds_a_loop(s.result)) return &s;
        if (s.kind == StatementKind::kPhi && chosen(static_cast<Id>(b), s) && bounds_a_loop(s.result)) return &s;
        if (s.kind == StatementKind::kStore && replaced(static_cast<Id>(b), s)) return &s;
      }
    }
    return nullptr;
  }

 private:
  // A whole number read from memory that the kernel was handed.
  bool from_argument(Id value) {
    if (value == kNone) return false;
    bool read = false;
    for (const Id id : kernel_.flow.behind(value).values) {
      const Statement* made = kernel_.flow.made(id);
      if (made == nullptr) continue;
      read =
          read || made->callee == "triton.language.load" ||
          (made->kind == StatementKind::kLoad && kernel_.flow.deref(*made) &&
           kernel_.model.value(id).type.kind == facts::TypeKind::kInt && parameter(kernel_.root(made->location.base)));
    }
    return read;
  }

  bool parameter(Id storage) const {
    const auto& parameters = kernel_.function.parameters;
    return std::any_of(parameters.begin(), parameters.end(),
                       [&](const facts::Parameter& each) { return storage != kNone && each.storage == storage; });
  }

  bool number_and_bound(Id a, Id b) {
    const auto number = kernel_.number(a);
    return number && *number > 1 && from_argument(b);
  }

  // min(lengths[row], 64)
  bool caps(const Statement& s) {
    if (!one_of(last_part(s.callee), {"min", "minimum", "umin", "fminf"}) || s.args.size() < 2) return false;
    return number_and_bound(s.args[0], s.args[1]) || number_and_bound(s.args[1], s.args[0]);
  }

  bool compared(Id block, Id& bound, double& number) {
    for (const Id decider : kernel_.graph.deciders(block)) {
      const Statement* test = kernel_.flow.made(kernel_.function.blocks[static_cast<std::size_t>(decider)].condition);
      if (test == nullptr || test->args.size() != 2) continue;
      if (!one_of(test->callee, {"operator.lt", "operator.le", "operator.gt", "operator.ge"})) continue;
      for (const std::size_t side : {0U, 1U}) {
        if (!number_and_bound(test->args[side], test->args[1 - side])) continue;
        bound = test->args[1 - side];
        number = *kernel_.number(test->args[side]);
        return true;
      }
    }
    return false;
  }

  // n < 64 ? n : 64
  bool chosen(Id block, const Statement& phi) {
    if (phi.args.size() != 2) return false;
    for (const std::size_t side : {0U, 1U}) {
      if (!number_and_bound(phi.args[side], phi.args[1 - side])) continue;
      for (const Id before : kernel_.graph.predecessors(block)) {
        Id bound = kNone;
        double number = 0;
        if (compared(before, bound, number) && number == *kernel_.number(phi.args[side])) return true;
      }
    }
    return false;
  }

  // if (n > 64) n = 64;
  bool replaced(Id block, const Statement& s) {
    if (s.augmented || s.value == kNone || s.location.element || kernel_.flow.deref(s)) return false;
    Id bound = kNone;
    double number = 0;
    const auto stored = kernel_.number(s.value);
    if (!stored || !compared(block, bound, number) || number != *stored) return false;
    return kernel_.flow.behind(bound).variables.contains(s.location.storage) && bounds_a_loop_by(s.location.storage);
  }

  bool bounds_a_loop(Id value) {
    for (const Id block : loops()) {
      const Id condition = kernel_.function.blocks[static_cast<std::size_t>(block)].condition;
      if (condition != kNone && kernel_.flow.behind(condition).values.contains(value)) return true;
    }
    for (const facts::Block& block : kernel_.function.blocks) {
      for (const Statement& s : block.statements) {
        if (s.callee == "builtins.range" && kernel_.flow.behind(s.result).values.contains(value)) return true;
      }
    }
    return false;
  }

  bool bounds_a_loop_by(Id variable) {
    return std::any_of(loops().begin(), loops().end(), [&](Id block) {
      const Id condition = kernel_.function.blocks[static_cast<std::size_t>(block)].condition;
      return condition != kNone && kernel_.flow.behind(condition).variables.contains(variable);
    });
  }

  const std::set<Id>& loops() const { return blocks_in_loops(kernel_.model, kernel_.model.id_of(kernel_.function)); }

  KernelView& kernel_;
};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings =
      one_in_each(kInfo, model, policy, launched_code_of_both(model), [](KernelView& kernel) -> KernelPlace {
        return {Check(kernel).run(), "caps a bound that an argument holds with a number in the source."};
      });
  for (const FixedRead& fixed : read_at_fixed_places(model)) {
    const std::string& name = model.function(fixed.kernel).parameters[fixed.parameter].name;
    findings.push_back(
        finding_in_launched(kInfo, model, policy, {fixed.kernel, fixed.launch}, *fixed.read,
                            "goes by what it reads at a fixed place of " + name + ", and reads none of the other " +
                                std::to_string(static_cast<long long>(fixed.elements) - 1) + " elements."));
  }
  return findings;
}

}  // namespace

const Rule& structure_bounds() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
