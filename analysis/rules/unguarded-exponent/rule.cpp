// KA815: a kernel divides by, or takes the logarithm of, a sum of exponentials of elements as they are: large inputs
// overflow, which a softmax that subtracts the maximum does not.
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

const RuleInfo kInfo{"KA815",
                     "unguarded-exponent",
                     "a sum of exponentials is taken without subtracting a maximum first",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {72}};

class Check {
 public:
  explicit Check(KernelView& kernel) : kernel_(kernel) {}

  const Statement* run() {
    std::set<Id> sums;     // variables that exponentials are added to
    std::set<Id> reduced;  // Triton: results of tl.sum over them
    const Statement* first = nullptr;
    for (const facts::Block& block : kernel_.function.blocks) {
      for (const Statement& s : block.statements) {
        if (s.kind == StatementKind::kStore && s.augmented && s.location.storage != kNone && s.value != kNone) {
          const Statement* added = kernel_.flow.made(s.value);
          if (added == nullptr || added->callee != "operator.iadd" || added->args.size() != 2) continue;
          if (const Statement* exponent = unguarded(added->args[1]); exponent != nullptr) {
            sums.insert(s.location.storage);
            if (first == nullptr) first = exponent;
          }
        }
        if (s.kind == StatementKind::kCall && s.callee == "triton.language.sum" && !s.args.empty()) {
          if (const Statement* exponent = unguarded(s.args[0]); exponent != nullptr) {
            reduced.insert(s.result);
            if (first == nullptr) first = exponent;
          }
        }
      }
    }
    if (first == nullptr) return nullptr;
    for (const facts::Block& block : kernel_.function.blocks) {
      for (const Statement& s : block.statements) {
        if (s.kind != StatementKind::kCall) continue;
        Id divisor = kNone;
        if (one_of(s.callee, {"operator.truediv", "operator.itruediv", "__fdividef", "fdividef"}) && s.args.size() == 2)
          divisor = s.args[1];
        if (one_of(last_part(s.callee), {"log", "logf", "__logf", "log2f", "log2"}) && !s.args.empty())
          divisor = s.args[0];
        if (divisor == kNone) continue;
        const DeviceFlow::Behind behind = kernel_.flow.behind(divisor);
        const auto any = [](const std::set<Id>& a, const std::set<Id>& b) {
          return std::any_of(a.begin(), a.end(), [&](Id id) { return b.contains(id); });
        };
        if (any(sums, behind.variables) || any(reduced, behind.values)) return first;
      }
    }
    return nullptr;
  }

 private:
  static bool is_exponential(const std::string& callee) {
    return one_of(last_part(callee), {"exp", "expf", "__expf", "exp2", "exp2f", "exp10f", "__exp10f", "hexp"});
  }

  // The exponential that is (a multiple of) the value, when what it raises is memory that nothing was taken from.
  const Statement* unguarded(Id value) {
    for (const Id id : kernel_.flow.behind(value).values) {
      const Statement* s = kernel_.flow.made(id);
      if (s == nullptr || s->kind != StatementKind::kCall || s->args.empty() || !is_exponential(s->callee)) continue;
      if (plain(s->args[0])) return s;
    }
    return nullptr;
  }

  bool plain(Id argument) {
    bool loaded = !kernel_.flow.memory_behind(argument).empty();
    for (const Id id : kernel_.flow.behind(argument).values) {
      const facts::Value& value = kernel_.model.facts().values[static_cast<std::size_t>(id)];
      const Statement* s = kernel_.flow.made(id);
      if (value.constant && value.constant->is_number() && value.constant->get<double>() < 0) return false;
      if (s == nullptr || s->kind != StatementKind::kCall) continue;
      if (s->callee == "triton.language.load") loaded = true;
      const std::string last = last_part(s->callee);
      const bool index = value.type.kind == facts::TypeKind::kInt;
      if (index) continue;
      if (one_of(last, {"sub", "isub", "neg",    "fmaf",  "fma", "fminf",   "fmin",     "min",   "minimum", "clamp",
                        "exp", "expf", "__expf", "fmaxf", "max", "maximum", "fdividef", "where", "tanhf",   "tanh"}))
        return false;
      if (s->target != kNone) return false;  // a helper may do it
    }
    return loaded;
  }

  KernelView& kernel_;
};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  return one_in_each(kInfo, model, policy, launched_code_of_both(model), [](KernelView& kernel) -> KernelPlace {
    return {Check(kernel).run(), "sums exponentials of elements from which it takes no maximum."};
  });
}

}  // namespace

const Rule& unguarded_exponent() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
