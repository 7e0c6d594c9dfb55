// KA413: what an argument holds decides how the result is computed.
#include <cmath>

#include "analysis/rules/collector.h"
#include "analysis/rules/conditions.h"
#include "analysis/rules/gated_precision.h"
#include "analysis/rules/kernel_code.h"
#include "analysis/rules/kernel_values.h"
#include "analysis/rules/launch_choices.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Alternative;
using facts::Guard;
using facts::Model;
using facts::Node;
using facts::NodeId;
using facts::Statement;

const RuleInfo kInfo{"KA413",
                     "value-gated-path",
                     "what an argument holds decides by which code, or how precisely, the result is computed",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {15, 54, 75}};

// A branch of a kernel on the floats that memory holds, outside of loops, with another way through memory on each side.
struct TwoWays {
  SourceSpan decided, one;
};

class Branches {
 public:
  Branches(const Model& model, const facts::Function& kernel)
      : view_(model, kernel), values_(model, kernel), in_loops_(blocks_in_loops(model, model.id_of(kernel))) {}

  std::optional<TwoWays> find() {
    for (std::size_t d = 0; d < view_.function.blocks.size(); ++d) {
      const facts::Id decider = static_cast<facts::Id>(d), condition = view_.function.blocks[d].condition;
      if (condition == facts::kNone || in_loops_.contains(decider)) continue;
      if (!of_floats({condition}) && !compares_contents(condition)) continue;
      const Statement *yes = goes_through(decider, true), *no = goes_through(decider, false);
      // One side alone, where zeros and the like are not what is told apart, may make do with a sample.
      const bool one = (yes != nullptr || no != nullptr) && with_limit(condition);
      if ((yes == nullptr || no == nullptr) && !one) continue;
      return TwoWays{view_.flow.made(condition)->span, (no != nullptr ? no : yes)->span};
    }
    return std::nullopt;
  }

  // A branch by what another kernel compared, for each side of which the kernel computes in its own way.
  std::optional<TwoWays> told_by_kernel() {
    for (std::size_t d = 0; d < view_.function.blocks.size(); ++d) {
      const facts::Id decider = static_cast<facts::Id>(d), condition = view_.function.blocks[d].condition;
      if (condition == facts::kNone || in_loops_.contains(decider) || view_.flow.made(condition) == nullptr) continue;
      const Statement *yes = computes(decider, true), *no = computes(decider, false);
      if (yes != nullptr && no != nullptr && outcome_of_kernel(condition))
        return TwoWays{view_.flow.made(condition)->span, no->span};
    }
    return std::nullopt;
  }

  // A loop through memory, the number of whose turns a comparison of floats decides that memory holds.
  const Statement* counted_by_contents() {
    for (const facts::Id block : in_loops_) {
      const facts::Block& header = view_.function.blocks[static_cast<std::size_t>(block)];
      for (const Statement& s : header.statements) {
        const Statement* iter = s.callee == "builtins.next" ? view_.flow.made(s.args[0]) : nullptr;
        const Statement* range = iter == nullptr ? nullptr : view_.flow.made(iter->args[0]);
        if (range != nullptr &&
            std::any_of(range->args.begin(), range->args.end(), [&](facts::Id arg) { return compares_contents(arg); }))
          return &s;
      }
      const Statement* test = header.condition == facts::kNone ? nullptr : view_.flow.made(header.condition);
      if (test != nullptr && test->args.size() == 2 && test->callee == "operator.lt" &&
          compares_contents(test->args[1]))
        return test;
    }
    return nullptr;
  }

