// KA814: a number in the source decides which elements of the input take part at all.
#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/rules/kernel_code.h"
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

const RuleInfo kInfo{"KA814",
                     "fixed-cut-off",
                     "a number in the source decides which elements of the input take part",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {71}};

// Below it is protection against division by zero, above it a mark for "none".
constexpr double kSmallest = 1e-2, kLargest = 1e3, kLargestWhole = 8;

std::string shown(double number) {
  std::string text = std::to_string(number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

class Check {
 public:
  Check(KernelView& kernel, const LaunchValues& launches) : kernel_(kernel), launches_(launches) {}

  // With what each place compares.
  std::vector<std::pair<const Statement*, std::string>> run() {
    std::vector<std::pair<const Statement*, std::string>> found;
    for (std::size_t b = 0; b < kernel_.function.blocks.size(); ++b) {
      for (const Statement& s : kernel_.function.blocks[b].statements) {
        const auto number = triton(s);
        if (number) found.emplace_back(&s, shown(*number));
        const Id taken = takes_part(s) ? s.value : handed_to_store(s);
        if (taken == kNone) continue;
        for (const Id decider : kernel_.graph.deciders(static_cast<Id>(b))) {
          const auto side = kernel_.side(decider, static_cast<Id>(b));
          const auto limit = side ? threshold(condition_of(decider), taken) : std::nullopt;
          if (!limit || otherwise_stored(decider, *side, s)) continue;
          found.emplace_back(&s, *limit);
          break;
        }
      }
    }
    for (const NaturalLoop& loop : natural_loops(kernel_.function, kernel_.graph)) {
      if (const auto left = left_at_sum(loop)) found.push_back(*left);
    }
    return found;
  }

 private:
  // `if (sum > 50.f) break;`: a loop that is left, with elements still to come, when what it has added up passes a
  // number.
  std::optional<std::pair<const Statement*, std::string>> left_at_sum(const NaturalLoop& loop) {
    for (const Id b : loop.blocks) {
      const facts::Block& block = kernel_.function.blocks[static_cast<std::size_t>(b)];
      const bool leaves =
          b != loop.header && std::any_of(block.successors.begin(), block.successors.end(),
                                          [&](const auto& edge) { return !loop.blocks.contains(edge.to); });
      const Statement* test = leaves && block.condition != kNone ? kernel_.flow.made(block.condition) : nullptr;
      if (test == nullptr || test->args.size() != 2 ||
          !one_of(test->callee, {"operator.lt", "operator.le", "operator.gt", "operator.ge"}))
        continue;
      for (const std::size_t side : {0U, 1U}) {
        const auto number = kernel_.number(test->args[side]);
        if (!number || std::fabs(*number) < kSmallest || std::fabs(*number) > kLargest) continue;
        if (is_float(test->args[1 - side]) && added_up_in(loop, test->args[1 - side]))
          return std::pair{test, shown(*number)};
      }
    }
    return std::nullopt;
  }
  // Whether it is a variable to which each turn adds something of what memory holds.
  bool added_up_in(const NaturalLoop& loop, Id value) {
    const Statement* load = kernel_.flow.made(value);
    if (load == nullptr || load->kind != StatementKind::kLoad || load->location.element || load->location.base != kNone)
      return false;
    for (const Id b : loop.blocks) {
      for (const Statement& s : kernel_.function.blocks[static_cast<std::size_t>(b)].statements) {
        const bool adds =
            s.kind == StatementKind::kStore && s.location.storage == load->location.storage && s.augmented;
        if (adds && !kernel_.flow.memory_behind(s.value).empty()) return true;
      }
    }
    return false;
  }

  Id condition_of(Id block) const { return kernel_.function.blocks[static_cast<std::size_t>(block)].condition; }

  // An element is added to something, or put somewhere that the other side leaves alone.
  bool takes_part(const Statement& s) const {
    if (s.kind != StatementKind::kStore || s.value == kNone) return false;
    return s.augmented || writes_global(kernel_.model, kernel_.function, s) || kernel_.shared_target(s) != kNone;
  }

  // The only number that a method is handed which puts it into its object.
  Id handed_to_store(const Statement& s) const {
    if (s.kind != StatementKind::kCall || s.target == kNone || s.receiver == kNone || s.args.size() != 1) return kNone;
    const auto& access = kernel_.model.access(s.target);
    const bool number = s.args[0] != kNone && kernel_.model.value(s.args[0]).type.kind == facts::TypeKind::kFloat;
    return number && access.known && !access.object_members.empty() ? s.args[0] : kNone;
  }

  // The name of a table of such numbers in the source, when a value is one of them.
  std::string table_of(Id value) const {
    const Statement* load = kernel_.flow.made(value);
    if (load != nullptr && load->kind == StatementKind::kLoad && !load->location.element &&
        kernel_.flow.stores_to(load->location.storage).size() == 1)
      load = kernel_.flow.made(kernel_.flow.stores_to(load->location.storage).front()->value);
    if (load == nullptr || load->kind != StatementKind::kLoad || !load->location.element ||
        load->location.storage == kNone)
      return "";
    const facts::Storage& table = kernel_.model.facts().storages[static_cast<std::size_t>(load->location.storage)];
    if (table.kind != facts::StorageKind::kGlobal) return "";
    int stores = 0;
    bool limits = false;
    for (const facts::Function& function : kernel_.model.facts().functions) {
      for (const facts::Block& block : function.blocks) {
        std::map<Id, const Statement*> made;
        for (const Statement& s : block.statements) {
          if (s.result != kNone) made[s.result] = &s;
          if (s.kind != StatementKind::kStore || s.location.storage != load->location.storage) continue;
          ++stores;
          const auto list = made.find(s.value);
          limits = list != made.end() && list->second->callee == "builtins.list" && !list->second->args.empty() &&
                   std::all_of(list->second->args.begin(), list->second->args.end(), [&](Id each) {
                     const auto number = kernel_.number(each);
                     return number && std::fabs(*number) >= kSmallest && std::fabs(*number) <= kLargest;
                   });
        }
      }
    }
    return stores == 1 && limits ? "a number of " + table.name : "";
  }

  // The number that an element of memory is compared with, when what is stored comes of the same memory and the
  // number has no part in it.
  std::optional<std::string> threshold(Id condition, Id stored) {
    const Statement* test = kernel_.flow.made(condition);
    if (test == nullptr || test->args.size() != 2 ||
        !one_of(test->callee, {"operator.lt", "operator.le", "operator.gt", "operator.ge"}))
      return std::nullopt;
    for (const int side : {0, 1}) {
      const Id limit = test->args[static_cast<std::size_t>(side)];
      const std::optional<Id> handed = parameter(limit);
      const auto number = handed ? handed_number(*handed) : kernel_.number(limit);
      const std::string fixed = number ? "" : handed ? quantile_handed(*handed) : table_of(limit);
      const Id element = test->args[static_cast<std::size_t>(1 - side)];
      if (fixed.empty() && (!number || std::fabs(*number) < kSmallest || std::fabs(*number) > kLargest)) continue;
      if (!is_float(element)) continue;
      if (handed && kernel_.flow.behind(stored).variables.contains(*handed)) continue;
      const auto numbers = kernel_.numbers_behind(stored);
      if (number && std::find(numbers.begin(), numbers.end(), *number) != numbers.end()) continue;
      const std::set<Id> tested = elements_behind(element), kept = elements_behind(stored);
      if (std::any_of(tested.begin(), tested.end(), [&](Id memory) { return kept.contains(memory); }))
        return number ? shown(*number) : fixed;
    }
    return std::nullopt;
  }

  // Elements of Numba's arrays have no types.
  bool is_float(Id value) const {
    const facts::TypeKind kind = kernel_.model.value(value).type.kind;
    const bool whole = kind == facts::TypeKind::kInt || kind == facts::TypeKind::kBool;
    return kind == facts::TypeKind::kFloat || (!whole && decorated_by(kernel_.function, "numba"));
  }

  // The memory that a value comes of; what a helper is handed is an element of it.
  std::set<Id> elements_behind(Id value) {
    std::set<Id> found = kernel_.flow.memory_behind(value);
    if (kernel_.function.is_kernel) return found;
    const std::set<Id> variables = kernel_.flow.behind(value).variables;
    for (const facts::Parameter& each : kernel_.function.parameters) {
      if (each.type.kind == facts::TypeKind::kFloat && variables.contains(each.storage)) found.insert(each.storage);
    }
    return found;
  }

  // The kernel's parameter that a value is, when nothing in the kernel stores to it.
  std::optional<Id> parameter(Id value) const {
    const Statement* load = kernel_.flow.made(value);
    if (load == nullptr || load->kind != StatementKind::kLoad || load->location.base != kNone ||
        !kernel_.flow.stores_to(load->location.storage).empty())
      return std::nullopt;
    const auto& parameters = kernel_.function.parameters;
    const bool handed = std::any_of(parameters.begin(), parameters.end(), [&](const facts::Parameter& each) {
      return each.storage == load->location.storage;
    });
    return handed ? std::optional(load->location.storage) : std::nullopt;
  }

  // Also where it comes from Python by way of an extension's function.
  std::optional<double> handed_number(Id parameter) const {
    if (const auto number = number_in_every_launch(kernel_, parameter)) return number;
    const auto& parameters = kernel_.function.parameters;
    const Id self = kernel_.model.id_of(kernel_.function);
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      if (parameters[p].storage == parameter) return launches_.number(self, p);
    }
    return std::nullopt;
  }

  // What every launch hands over is a quantile of a distribution that the source names, whatever the input holds.
  std::string quantile_handed(Id parameter) const {
    const auto& parameters = kernel_.function.parameters;
    const Id self = kernel_.model.id_of(kernel_.function);
    std::string name;
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      const auto given = parameters[p].storage == parameter ? launches_.given(self, p) : std::nullopt;
      if (!given || kernel_.model.provenance().reaches(given->nodes, facts::NodeKind::kArgument)) continue;
      kernel_.model.provenance().walk(given->nodes, [&](const facts::Node& node, facts::NodeId) {
        if (one_of(last_part(node.name), {"erfinv", "ndtri", "norm_ppf", "ppf", "isf", "inv_cdf", "icdf"}))
          name = "what " + node.name + " gives";
        return true;
      });
    }
    return name;
  }

  // The other side stores to the same place: a choice between two results.
  bool otherwise_stored(Id decider, bool side, const Statement& s) const {
    for (std::size_t b = 0; b < kernel_.function.blocks.size(); ++b) {
      const auto there = kernel_.side(decider, static_cast<Id>(b));
      if (!there || *there == side) continue;
      for (const Statement& other : kernel_.function.blocks[b].statements) {
        if (other.kind == StatementKind::kStore && other.location.storage == s.location.storage) return true;
      }
    }
    return false;
  }

  bool loads(Id value) const {
    const auto names = kernel_.names_behind(value);
    return std::find(names.begin(), names.end(), "triton.language.load") != names.end();
  }

  std::optional<double> compared(Id mask) const {
    for (const Id id : kernel_.flow.behind(mask).values) {
      const Statement* test = kernel_.flow.made(id);
      if (test == nullptr || test->args.size() != 2 ||
          !one_of(test->callee, {"operator.lt", "operator.le", "operator.gt", "operator.ge"}))
        continue;
      for (const std::size_t side : {0U, 1U}) {
        const auto number = kernel_.number(test->args[side]);
        // Whole numbers are more likely counts of classes or tokens.
        if (number && *number == std::floor(*number) && std::fabs(*number) > kLargestWhole) continue;
        if (number && std::fabs(*number) >= kSmallest && std::fabs(*number) <= kLargest && loads(test->args[1 - side]))
          return number;
      }
    }
    return std::nullopt;
  }

  // tl.store(…, mask=v > 2.5), tl.sum(tl.where(v > 2.5, v, 0)).
  std::optional<double> triton(const Statement& s) const {
    if (s.kind != StatementKind::kCall) return std::nullopt;
    if (s.callee == "triton.language.store" || s.callee.starts_with("triton.language.atomic")) {
      for (const auto& [name, value] : s.keywords) {
        if (name == "mask") return compared(value);
      }
      return s.args.size() > 2 ? compared(s.args[2]) : std::nullopt;
    }
    if (s.args.empty()) return std::nullopt;
    const auto chosen = [&](Id id) -> std::optional<double> {
      const Statement* choice = kernel_.flow.made(id);
      if (choice == nullptr || choice->callee != "triton.language.where" || choice->args.size() != 3)
        return std::nullopt;
      const auto left = kernel_.number(choice->args[1]), right = kernel_.number(choice->args[2]);
      return (left && *left == 0) || (right && *right == 0) ? compared(choice->args[0]) : std::nullopt;
    };
    if (s.callee == "triton.language.dot") {  // an operand of a product, as it is
      for (std::size_t i = 0; i < std::min<std::size_t>(2, s.args.size()); ++i) {
        for (const Id id : kernel_.flow.behind(s.args[i]).values) {
          if (const auto number = chosen(id)) return number;
        }
      }
      return std::nullopt;
    }
    if (s.callee != "triton.language.sum") return std::nullopt;
    for (const Id id : kernel_.flow.behind(s.args[0]).values) {
      if (const auto number = chosen(id)) return number;
    }
    return std::nullopt;
  }

  KernelView& kernel_;
  const LaunchValues& launches_;
};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  const LaunchValues launches(model);
  return one_in_each(kInfo, model, policy, launched_code_of_both(model), [&](KernelView& kernel) -> KernelPlace {
    const auto cuts = Check(kernel, launches).run();
    if (cuts.empty()) return {};
    const auto& [at, limit] = cuts.front();
    return {at, "leaves out the elements that a comparison with " + limit + " does not select."};
  });
}

}  // namespace

const Rule& fixed_cut_off() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
