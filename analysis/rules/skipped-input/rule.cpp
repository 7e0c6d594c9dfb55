// KA833: a loop steps over most of the input and no other read fills the gaps.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "analysis/rules/host_steps.h"
#include "analysis/rules/kernel_code.h"
#include "analysis/rules/launch_ranges.h"
#include "analysis/rules/partial_work.h"
#include "analysis/rules/repeated_parts.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;
using facts::StatementKind;
using facts::TypeKind;

const RuleInfo kInfo{"KA833",
                     "skipped-input",
                     "a loop reads only every so many-th element of an input",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {68, 71, 73}};

constexpr double kShortLoop = 64;  // so few steps are a window or a row of registers

// A sum of products: by the sorted names of the factors, what they are multiplied by.
using Factors = std::vector<std::string>;
using Sum = std::map<Factors, double>;

// A variable that each turn of a loop moves on: by `step` times the product of the sizes in `stride`.
struct Loop {
  std::set<Id> blocks;
  Id variable = kNone;
  Sum start;
  double step = 0;
  Factors stride;
};

struct Read {
  const Statement* load = nullptr;
  Sum address;
};

std::string named(Id storage) { return "v" + std::to_string(storage); }

class Addresses {
 public:
  explicit Addresses(const KernelView& kernel) : kernel_(kernel), variables_(kernel) {}
  void follow(const Loop* loop) { loop_ = loop; }

  // Nothing where the value is not a sum of products that is followed to its end.
  std::optional<Sum> of(Id id, int depth = 0) const {
    constexpr int kDeepest = 24;
    if (id == kNone || depth > kDeepest) return std::nullopt;
    const facts::Value& value = kernel_.model.value(id);
    if (value.constant) {
      if (!value.constant->is_number()) return std::nullopt;
      return Sum{{{}, value.constant->get<double>()}};
    }
    if (!value.symbol.empty()) return Sum{{{value.symbol}, 1}};
    const Statement* s = kernel_.flow.made(id);
    if (s == nullptr) return std::nullopt;
    if (s->kind == StatementKind::kLoad) {
      if (kernel_.flow.deref(*s) || s->location.element || s->location.base != kNone || s->location.storage == kNone)
        return std::nullopt;
      if (variables_.plain(s->location.storage))
        return of(kernel_.flow.stores_to(s->location.storage).front()->value, depth + 1);
      const Sum counted{{{named(s->location.storage)}, 1}};
      const bool moved_on = loop_ != nullptr && loop_->variable == s->location.storage;
      return moved_on ? plus(loop_->start, counted, 1) : counted;
    }
    if (s->kind != StatementKind::kCall) return std::nullopt;
    if (s->callee == "operator.cast" && s->args.size() == 1) return of(s->args[0], depth + 1);
    if (s->args.size() != 2) return std::nullopt;
    const auto left = of(s->args[0], depth + 1), right = of(s->args[1], depth + 1);
    if (!left || !right) return std::nullopt;
    if (s->callee == "operator.add") return plus(*left, *right, 1);
    if (s->callee == "operator.sub") return plus(*left, *right, -1);
    if (s->callee == "operator.mul") return times(*left, *right);
    if (s->callee == "operator.lshift" && right->size() == 1 && right->begin()->first.empty())
      return times(*left, Sum{{{}, std::exp2(right->begin()->second)}});
    return std::nullopt;
  }

  static Sum plus(Sum sum, const Sum& other, double sign) {
    for (const auto& [factors, by] : other) {
      if ((sum[factors] += sign * by) == 0) sum.erase(factors);
    }
    return sum;
  }

  const PlainVariables& variables() const { return variables_; }

 private:
  static Sum times(const Sum& a, const Sum& b) {
    Sum product;
    for (const auto& [left, by] : a) {
      for (const auto& [right, with] : b) {
        Factors factors = left;
        factors.insert(factors.end(), right.begin(), right.end());
        std::sort(factors.begin(), factors.end());
        product[factors] += by * with;
      }
    }
    return product;
  }

  const KernelView& kernel_;
  PlainVariables variables_;
  const Loop* loop_ = nullptr;
};

class Skips {
 public:
  explicit Skips(const KernelView& kernel) : kernel_(kernel), addresses_(kernel) {
    for (const facts::Parameter& parameter : kernel.function.parameters) parameters_.insert(parameter.storage);
  }

