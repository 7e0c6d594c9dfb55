// KA412: the size of an argument decides how precisely the result is computed.
#include <algorithm>
#include <map>
#include <set>

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
  if (!here) return false;
  const auto elsewhere = [&](const PrecisionPlace& other) {
    return side_of(model, guard, other.where, other.context) != here;
  };
  if (std::any_of(places.begin(), places.end(), [&](const PrecisionPlace& other) {
        return elsewhere(other) && side_of(model, guard, other.where, other.context);
      }))
    return true;
  // Each other way of returning has come by a place that does the same. What is replayed was captured on its side.
  const auto& ways = model.alternatives();
  const auto captured_here = [&](const facts::Alternative& way) {
    const auto is_here = [&](facts::NodeId id) {
      const facts::Node& node = model.provenance().at(id);
      return side_of(model, guard, node.where, node.context) == here;
    };
    return std::any_of(way.framework.begin(), way.framework.end(), is_here) ||
           std::any_of(way.launches.begin(), way.launches.end(), is_here);
  };
  return std::all_of(ways.begin(), ways.end(), [&](const facts::Alternative& way) {
    const facts::Node& top = model.provenance().at(way.node);
    if (!computes(model, way) || side_of(model, guard, way.returned, 0) == here ||
        side_of(model, guard, top.where, top.context) == here || captured_here(way))
      return true;
    return std::any_of(places.begin(), places.end(), [&](const PrecisionPlace& other) {
      return other.what == place.what && elsewhere(other) && other.where.function == way.returned.function &&
             model.run().flow(way.returned.function).dominates(other.where.block, way.returned.block);
    });
  });
}

// What the object was made with that its weights were made with as well, or the size of a weight.
bool is_size_of_weight(const Model& model, facts::Id function, facts::Id value) {
  const Slice& slice = slice_of(model, function, value);
  const auto& parameters = model.function(function).parameters;
  const auto& storages = model.facts().storages;
  const bool handed = std::any_of(parameters.begin() + (parameters.empty() ? 0 : 1), parameters.end(),
                                  [&](const auto& each) { return slice.storages.contains(each.storage); });
  if (handed) return false;
  if (slice.names_any({"weight", "in_features", "in_channels", "num_features", "normalized_shape"})) return true;
  for (const facts::Function& init : model.facts().functions) {
    if (init.name != "__init__" || init.class_id != model.function(function).class_id) continue;
    std::map<facts::Id, const facts::Statement*> made;
    std::set<facts::Id> kept, built;  // parameters that attribute holds, and that something is built with
    for (const facts::Block& block : init.blocks) {
      for (const facts::Statement& s : block.statements) {
        if (s.result != facts::kNone) made[s.result] = &s;
        const auto loaded = [&](facts::Id id) {
          const auto found = made.find(id);
          return found == made.end() ? facts::kNone : found->second->location.storage;
        };
        if (s.kind == facts::StatementKind::kStore && s.location.storage != facts::kNone &&
            slice.storages.contains(s.location.storage) &&
            storages[static_cast<std::size_t>(s.location.storage)].kind == facts::StorageKind::kInstanceAttribute)
          kept.insert(loaded(s.value));
        if (s.kind != facts::StatementKind::kCall || !s.callee.starts_with("torch.")) continue;
        for (const facts::Id arg : s.args) built.insert(loaded(arg));
        for (const auto& keyword : s.keywords) built.insert(loaded(keyword.second));
      }
    }
    kept.erase(facts::kNone);
    if (!kept.empty() && std::includes(built.begin(), built.end(), kept.begin(), kept.end())) return true;
  }
  return false;
}

// x.shape[1] == self.in_features: what every input passes that goes with the weights.
bool fits_weights(const Model& model, const Guard& guard) {
  bool any = false;
  for (const facts::Statement* s : slice_of(model, guard).statements) {
    if (s->kind != facts::StatementKind::kCall || !s->callee.starts_with("operator.") || s->args.size() != 2) continue;
    const auto sized = [&](std::size_t i) { return asks_size(slice_of(model, guard.function, s->args[i])); };
    if (!sized(0) && !sized(1)) continue;
    if (s->callee != "operator.eq" && s->callee != "operator.ne") return false;
    if (!is_size_of_weight(model, guard.function, s->args[0]) && !is_size_of_weight(model, guard.function, s->args[1]))
      return false;
    any = true;
  }
  return any;
}

// Whether the elements' type, the device or the framework's own setting says how precise the work is.
bool follows_dtype(const Model& model, const PrecisionPlace& place) {
  const Slice& slice = slice_of(model, place.where.function, place.setting);
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
      if (!decided.known() && !own_type && decides_by_size(model, guard) && !fits_weights(model, guard) &&
          !unless_empty(model, guard, place.where, place.context) && !on_both_sides(model, guard, place, places) &&
          leaves_another_way(model, guard, place.where, place.context))
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