 private:
  // Of a bound: what is compared in the course of it are floats that were read.
  bool compares_contents(facts::Id bound) {
    bool compared = false;
    values_.walk({bound}, [&](const Statement& s, KernelValue at) {
      compared = compared || (s.kind == facts::StatementKind::kPhi && chosen_by_floats(s, at.frame));
      return !compared && !values_.reads_memory(s, at.frame);
    });
    for (const facts::Id value : view_.flow.behind(bound).values) {
      const Statement* test = view_.flow.made(value);
      if (test == nullptr || test->args.size() != 2 || !compares(test->callee)) continue;
      compared = compared || compares_marks(*test);
      const bool with_float = std::any_of(test->args.begin(), test->args.end(), [&](facts::Id arg) {
        const auto& constant = view_.model.value(arg).constant;
        return (constant && constant->is_number_float()) || view_.model.value(arg).type.kind == facts::TypeKind::kFloat;
      });
      compared = compared || (with_float && values_.from_memory({value}));
    }
    return compared;
  }
  // The one or the other of two numbers that memory has no part in, by what floats were read.
  bool chosen_by_floats(const Statement& phi, int frame) {
    if (std::any_of(phi.args.begin(), phi.args.end(), [&](facts::Id arg) { return values_.from_memory({arg, frame}); }))
      return false;
    for (const facts::Function& function : view_.model.facts().functions) {
      for (std::size_t b = 0; b < function.blocks.size(); ++b) {
        const auto& statements = function.blocks[b].statements;
        if (statements.empty() || &phi < &statements.front() || &phi > &statements.back()) continue;
        const facts::FlowGraph& flow = view_.model.run().flow(function_id(function));
        const auto& around = flow.deciders(static_cast<facts::Id>(b));
        for (const facts::Id before : flow.predecessors(static_cast<facts::Id>(b))) {
          for (const facts::Id decider : flow.deciders(before)) {
            const facts::Id condition = function.blocks[static_cast<std::size_t>(decider)].condition;
            if (std::find(around.begin(), around.end(), decider) == around.end() && of_floats({condition, frame}))
              return true;
          }
        }
      }
    }
    return false;
  }
  facts::Id function_id(const facts::Function& function) const { return view_.model.id_of(function); }
  // A call of a helper or a reduction on that side.
  const Statement* computes(facts::Id decider, bool side) const {
    static constexpr std::string_view reductions[] = {"triton.language.sum", "triton.language.dot"};
    for (std::size_t b = 0; b < view_.function.blocks.size(); ++b) {
      if (view_.side(decider, static_cast<facts::Id>(b)) != side) continue;
      for (const Statement& s : view_.function.blocks[b].statements) {
        if (s.kind == facts::StatementKind::kCall && (s.target != facts::kNone || matches(s.callee, reductions)))
          return &s;
      }
    }
    return nullptr;
  }
  // Kernels that before wrote the memory that a value is read from.
  std::set<facts::Id> writers_behind(facts::Id value) {
    const Model& model = view_.model;
    const auto& parameters = view_.function.parameters;
    std::set<facts::Id> memory, writers;
    values_.walk({value}, [&](const Statement& s, KernelValue at) {
      const bool read = values_.reads_memory(s, at.frame);
      if (read && at.frame == 0)
        memory.insert(view_.root(s.kind == facts::StatementKind::kLoad ? s.location.base : s.args[0]));
      return !read;
    });
    for (const auto& [place, arguments] : model.run().launch_arguments) {
      if (model.kernel_of(place.first) != function_id(view_.function)) continue;
      for (std::size_t p = 0; p < arguments.size() && p < parameters.size(); ++p) {
        if (!memory.contains(parameters[p].storage)) continue;
        for (const NodeId id : arguments[p].nodes) {
          const Node& node = model.provenance().at(id);
          if (node.kind == facts::NodeKind::kLaunch && node.kernel != facts::kNone) writers.insert(node.kernel);
        }
      }
    }
    return writers;
  }
  // Whether the memory that a condition asks holds what a kernel before stored of a comparison with a limit.
  bool outcome_of_kernel(facts::Id condition) {
    const std::set<facts::Id> writers = writers_behind(condition);
    return std::any_of(writers.begin(), writers.end(), [&](facts::Id kernel) {
      return Branches(view_.model, view_.model.function(kernel)).stores_comparison();
    });
  }
  // Two marks that another kernel made are the same, or are not: what is computed may be there from before.
  bool compares_marks(const Statement& test) {
    return (test.callee == "operator.eq" || test.callee == "operator.ne") &&
           std::all_of(test.args.begin(), test.args.end(), [&](facts::Id arg) {
             std::set<facts::Id> writers = writers_behind(arg);
             writers.erase(function_id(view_.function));
             return !writers.empty();
           });
  }
  bool stores_comparison() {
    for (const facts::Block& block : view_.function.blocks) {
      for (const Statement& s : block.statements) {
        facts::Id stored = s.kind == facts::StatementKind::kStore && view_.flow.deref(s) ? s.value : facts::kNone;
        if (s.callee == "triton.language.store" && s.args.size() > 1) stored = s.args[1];
        if (stored == facts::kNone) continue;
        for (const facts::Id each : view_.flow.behind(stored).values) {
          if (with_limit(each) && values_.from_memory({each})) return true;
        }
      }
    }
    return false;
  }
  // x > 8.0
  bool with_limit(facts::Id condition) const {
    const Statement* test = view_.flow.made(condition);
    return test != nullptr && compares(test->callee) && test->args.size() == 2 && test->callee != "operator.eq" &&
           test->callee != "operator.ne" && std::any_of(test->args.begin(), test->args.end(), [&](facts::Id arg) {
             const auto number = view_.number(arg);
             return number && *number != 0 && std::isfinite(*number);
           });
  }
  static bool compares(const std::string& callee) {
    static constexpr std::string_view names[] = {"operator.lt", "operator.le", "operator.gt",
                                                 "operator.ge", "operator.eq", "operator.ne"};
    return matches(callee, names);
  }