  struct Skip {
    const Statement* at = nullptr;
    double step = 0;
    std::string input;
  };

  std::vector<Skip> find() {
    std::vector<Skip> skips;
    for (const Loop& loop : loops()) {
      addresses_.follow(&loop);
      // Beside an input that is read in full, a table may hold each of its numbers several times.
      std::vector<Skip> here;
      bool all = true;
      for (const facts::Parameter& input : kernel_.function.parameters) {
        if (input.type.kind != TypeKind::kPointer || input.storage == kNone || !read_in(loop, input.storage)) continue;
        const Statement* load = skipped(loop, input);
        all = all && load != nullptr;
        here.push_back({load, loop.step, input.name});
      }
      if (all) skips.insert(skips.end(), here.begin(), here.end());
    }
    return skips;
  }

 private:
  // Loops up to a bound that is not small, by each variable that they move on in wide steps.
  std::vector<Loop> loops() {
    std::vector<Loop> found;
    for (NaturalLoop& each : natural_loops(kernel_.function, kernel_.graph)) {
      if (!long_loop(each.header)) continue;
      Loop loop;
      loop.blocks = std::move(each.blocks);
      for (const Id block : loop.blocks) {
        if (!kernel_.graph.dominates(block, each.last)) continue;  // moved on in every turn
        for (const Statement& s : kernel_.function.blocks[static_cast<std::size_t>(block)].statements) {
          if (moves_on(s, loop)) found.push_back(loop);
        }
      }
    }
    return found;
  }

  bool long_loop(Id header) const {
    const Statement* test = kernel_.flow.made(kernel_.function.blocks[static_cast<std::size_t>(header)].condition);
    if (test == nullptr || test->args.size() != 2 || (test->callee != "operator.lt" && test->callee != "operator.le"))
      return false;
    const auto bound = kernel_.number(test->args[1]);
    return !bound || *bound > kShortLoop;
  }

  bool moves_on(const Statement& s, Loop& loop) {
    if (s.kind != StatementKind::kStore || !s.augmented || s.location.storage == kNone || s.location.base != kNone ||
        s.location.element || addresses_.variables().changed(s.location.storage))
      return false;
    const auto& stores = kernel_.flow.stores_to(s.location.storage);
    if (stores.size() != 2) return false;
    const Statement* start = stores[0] == &s ? stores[1] : stores[0];
    const Statement* sum = kernel_.flow.made(s.value);
    if (start->augmented || sum == nullptr || sum->callee != "operator.iadd" || sum->args.size() != 2) return false;
    addresses_.follow(nullptr);
    const auto from = addresses_.of(start->value), by = addresses_.of(sum->args[1]);
    if (!from || !by || by->size() != 1) return false;
    loop.variable = s.location.storage;
    loop.start = *from;
    loop.stride = by->begin()->first;
    loop.step = by->begin()->second;
    if (loop.stride.size() == 1 && loop.step == 1) {  // an argument that is the same number in every launch
      loop.step = launched_with(loop.stride[0]).value_or(0);
      loop.stride.clear();
    }
    return loop.step >= 2 &&
           std::none_of(loop.stride.begin(), loop.stride.end(), [&](const std::string& f) { return moves(f); });
  }

  std::optional<double> launched_with(const std::string& parameter) const {
    for (const facts::Parameter& each : kernel_.function.parameters) {
      if (named(each.storage) == parameter) return number_in_every_launch(kernel_, each.storage);
    }
    return std::nullopt;
  }

  bool read_in(const Loop& loop, Id input) const {
    for (const Id b : loop.blocks) {
      for (const Statement& s : kernel_.function.blocks[static_cast<std::size_t>(b)].statements) {
        if (s.kind == StatementKind::kLoad && kernel_.flow.deref(s) && kernel_.root(s.location.base) == input)
          return true;
      }
    }
    return false;
  }

