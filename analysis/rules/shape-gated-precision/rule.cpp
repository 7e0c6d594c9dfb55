// KA412: the size of an argument decides how precisely the result is computed.
#include "analysis/rules/conditions.h"
#include "analysis/rules/gated_precision.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Guard;
using facts::Model;

const RuleInfo kInfo{"KA412",
                     "shape-gated-precision",
                     "the size of an argument decides how precisely the result is computed",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {53}};

// Whether the other side of the guard narrows as well.
bool on_both_sides(const Model& model, const Guard& guard, const PrecisionPlace& place,
                   const std::vector<PrecisionPlace>& places) {
  const auto here = side_of(model, guard, place.where, place.context);
  return std::any_of(places.begin(), places.end(), [&](const PrecisionPlace& other) {
    const auto there = side_of(model, guard, other.where, other.context);
    return here && there && *here != *there;
  });
}

// Whether the elements' type, the device or the framework's own setting says how precise the work is.
bool follows_dtype(const Model& model, const PrecisionPlace& place) {
  const Slice slice = slice_of(model, place.where.function, place.setting);
  std::set<facts::Id> asked{place.where.function};
  for (const facts::Statement* each : slice.statements) {
    if (each->target != facts::kNone) asked.insert(each->target);
  }
  for (const facts::Id function : asked) {
    for (const facts::Block& block : model.function(function).blocks) {
      if (block.condition == facts::kNone) continue;
      if (slice_of(model, function, block.condition)
              .names_any({"dtype", "element_size", "itemsize", "is_floating_point", "get_device_capability",
                          "allow_tf32", "fp32_precision", "get_float32_matmul_precision", "is_autocast_enabled",
                          "training"}))
        return true;
    }
  }
  return slice.names_any({"dtype", "allow_tf32", "get_float32_matmul_precision", "get_device_capability"});
}

bool looks_at_sizes(const Model& model, const facts::NodeSet& nodes) {
  bool sizes = false;
  model.provenance().walk(nodes, [&](const facts::Node& node, facts::NodeId) {
    const std::string last = last_part(node.name);
    sizes = sizes || (node.kind == facts::NodeKind::kMetadata &&
                      (last == "shape" || last == "size" || last == "numel" || last == "nelement" || last == "sizes"));
    return node.kind != facts::NodeKind::kMetadata && node.kind != facts::NodeKind::kIdentity;
  });
  return sizes;
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  Once once;
  const std::vector<PrecisionPlace> places = precision_places(model);
  for (const PrecisionPlace& place : places) {
    SourceSpan decided;
    if (place.setting != facts::kNone && constant_of(model, place.setting) == nullptr &&
        asks_size(slice_of(model, place.where.function, place.setting)))
      decided = model.span(place.where);
    if (!decided.known() && place.several && !follows_dtype(model, place)) decided = model.span(place.where);
    if (!decided.known() && !follows_dtype(model, place) &&
        chosen_by(model, place, [&](const facts::NodeSet& nodes) { return looks_at_sizes(model, nodes); }))
      decided = model.span(place.where);
    // A kernel that is told the elements' own type narrows nothing, whichever way comes to it.
    const bool own_type = place.setting != facts::kNone && follows_dtype(model, place);
    for (const Guard& guard : model.guards_of(place.where, place.context)) {
      if (!decided.known() && !own_type && decides_by_size(model, guard) &&
          !on_both_sides(model, guard, place, places) && leaves_another_way(model, guard, place.where, place.context))
        decided = guard.span;
    }
    if (!decided.known() || once.seen(model.span(place.where))) continue;
    Finding finding =
        make_finding(kInfo, policy, "The size of an argument decides whether " + place.what + " narrows the result.");
    finding.span = model.span(place.where);
    finding.notes.push_back({decided, "decided by a size here"});
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& shape_gated_precision() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
