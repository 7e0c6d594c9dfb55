// KA815: a kernel divides by, or takes the logarithm of, a sum of exponentials of elements as they are: large inputs
// overflow, which a softmax that subtracts the maximum does not.
#include <algorithm>

#include "analysis/rules/kernel_code.h"
#include "analysis/rules/kernel_values.h"
#include "analysis/rules/launch_ranges.h"
#include "analysis/rules/launch_values.h"
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
  Check(KernelView& kernel, const LaunchValues& launches)
      : kernel_(kernel), launches_(launches), values_(kernel.model, kernel.function), variables_(kernel) {}

  const Statement* run() {
    std::set<Id> sums;     // variables that exponentials are added to
    std::set<Id> reduced;  // Triton: results of tl.sum over them
    const Statement* first = nullptr;
    for (const facts::Block& block : kernel_.function.blocks) {
      for (const Statement& s : block.statements) {
        if (const Id added = added_by(s); added != kNone) {
          if (const Statement* exponent = unguarded({added, 0}); exponent != nullptr) {
            sums.insert(s.location.storage);
            if (first == nullptr) first = exponent;
          }
        }
        if (s.kind == StatementKind::kCall && s.callee == "triton.language.sum" && !s.args.empty()) {
          if (const Statement* exponent = unguarded({s.args[0], 0}); exponent != nullptr) {
            reduced.insert(s.result);
            if (first == nullptr) first = exponent;
          }
        }
      }
    }
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
        if (const Statement* exponent = summed_by_helper(divisor); exponent != nullptr) return exponent;
      }
    }
    return nullptr;
  }

 private:
  static bool is_exponential(const std::string& callee) {
    return one_of(last_part(callee), {"exp", "expf", "__expf", "exp2", "exp2f", "exp10f", "__exp10f", "hexp"});
  }

  // What a store adds to the variable that it stores to: `sum += e`, `sum = sum * a + e`.
  Id added_by(const Statement& s) const {
    if (s.kind != StatementKind::kStore || s.location.storage == kNone || s.location.element) return kNone;
    const Statement* added = kernel_.flow.made(s.value);
    if (added == nullptr || added->args.size() != 2) return kNone;
    if (s.augmented) return added->callee == "operator.iadd" ? added->args[1] : kNone;
    if (added->callee != "operator.add") return kNone;
    const auto itself = [&](Id value) { return kernel_.flow.behind(value).variables.contains(s.location.storage); };
    if (itself(added->args[0]) == itself(added->args[1])) return kNone;
    return itself(added->args[0]) ? added->args[1] : added->args[0];
  }

  // The exponential that is (a multiple of) the value, when what it raises is memory from which nothing that depends
  // on memory was taken.
  const Statement* unguarded(KernelValue value) {
    const Statement* found = nullptr;
    values_.walk(value, [&](const Statement& s, KernelValue at) {
      if (found != nullptr || values_.reads_memory(s, at.frame)) return false;
      if (s.kind != StatementKind::kCall || s.args.empty() || !is_exponential(s.callee)) return true;
      if (plain({s.args[0], at.frame})) found = &s;
      return false;
    });
    return found;
  }

  // The exponential in a sum that a function made which the kernel calls.
  const Statement* summed_by_helper(Id divisor) {
    std::vector<KernelValue> sums;
    values_.walk({divisor, 0}, [&](const Statement& s, KernelValue at) {
      if (at.frame > 0 && s.callee == "triton.language.sum" && !s.args.empty()) sums.push_back({s.args[0], at.frame});
      return !values_.reads_memory(s, at.frame);
    });
    for (const KernelValue& sum : sums) {
      if (const Statement* exponent = unguarded(sum); exponent != nullptr) return exponent;
    }
    return nullptr;
  }

  // A value that is the same for all rows: numbers, and what the launch hands over but does not take from a tensor.
  bool fixed(KernelValue value) {
    bool same = true;
    values_.walk(value, [&](const Statement& s, KernelValue at) {
      same = same && !depends(s, at);
      return same;
    });
    return same;
  }

  bool depends(const Statement& s, KernelValue at) {
    if (values_.reads_memory(s, at.frame)) return true;
    if (s.kind == StatementKind::kLoad) {
      if (const Id parameter = values_.kernel_parameter(s, at); parameter != kNone) return !number(parameter);
      const bool element = s.location.element && s.location.base == kNone;
      return element || (at.frame == 0 && variables_.changed(s.location.storage));
    }
    if (s.kind != StatementKind::kCall || s.target != kNone) return false;
    static constexpr std::string_view plain_calls[] = {
        "full",  "tuple", "list", "arange", "float", "zeros",   "cast",        "to",          "log2",
        "log2f", "logf",  "log",  "sqrt",   "sqrtf", "float32", "expand_dims", "broadcast_to"};
    return !s.callee.starts_with("operator.") && !matches(last_part(s.callee), plain_calls);
  }

  // A number that no tensor's contents have a part in.
  bool number(Id parameter) const {
    const auto& parameters = kernel_.function.parameters;
    const auto place = std::find_if(parameters.begin(), parameters.end(),
                                    [&](const facts::Parameter& each) { return each.storage == parameter; });
    const Id self = static_cast<Id>(&kernel_.function - kernel_.model.facts().functions.data());
    const auto given = launches_.given(self, static_cast<std::size_t>(place - parameters.begin()));
    const auto& graph = kernel_.model.provenance();
    return given && given->objects.empty() && !graph.reaches(given->nodes, facts::NodeKind::kArgument) &&
           !graph.reaches(given->nodes, facts::NodeKind::kWeights);
  }

  bool plain(KernelValue argument) {
    bool loaded = false, guarded = false;
    values_.walk(argument, [&](const Statement& s, KernelValue at) {
      if (guarded) return false;
      if (values_.reads_memory(s, at.frame) || s.callee == "triton.language.dot") {
        loaded = true;
        return false;
      }
      if (s.kind == StatementKind::kPhi) guarded = true;  // a choice
      if (s.kind != StatementKind::kCall || s.target != kNone) return !guarded;
      const std::string last = last_part(s.callee);
      const auto fixed_part = [&](std::size_t i) { return i < s.args.size() && fixed({s.args[i], at.frame}); };
      if (one_of(last, {"sub", "isub"})) guarded = !fixed_part(1);
      if (one_of(last, {"min", "minimum", "fminf", "fmin"})) guarded = !fixed_part(0) && !fixed_part(1);
      if (one_of(last, {"fmaf", "fma"})) guarded = !fixed_part(2);
      if (one_of(last, {"mul", "imul"})) {
        for (const Id arg : s.args) {
          const auto factor = kernel_.number(arg);
          guarded = guarded || (factor && *factor < 0);
        }
      }
      if (last == "where" && s.args.size() == 3) {
        // Places that are masked out raise a large negative number.
        guarded = !masks(s.args[1], at) && !masks(s.args[2], at);
      }
      if (one_of(last, {"neg", "clamp", "exp", "expf", "__expf", "fmaxf", "max", "maximum", "fdividef", "tanhf", "tanh",
                        "sigmoid", "abs", "fabsf", "log", "logf"}))
        guarded = true;
      return !guarded && !last.starts_with("program_id");
    });
    return loaded && !guarded;
  }

  bool masks(Id value, KernelValue at) { return at.frame == 0 && fixed({value, 0}); }

  KernelView& kernel_;
  const LaunchValues& launches_;
  KernelValues values_;
  PlainVariables variables_;
};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  const LaunchValues launches(model);
  return one_in_each(kInfo, model, policy, launched_code_of_both(model), [&](KernelView& kernel) -> KernelPlace {
    return {Check(kernel, launches).run(), "sums exponentials of elements from which it takes no maximum."};
  });
}

}  // namespace

const Rule& unguarded_exponent() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