  // A load that skips, when all that is read of the input is read so.
  const Statement* skipped(const Loop& loop, const facts::Parameter& input) const {
    std::vector<Read> reads;
    for (std::size_t b = 0; b < kernel_.function.blocks.size(); ++b) {
      for (const Statement& s : kernel_.function.blocks[b].statements) {
        if (s.kind == StatementKind::kCall && !s.callee.starts_with("operator.") && hands_on(s, input.storage))
          return nullptr;
        // An address of an element is handed to who may read more than that one.
        if (s.callee == "operator.addressof" && hands_on(s, input.storage)) return nullptr;
        if (s.kind != StatementKind::kLoad || !kernel_.flow.deref(s) || kernel_.root(s.location.base) != input.storage)
          continue;
        if (!loop.blocks.contains(static_cast<Id>(b)) || !same_element(s, input)) return nullptr;
        const auto base = addresses_.of(s.location.base);
        const auto key = s.location.key == kNone ? std::optional(Sum{}) : addresses_.of(s.location.key);
        if (!base || !key) return nullptr;
        reads.push_back({&s, Addresses::plus(*base, *key, 1)});
      }
    }
    std::set<Sum> places;
    for (const Read& read : reads) {
      if (fills(loop, read.address)) return nullptr;
      places.insert(read.address);
    }
    return reads.empty() || static_cast<double>(places.size()) >= loop.step ? nullptr : reads.front().load;
  }

  // Whether one read does not show a gap: the variable is no plain factor, or something else moves in the same
  // direction by itself: a thread, a block, an inner loop.
  bool fills(const Loop& loop, const Sum& address) const {
    const std::string counter = named(loop.variable);
    std::optional<Factors> stride;
    for (const auto& [factors, by] : address) {
      const auto uses = std::count(factors.begin(), factors.end(), counter);
      if (uses == 0) continue;
      if (uses > 1 || stride) return true;
      stride = factors;
      stride->erase(std::find(stride->begin(), stride->end(), counter));
      if (std::any_of(stride->begin(), stride->end(), [&](const std::string& f) { return moves(f); })) return true;
    }
    if (!stride) return true;
    // `i = blockIdx.y * 256 + threadIdx.x; i += 256 * splits`: how many blocks there are the launch says.
    const bool by_blocks = std::any_of(loop.start.begin(), loop.start.end(), [&](const auto& term) {
      return term.first.size() == 1 && moves(term.first[0]) && term.second == loop.step;
    });
    if (!loop.stride.empty() && by_blocks) return true;
    stride->insert(stride->end(), loop.stride.begin(), loop.stride.end());
    for (const auto& [factors, by] : address) {
      if (std::find(factors.begin(), factors.end(), counter) != factors.end()) continue;
      Factors rest = factors;
      bool along = true;
      for (const std::string& factor : *stride) {
        const auto at = std::find(rest.begin(), rest.end(), factor);
        along = along && at != rest.end();
        if (at != rest.end()) rest.erase(at);
      }
      std::erase_if(rest, [](const std::string& f) { return f.starts_with("blockDim") || f.starts_with("gridDim"); });
      if (along && rest.size() == 1 && moves(rest[0])) return true;
      if (factors.size() == 1 && !stride->empty() && goes_over_several(factors[0], *stride)) return true;
    }
    return false;
  }

  // for (i = threadIdx.x; i < rows * columns; …) where a row has `columns` elements.
  bool goes_over_several(const std::string& counter, const Factors& row) const {
    const auto several = [&](const auto& term) {
      Factors factors = term.first;
      for (const std::string& each : row) {
        const auto at = std::find(factors.begin(), factors.end(), each);
        if (at == factors.end()) return false;
        factors.erase(at);
      }
      return !factors.empty() || term.second > 1;
    };
    return std::any_of(kernel_.function.blocks.begin(), kernel_.function.blocks.end(), [&](const facts::Block& block) {
      const Statement* test = block.condition == kNone ? nullptr : kernel_.flow.made(block.condition);
      if (test == nullptr || test->args.size() != 2 || (test->callee != "operator.lt" && test->callee != "operator.le"))
        return false;
      const Statement* counted = kernel_.flow.made(test->args[0]);
      const auto bound = addresses_.of(test->args[1]);
      return counted != nullptr && counted->kind == StatementKind::kLoad && counted->location.storage != kNone &&
             named(counted->location.storage) == counter &&
             (!bound || std::any_of(bound->begin(), bound->end(), several));
    });
  }

  // Everything but parameters is another thread's, block's or step's.
  bool moves(const std::string& factor) const {
    return std::none_of(parameters_.begin(), parameters_.end(), [&](Id each) { return named(each) == factor; });
  }

