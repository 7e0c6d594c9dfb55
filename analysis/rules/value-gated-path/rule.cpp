// KA413: what an argument holds decides how the result is computed.
#include "analysis/rules/collector.h"
#include "analysis/rules/conditions.h"
#include "analysis/rules/gated_precision.h"
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

const RuleInfo kInfo{"KA413",
                     "value-gated-path",
                     "what an argument holds decides by which code, or how precisely, the result is computed",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {54}};

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
  checker.ways();
  return checker.take();
}

}  // namespace

const Rule& value_gated_path() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