  bool of_floats(KernelValue condition) {
    bool found = false;
    values_.walk(condition, [&](const Statement& s, KernelValue at) {
      found = found || (s.result != facts::kNone && values_.reads_memory(s, at.frame) &&
                        view_.model.value(s.result).type.kind == facts::TypeKind::kFloat);
      return !found;
    });
    return found && values_.made(condition) != nullptr;
  }
  // A loop on that side that reads memory, or a call of one.
  const Statement* goes_through(facts::Id decider, bool side) const {
    for (std::size_t b = 0; b < view_.function.blocks.size(); ++b) {
      if (view_.side(decider, static_cast<facts::Id>(b)) != side) continue;
      for (const Statement& s : view_.function.blocks[b].statements) {
        if (in_loops_.contains(static_cast<facts::Id>(b)) && reads(view_.flow, s)) return &s;
        if (s.target != facts::kNone && loops_over_memory(s.target)) return &s;
      }
    }
    return nullptr;
  }
  static bool reads(const DeviceFlow& flow, const Statement& s) {
    return (s.kind == facts::StatementKind::kLoad && flow.deref(s)) || s.callee.starts_with("__ldg") ||
           s.callee == "triton.language.load";
  }
  bool loops_over_memory(facts::Id id) const {
    const facts::Function& function = view_.model.function(id);
    const DeviceFlow flow(view_.model, function);
    for (const facts::Id block : blocks_in_loops(view_.model, id)) {
      for (const Statement& s : function.blocks[static_cast<std::size_t>(block)].statements) {
        if (reads(flow, s)) return true;
      }
    }
    return false;
  }

  KernelView view_;
  KernelValues values_;
  const std::set<facts::Id>& in_loops_;
};

class Checker : public Collector {
 public:
  Checker(const Model& model, const Policy& policy) : Collector(kInfo, model, policy) {}

  void add(const Guard& guard, const SourceSpan& place, const std::string& message, const std::string& note) {
    if (Finding* finding = once_at(guard.span, message)) finding->notes.push_back({place, note});
  }

