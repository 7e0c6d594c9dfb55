// KA815: a kernel divides by, or takes the logarithm of, a sum of exponentials of elements as they are: large inputs
// overflow, which a softmax that subtracts the maximum does not.
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>

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

constexpr int kMostHops = 4;  // through memory, and from a function out to what calls it

struct Code {
  Code(const Model& model, const DeviceFunction& found)
      : device(found),
        view(model, model.function(found.function)),
        values(model, model.function(found.function)),
        variables(view) {}

  DeviceFunction device;
  KernelView view;
  KernelValues values;
  PlainVariables variables;
};

// Exponentials that are added up: the first of them, and what holds the sums.
struct Sums {
  const Statement* exponent = nullptr;
  std::set<Id> variables, results;
};

template <class Visit>
void for_each_statement(const Code& code, const Visit& visit) {
  for (const facts::Block& block : code.view.function.blocks) {
    for (const Statement& s : block.statements) visit(s);
  }
}

// Of kernels, and of the functions that they call, each for itself: what flows between them is followed through their
// arguments and through memory.
class Exponents {
 public:
  explicit Exponents(const Model& model) : model_(model), launches_(model) {
    std::vector<DeviceFunction> found = launched_code_of_both(model);
    std::set<Id> seen;
    for (const DeviceFunction& each : found) seen.insert(each.function);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const DeviceFunction at = found[i];
      codes_.push_back(std::make_unique<Code>(model, at));
      for_each_statement(*codes_.back(), [&](const Statement& s) {
        if (s.target != kNone && seen.insert(s.target).second) found.push_back({s.target, at.launch});
      });
    }
  }

  std::vector<Finding> find(const Policy& policy) {
    std::vector<Finding> findings;
    std::set<const Statement*> told;
    for (const auto& code : codes_) {
      for (const Id divisor : divisors(*code)) {
        for (const Code* from : summed_for(*code, divisor)) {
          const Statement* exponent = sums_.at(from).exponent;
          if (!told.insert(exponent).second) continue;
          findings.push_back(finding_in_launched(kInfo, model_, policy, from->device, *exponent,
                                                 "sums exponentials of elements from which it takes no maximum."));
        }
      }
    }
    return findings;
  }

 private:
  // An answer about a variable or value of some code after so many hops: the ways to it are many, the answer is one.
  using Question = std::tuple<const Code*, Id, int>;
  template <class Answer, class Compute>
  static Answer once(std::map<Question, Answer>& known, const Question& question, const Compute& compute) {
    const auto at = known.find(question);
    if (at != known.end()) return at->second;
    return known[question] = compute();
  }

  static bool raises(const Model& model, const Statement& s) {
    if (s.kind != StatementKind::kCall) return false;
    if (one_of(last_part(s.callee), {"exp", "expf", "__expf", "exp2", "exp2f", "exp10f", "__exp10f", "hexp"}))
      return true;
    return instruction_of(model, s, {"ex2"});
  }

  // Whether it is an instruction of one of these names alone.
  static bool instruction_of(const Model& model, const Statement& s, std::initializer_list<std::string_view> names) {
    if (s.callee != "asm" && s.callee != "triton.language.inline_asm_elementwise") return false;
    const std::vector<PtxInstruction> all = parse_ptx(text_of(model, s.args[0]));
    return all.size() == 1 && one_of(all[0].opcode, names);
  }

  // What a function is asked of: a method of what it is called on, the operands of an instruction.
  static Id operand(const Statement& s) {
    if (s.callee == "asm") return s.args[1];
    if (s.callee == "triton.language.inline_asm_elementwise") return s.args[2];
    return s.receiver == kNone ? s.args[0] : s.receiver;
  }

  static std::vector<Id> divisors(const Code& code) {
    std::vector<Id> found;
    for_each_statement(code, [&](const Statement& s) {
      if (s.kind != StatementKind::kCall) return;
      const std::string last = last_part(s.callee);
      if (one_of(last, {"truediv", "itruediv", "__fdividef", "fdividef", "__fdiv_rn", "__fdiv_rz", "fdiv", "div_rn"}) &&
          s.args.size() >= 2)
        found.push_back(s.args[1]);
      if (one_of(last, {"log", "logf", "__logf", "log2f", "log2", "__frcp_rn", "rcp_rn"}) ||
          instruction_of(code.view.model, s, {"rcp", "lg2"}))
        found.push_back(operand(s));
    });
    return found;
  }

  // The code whose sums a divisor is made of, by variables, by shared memory or by what a kernel before left.
  std::vector<const Code*> summed_for(Code& code, Id divisor) {
    std::vector<const Code*> from;
    const auto take = [&](Code& each) {
      if (sums_of(each).exponent != nullptr) from.push_back(&each);
    };
    const DeviceFlow::Behind behind = code.view.flow.behind(divisor);
    const auto any = [](const std::set<Id>& a, const std::set<Id>& b) {
      return std::any_of(a.begin(), a.end(), [&](Id id) { return b.contains(id); });
    };
    const Sums& own = sums_of(code);
    if (any(own.variables, behind.variables) || any(own.results, behind.values)) take(code);
    code.values.walk({divisor, 0}, [&](const Statement& s, KernelValue at) {
      if (s.target != kNone) {
        const auto callee = std::find_if(codes_.begin(), codes_.end(),
                                         [&](const auto& each) { return each->device.function == s.target; });
        if (callee != codes_.end() && at.frame == 0) take(**callee);
      }
      if (!code.values.reads_memory(s, at.frame)) return true;
      if (at.frame == 0) {
        for (const auto& [writer, root] : writers(code, root_of(code, s))) take(*writer);
      }
      return false;
    });
    return from;
  }

  const Sums& sums_of(Code& code) {
    const auto [known, fresh] = sums_.try_emplace(&code);
    if (!fresh) return known->second;
    Sums sums;
    const auto add = [&](Id variable) {
      if (variable != kNone) sums.variables.insert(variable);
    };
    for_each_statement(code, [&](const Statement& s) {
      const Id added = added_by(code, s);
      const Statement* exponent = added == kNone ? nullptr : unguarded(code, {added, 0}, 0);
      if (exponent == nullptr) return;
      if (sums.exponent == nullptr) sums.exponent = exponent;
      const bool atomic = s.kind == StatementKind::kCall && one_of(last_part(s.callee), {"atomicAdd", "add"});
      add(atomic ? code.view.root(s.args[0]) : s.location.storage);
      if (s.result != kNone) sums.results.insert(s.result);
    });
    return sums_[&code] = sums;
  }

  // What is added to something: `sum += e`, `sum = sum * a + e`, and what a reduction adds up.
  Id added_by(const Code& code, const Statement& s) const {
    if (s.kind == StatementKind::kStore) return stored_in_addition(code, s);
    if (s.kind != StatementKind::kCall) return kNone;
    const std::string last = last_part(s.callee);
    if (s.target != kNone) {
      const bool sums = std::any_of(codes_.begin(), codes_.end(), [&](const auto& each) {
        return each->device.function == s.target && sums_first_parameter(*each);
      });
      return sums ? s.args[0] : kNone;
    }
    if (one_of(last, {"sum", "cumsum"})) return operand(s);
    if (one_of(last, {"Sum", "InclusiveSum"})) return s.args[0];
    if (s.callee == "triton.language.reduce" && adds(s.args[2])) return s.args[0];
    if (s.callee == "triton.language.atomic_add" || last == "atomicAdd") return s.args[1];
    return s.callee == "numba.cuda.atomic.add" ? s.args[2] : kNone;
  }

  static Id stored_in_addition(const Code& code, const Statement& s) {
    const DeviceFlow& flow = code.view.flow;
    const Statement* added = flow.made(s.value);
    if (s.location.storage == kNone || added == nullptr || added->args.size() != 2) return kNone;
    if (s.augmented || added->callee == "operator.iadd")
      return added->callee == "operator.iadd" ? added->args[1] : kNone;
    if (added->callee != "operator.add" || s.location.element || flow.deref(s)) return kNone;
    const auto itself = [&](Id value) { return flow.behind(value).variables.contains(s.location.storage); };
    if (itself(added->args[0]) == itself(added->args[1])) return kNone;
    return itself(added->args[0]) ? added->args[1] : added->args[0];
  }

  // A function that adds to what it is handed: what other lanes hold, or by way of an array.
  static bool sums_first_parameter(const Code& code) {
    if (code.view.function.parameters.empty()) return false;
    const Id parameter = code.view.function.parameters[0].storage;
    bool sums = false;
    for_each_statement(code, [&](const Statement& s) {
      const bool adds = s.kind == StatementKind::kStore && stored_in_addition(code, s) != kNone;
      sums = sums || (adds && (s.location.storage == parameter || code.view.shared_target(s) != kNone));
    });
    return sums;
  }

  bool adds(Id combine) const {
    const Id function = combine == kNone ? kNone : model_.value(combine).function;
    if (function == kNone) return false;
    const DeviceFlow flow(model_, model_.function(function));
    bool sum = false;
    for (const facts::Block& block : model_.function(function).blocks) {
      for (const Statement& s : block.statements) {
        const Statement* made = s.kind == StatementKind::kReturn ? flow.made(s.value) : nullptr;
        sum = sum || (made != nullptr && made->callee == "operator.add");
      }
    }
    return sum;
  }

  // The exponential that is (a multiple of) the value, when what it raises is memory from which nothing that depends
  // on memory was taken.
  const Statement* unguarded(Code& code, KernelValue value, int hops) {
    const Statement* found = nullptr;
    code.values.walk(value, [&](const Statement& s, KernelValue at) {
      if (found != nullptr) return false;
      if (code.values.reads_memory(s, at.frame)) {
        if (at.frame == 0 && hops < kMostHops) found = stored_exponent(code, s, hops + 1);
        return false;
      }
      if (at.frame == 0 && s.kind == StatementKind::kLoad && hops < kMostHops)
        found = handed_exponent(code, s.location.storage, hops + 1);
      if (s.kind != StatementKind::kCall) return found == nullptr;
      if (raises(model_, s)) {
        if (plain(code, {operand(s), at.frame}, 0)) found = &s;
        return false;
      }
      return !one_of(last_part(s.callee), {"truediv", "log", "logf", "log2", "log2f", "log1p", "log1pf", "__logf"});
    });
    return found;
  }

  // One that was put into the memory that a statement reads.
  const Statement* stored_exponent(Code& code, const Statement& read, int hops) {
    const Id memory = root_of(code, read);
    return once(stored_exponents_, {&code, memory, hops}, [&] { return find_stored_exponent(code, memory, hops); });
  }

  const Statement* find_stored_exponent(Code& code, Id memory, int hops) {
    for (const auto& [writer, root] : writers(code, memory)) {
      for (const Id stored : stored_through(*writer, root)) {
        if (const Statement* exponent = unguarded(*writer, {stored, 0}, hops); exponent != nullptr) return exponent;
      }
    }
    return nullptr;
  }

  // One that a function was handed as a parameter.
  const Statement* handed_exponent(Code& code, Id parameter, int hops) {
    return once(handed_exponents_, {&code, parameter, hops},
                [&] { return find_handed_exponent(code, parameter, hops); });
  }

  const Statement* find_handed_exponent(Code& code, Id parameter, int hops) {
    for (const auto& [caller, given] : handed(code, parameter)) {
      if (const Statement* exponent = unguarded(*caller, {given, 0}, hops); exponent != nullptr) return exponent;
    }
    return nullptr;
  }

  // What calls hand to a parameter of a function, and where.
  std::vector<std::pair<Code*, Id>> handed(Code& code, Id parameter) {
    std::vector<std::pair<Code*, Id>> given;
    const auto& parameters = code.view.function.parameters;
    const auto at = std::find_if(parameters.begin(), parameters.end(),
                                 [&](const facts::Parameter& each) { return each.storage == parameter; });
    if (parameter == kNone || at == parameters.end()) return given;
    const auto place = static_cast<std::size_t>(at - parameters.begin());
    for (const auto& caller : codes_) {
      if (caller.get() == &code) continue;
      for_each_statement(*caller, [&](const Statement& s) {
        if (s.kind == StatementKind::kCall && s.target == code.device.function)
          given.emplace_back(caller.get(), s.args[place]);
      });
    }
    return given;
  }

  static Id root_of(const Code& code, const Statement& read) {
    return code.view.root(read.kind == StatementKind::kLoad ? read.location.base : read.args[0]);
  }

  // Who stores to the memory that a variable of the code leads to, and through what: itself, and kernels that are
  // handed the same buffer.
  std::vector<std::pair<Code*, Id>> writers(Code& code, Id root) {
    return once(writers_, {&code, root, 0}, [&] { return find_writers(code, root); });
  }

  std::vector<std::pair<Code*, Id>> find_writers(Code& code, Id root) {
    std::vector<std::pair<Code*, Id>> found;
    if (root == kNone) return found;
    if (!stored_through(code, root).empty()) found.emplace_back(&code, root);
    const auto& parameters = code.view.function.parameters;
    const auto at = std::find_if(parameters.begin(), parameters.end(),
                                 [&](const facts::Parameter& each) { return each.storage == root; });
    if (at == parameters.end()) return found;
    const auto given = launches_.given(code.device.function, static_cast<std::size_t>(at - parameters.begin()));
    if (!given) return found;
    for (const auto& other : codes_) {
      const auto& theirs = other->view.function.parameters;
      const auto& access = model_.access(other->device.function);
      for (std::size_t p = 0; p < theirs.size() && other.get() != &code; ++p) {
        const auto handed = launches_.given(other->device.function, p);
        if (!handed || (access.known && !access.written[p])) continue;
        const bool same = std::any_of(handed->objects.begin(), handed->objects.end(), [&](facts::ObjectId id) {
          return std::binary_search(given->objects.begin(), given->objects.end(), id);
        });
        if (same) found.emplace_back(other.get(), theirs[p].storage);
      }
    }
    return found;
  }

  std::vector<Id> stored_through(const Code& code, Id root) {
    return once(stored_, {&code, root, 0}, [&] { return find_stored_through(code, root); });
  }

  static std::vector<Id> find_stored_through(const Code& code, Id root) {
    std::vector<Id> stored;
    for_each_statement(code, [&](const Statement& s) {
      const bool element = s.kind == StatementKind::kStore &&
                           (code.view.flow.deref(s) || (s.location.element && s.location.base != kNone));
      if (element && code.view.root(s.location.base) == root) stored.push_back(s.value);
      const bool call = s.callee == "triton.language.store" || one_of(last_part(s.callee), {"atomicAdd", "atomic_add"});
      if (call && code.view.root(s.args[0]) == root) stored.push_back(s.args[1]);
    });
    return stored;
  }

  // A value that is the same for all rows: numbers, and what the launch hands over but does not take from a tensor.
  bool fixed(Code& code, KernelValue value) {
    bool same = true;
    code.values.walk(value, [&](const Statement& s, KernelValue at) {
      same = same && !depends(code, s, at);
      return same;
    });
    return same;
  }

  bool depends(Code& code, const Statement& s, KernelValue at) {
    if (code.values.reads_memory(s, at.frame)) return true;
    if (s.kind == StatementKind::kLoad) {
      if (const Id parameter = code.values.kernel_parameter(s, at); parameter != kNone) return !number(code, parameter);
      const bool element = s.location.element && s.location.base == kNone;
      return element || (at.frame == 0 && code.variables.changed(s.location.storage));
    }
    if (s.kind != StatementKind::kCall || s.target != kNone) return false;
    static constexpr std::string_view plain_calls[] = {
        "full",  "tuple", "list", "arange", "float", "zeros",   "cast",        "to",          "log2",
        "log2f", "logf",  "log",  "sqrt",   "sqrtf", "float32", "expand_dims", "broadcast_to"};
    return !s.callee.starts_with("operator.") && !matches(last_part(s.callee), plain_calls);
  }

  // A number that no tensor's contents have a part in.
  bool number(const Code& code, Id parameter) const {
    const auto& parameters = code.view.function.parameters;
    const auto place = std::find_if(parameters.begin(), parameters.end(),
                                    [&](const facts::Parameter& each) { return each.storage == parameter; });
    const auto given = launches_.given(code.device.function, static_cast<std::size_t>(place - parameters.begin()));
    const auto& graph = model_.provenance();
    return given && given->objects.empty() && !graph.reaches(given->nodes, facts::NodeKind::kArgument) &&
           !graph.reaches(given->nodes, facts::NodeKind::kWeights);
  }

  bool plain(Code& code, KernelValue argument, int hops) {
    bool loaded = false, guarded = false;
    code.values.walk(argument, [&](const Statement& s, KernelValue at) {
      if (guarded) return false;
      if (code.values.reads_memory(s, at.frame) || s.callee == "triton.language.dot") {
        loaded = true;
        guarded = at.frame == 0 && s.callee != "triton.language.dot" && guarded_before(code, s, hops + 1);
        return false;
      }
      if (at.frame == 0 && s.kind == StatementKind::kLoad && hops < kMostHops) {
        const auto given = handed(code, s.location.storage);
        loaded = loaded || std::any_of(given.begin(), given.end(), [&](const auto& each) {
                   return once(plain_, {each.first, each.second, hops + 1},
                               [&] { return plain(*each.first, {each.second, 0}, hops + 1); });
                 });
      }
      if (s.kind == StatementKind::kPhi) guarded = true;  // a choice
      if (s.kind != StatementKind::kCall || s.target != kNone) return !guarded;
      const std::string last = last_part(s.callee);
      const auto fixed_part = [&](std::size_t i) { return i < s.args.size() && fixed(code, {s.args[i], at.frame}); };
      if (one_of(last, {"sub", "isub"})) guarded = !fixed_part(1);
      if (one_of(last, {"min", "minimum", "fminf", "fmin"})) guarded = !fixed_part(0) && !fixed_part(1);
      if (one_of(last, {"fmaf", "fma"})) guarded = !fixed_part(2);
      if (one_of(last, {"mul", "imul"})) {
        for (const Id arg : s.args) {
          const auto factor = code.view.number(arg);
          guarded = guarded || (factor && *factor < 0);
        }
      }
      if (last == "where" && s.args.size() == 3) {
        // Places that are masked out raise a large negative number.
        guarded = !masks(code, s.args[1], at) && !masks(code, s.args[2], at);
      }
      if (one_of(last, {"neg", "clamp", "exp", "expf", "__expf", "fmaxf", "max", "maximum", "fdividef", "tanhf", "tanh",
                        "sigmoid", "abs", "fabsf", "log", "logf"}))
        guarded = true;
      return !guarded && !last.starts_with("program_id");
    });
    return loaded && !guarded;
  }

  // Whether something was taken from what a statement reads before it was put there.
  bool guarded_before(Code& code, const Statement& read, int hops) {
    if (hops > kMostHops) return false;
    const Id memory = root_of(code, read);
    return once(guarded_, {&code, memory, hops}, [&] { return find_guarded(code, memory, hops); });
  }

  bool find_guarded(Code& code, Id memory, int hops) {
    for (const auto& [writer, root] : writers(code, memory)) {
      for (const Id stored : stored_through(*writer, root)) {
        if (writer->values.from_memory({stored, 0}) && !plain(*writer, {stored, 0}, hops)) return true;
      }
    }
    return false;
  }

  bool masks(Code& code, Id value, KernelValue at) { return at.frame == 0 && fixed(code, {value, 0}); }

  const Model& model_;
  const LaunchValues launches_;
  std::vector<std::unique_ptr<Code>> codes_;
  std::map<const Code*, Sums> sums_;
  std::map<Question, std::vector<std::pair<Code*, Id>>> writers_;
  std::map<Question, std::vector<Id>> stored_;
  std::map<Question, const Statement*> stored_exponents_, handed_exponents_;
  std::map<Question, bool> guarded_, plain_;
};

std::vector<Finding> check(const Model& model, const Policy& policy) { return Exponents(model).find(policy); }

}  // namespace

const Rule& unguarded_exponent() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