  bool hands_on(const Statement& s, Id input) const {
    return std::any_of(s.args.begin(), s.args.end(), [&](Id arg) {
      if (arg == kNone) return false;
      const facts::Type& type = kernel_.model.value(arg).type;
      const bool pointer = type.kind == TypeKind::kPointer || s.callee == "operator.addressof";
      if (!pointer) return false;
      const Statement* made = kernel_.flow.made(arg);
      const bool element = made != nullptr && made->kind == StatementKind::kLoad && kernel_.flow.deref(*made);
      return kernel_.root(element ? made->location.base : arg) == input;
    });
  }

  // One read takes one element as the parameter counts them: no vector, no reinterpretation.
  bool same_element(const Statement& load, const facts::Parameter& input) const {
    std::string element = input.type.name.substr(0, input.type.name.find('*'));
    if (element.starts_with("const ")) element.erase(0, 6);
    while (element.ends_with(' ')) element.pop_back();
    const std::string& read = kernel_.model.value(load.result).type.name;
    const bool vector = !read.empty() && read.back() >= '2' && read.back() <= '8';
    return read == element && !vector;
  }

  const KernelView& kernel_;
  Addresses addresses_;
  std::set<Id> parameters_;
};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  for (const DeviceFunction& code : launched_code(model)) {
    // What is handed to a function on the device may differ from thread to thread.
    if (!model.function(code.function).is_kernel) continue;
    const KernelView& kernel = view_of(model, code.function);
    for (const Skips::Skip& skip : Skips(kernel).find()) {
      findings.push_back(finding_in_launched(kInfo, model, policy, code, *skip.at,
                                             "reads every " + std::to_string(static_cast<long>(skip.step)) +
                                                 "th step of " + skip.input + " and nothing in between."));
    }
  }
  for (const PartialWork& work : partly_read(model)) {
    Finding finding = make_finding(kInfo, policy,
                                   model.function(work.kernel).qualified_name + " gathers at most " +
                                       std::to_string(std::llround(work.reached)) + " of the " +
                                       std::to_string(std::llround(work.elements)) + " elements of " +
                                       model.function(work.kernel).parameters[work.parameter].name + ".");
    finding.span = work.access->span;
    finding.notes.push_back({model.span(work.launch), "launched here"});
    findings.push_back(std::move(finding));
  }
  for (const PartialWork& work : partly_used(model)) {
    Finding finding = make_finding(
        kInfo, policy,
        model.function(work.kernel).qualified_name + " reads at most " + std::to_string(std::llround(work.reached)) +
            " of the " + std::to_string(std::llround(work.elements)) + " elements of " +
            model.function(work.kernel).parameters[work.parameter].name + " for an output of as many.");
    finding.span = model.span(work.launch);
    finding.notes.push_back({model.function(work.kernel).name_span, "the kernel"});
    findings.push_back(std::move(finding));
  }
  for (const SkippedSteps& skipped : skipped_steps(model)) {
    Finding finding = make_finding(kInfo, policy,
                                   "A loop takes " + std::to_string(std::llround(skipped.turns)) + " of the " +
                                       std::to_string(std::llround(skipped.steps)) + " steps of " + skipped.input +
                                       ", and nothing else takes the rest.");
    finding.span = skipped.loop;
    findings.push_back(std::move(finding));
  }
  const std::vector<RepeatedPart> repeats = repeated_parts(model);
  for (const RepeatedPart& part : repeats) {
    Finding finding = make_finding(kInfo, policy,
                                   entry_name(model) + " reads " + std::to_string(std::llround(part.read)) +
                                       " of the " + std::to_string(std::llround(part.elements)) + " elements of " +
                                       argument_name(model, part.argument) + ", and repeats what it makes of them.");
    finding.span = part.repeated;
    finding.notes.push_back({part.taken, "taken here"});
    findings.push_back(std::move(finding));
  }
  // Where they are not repeated to as many in the open.
  for (const PartialWork& work : repeats.empty() ? partly_handed(model) : std::vector<PartialWork>{}) {
    Finding finding = make_finding(kInfo, policy,
                                   "Kernels are handed at most " + std::to_string(std::llround(work.reached)) +
                                       " of the " + std::to_string(std::llround(work.elements)) +
                                       " elements of an argument, and all that forward returns comes of those.");
    finding.span = model.span(work.launch);
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& skipped_input() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