  void precision() {
    for (const PrecisionPlace& place : precision_places(model_)) {
      const bool chosen = chosen_by(model_, place, [&](const facts::NodeSet& nodes) {
        return model_.provenance().reaches(nodes, facts::NodeKind::kArgument, false);
      });
      if (chosen)
        once_at(model_.span(place.where),
                "What an argument holds decides whether " + place.what + " narrows the result.");
      for (const Guard& guard : model_.guards_of(place.where, place.context)) {
        if (!decides_by_contents(model_, guard) || !leaves_another_way(model_, guard, place.where, place.context))
          continue;
        add(guard, model_.span(place.where),
            "What an argument holds decides whether " + place.what + " narrows the result.", "narrowed here");
      }
    }
  }

  void in_kernels() {
    for (const PrecisionGate& gate : precision_gates(model_)) {
      Finding* finding =
          once_at(gate.decided, "What memory holds decides in " + model_.function(gate.kernel).qualified_name +
                                    " how precisely it computes.");
      if (finding != nullptr) finding->notes.push_back({gate.narrowed, "less precisely here"});
    }
  }

  void ways_in_kernels() {
    for (const DeviceFunction& code : launched_code_of_both(model_)) {
      const facts::Function& kernel = model_.function(code.function);
      if (!kernel.is_kernel) continue;
      Branches branches(model_, kernel);
      if (const Statement* loop = branches.counted_by_contents(); loop != nullptr)
        once_at(loop->span, "What memory holds decides in " + kernel.qualified_name + " how often a loop is run.");
      if (const auto told = branches.told_by_kernel()) {
        Finding* finding = once_at(told->decided, "What another kernel compared decides in " + kernel.qualified_name +
                                                      " which of two ways it computes.");
        if (finding != nullptr) finding->notes.push_back({told->one, "another way here"});
      }
      const auto found = branches.find();
      if (!found) continue;
      Finding* finding = once_at(found->decided, "What memory holds decides in " + kernel.qualified_name +
                                                     " which of two ways it goes through its input.");
      if (finding != nullptr) finding->notes.push_back({found->one, "another way here"});
    }
  }

  // One of several kernels, or less work for one, by how large an argument's elements are; how long something is may
  // decide how it is computed.
  void launches() {
    for (const LaunchChoice& choice : launch_choices(model_)) {
      if (choice.what == kTheStream || !decides_by_contents(model_, choice.guard)) continue;
      if (!slice_of(model_, choice.guard).names_any({"abs", "fabs", "norm", "std", "var", "square", "absolute"}))
        continue;
      add(choice.guard, model_.span(choice.launch),
          "What an argument holds decides " + choice.what + " of a launch that " + entry_name(model_) + " makes.",
          "launched here");
    }
  }

  // Two ways that compute, told apart by what an argument holds; an error is no way of returning.
  void ways() {
    for (const Alternative& way : model_.alternatives()) {
      if (!computes(model_, way)) continue;
      const Node& top = model_.provenance().at(way.node);
      for (const Guard& guard : way.guards) {
        if (!decides_by_contents(model_, guard)) continue;
        const bool decided = side_of(model_, guard, way.returned, 0) || side_of(model_, guard, top.where, top.context);
        if (!decided) continue;
        const bool other = leaves_another_way(model_, guard, way.returned, 0) ||
                           leaves_another_way(model_, guard, top.where, top.context);
        if (!other && !skipped(guard)) continue;
        add(guard, model_.span_of(way.node),
            "What an argument holds decides whether " + entry_name(model_) + " returns the result of " +
                model_.name_of_node(way.node) + ".",
            "computed here on one side");
      }
    }
  }

 private:
  // Another way, decided by the same test, that does no work.
  bool skipped(const Guard& guard) const {
    for (const Alternative& way : model_.alternatives()) {
      if (computes(model_, way)) continue;
      for (const Guard& each : way.guards) {
        if (each.function == guard.function && each.block == guard.block) return true;
      }
    }
    return false;
  }
};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  Checker checker(model, policy);
  checker.precision();
  checker.in_kernels();
  checker.ways_in_kernels();
  checker.ways();
  checker.launches();
  return checker.take();
}

}  // namespace

const Rule& value_gated_path() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
