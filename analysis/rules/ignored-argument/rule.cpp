// KA811: no returned value depends on what an argument holds, or on a weight whose sibling takes part.
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "analysis/rules/collector.h"
#include "analysis/rules/conditions.h"
#include "analysis/rules/live_reads.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/reached_work.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"
#include "analysis/rules/unused_weights.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Node;
using facts::NodeId;
using facts::NodeKind;
using facts::Statement;

const RuleInfo kInfo{"KA811",
                     "ignored-argument",
                     "the result does not depend on what an argument or a weight holds",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {66, 73, 74, 75}};

struct Used {
  std::set<int> arguments;
  std::set<NodeId> weights;
  std::map<std::pair<facts::StatementRef, std::string>, bool> modules;  // where it is made, which weight
};

// Arguments that a kernel stores to: what it leaves of them lies beside what it puts there.
void add_written_arguments(const Model& model, const Node& launch, Used& used) {
  const auto given = model.run().launch_arguments.find({launch.where, launch.context});
  if (launch.kernel == kNone || given == model.run().launch_arguments.end()) return;
  const auto& written = model.access(launch.kernel).written;
  for (std::size_t p = 0; p < given->second.size() && p < written.size(); ++p) {
    for (const facts::ObjectId object : given->second[p].objects) {
      const int position = model.run().argument_position(object);
      if (written[p] && position >= 0) used.arguments.insert(position);
    }
  }
}

// What returned values are made of, and what decides which of them it is. `wanted` says which launches count.
Used used_by_results(const Model& model, const std::function<bool(const Node&)>& wanted) {
  Used used;
  facts::NodeSet from;
  for (const facts::EntryReturn& returned : model.returns()) {
    for (const facts::NodeSet& part : returned.parts) facts::merge_into(from, part);
  }
  for (const auto& [place, nodes] : model.run().conditions) {
    if (model.reached(place.first, facts::Phase::kForward)) facts::merge_into(from, nodes);
  }
  HostNumbers inputs(model);
  LiveReads(model, &inputs).walk(from, [&](const Node& node, NodeId id) {
    if (node.kind == NodeKind::kLaunch || node.kind == NodeKind::kCopy) add_written_arguments(model, node, used);
    if (node.kind == NodeKind::kArgument) used.arguments.insert(node.argument);
    if (node.kind == NodeKind::kWeights) {
      used.weights.insert(id);
      used.modules[{node.where, last_part(node.name)}] = true;
    }
    if (node.kind == NodeKind::kLaunch && !wanted(node)) return false;
    return node.kind != NodeKind::kMetadata && node.kind != NodeKind::kIdentity;
  });
  return used;
}

class Checker : public Collector {
 public:
  Checker(const Model& model, const Policy& policy)
      : Collector(kInfo, model, policy), used_(used_by_results(model, [](const Node&) { return true; })) {}

  void arguments() {
    const facts::Function& forward = model_.function(model_.facts().entry_function);
    const std::size_t first = model_.facts().entry_class != kNone ? 1 : 0;
    for (std::size_t i = first; i < forward.parameters.size(); ++i) {
      const facts::Parameter& parameter = forward.parameters[i];
      if (parameter.variadic || parameter.name.starts_with('_') || used_.arguments.empty()) continue;
      if (used_.arguments.contains(static_cast<int>(i - first)) || !handed_over(parameter)) continue;
      add_at(forward.name_span, "Nothing that " + entry_name(model_) + " returns depends on what its argument " +
                                    parameter.name + " holds.");
    }
  }

  // Kernels look at an argument, but none of them runs with the sizes that get_inputs gives.
  void arguments_by_size() {
    HostNumbers host(model_);
    if (!host.knows_inputs()) return;
    ReachedWork reached(model_, host);
    const Used running = used_by_results(
        model_, [&](const Node& launch) { return !reached.barred_by(launch.where, launch.context).has_value(); });
    if (running.arguments.empty()) return;
    const facts::Function& forward = model_.function(model_.facts().entry_function);
    const std::size_t first = model_.facts().entry_class != kNone ? 1 : 0;
    for (std::size_t i = first; i < forward.parameters.size(); ++i) {
      const int place = static_cast<int>(i - first);
      const auto shape = host.input(i - first);
      const bool filled = shape && std::none_of(shape->begin(), shape->end(), [](double size) { return size == 0; });
      if (!filled || !handed_over(forward.parameters[i])) continue;
      if (!used_.arguments.contains(place) || running.arguments.contains(place)) continue;
      once_at(forward.name_span, "With the sizes that get_inputs gives, nothing that " + entry_name(model_) +
                                     " returns depends on what its argument " + forward.parameters[i].name + " holds.");
    }
  }

  // self.weight takes part, self.bias of the same construction does not.
  void parameters() {
    struct Kept {
      Id storage = kNone;
      NodeId node = -1;
      SourceSpan span;
    };
    std::map<Id, std::vector<Kept>> by_function;
    for (const auto& [storage, stores] : model_.run().stores) {
      for (const facts::StateStore& store : stores) {
        if (store.phase != facts::Phase::kInit || store.nodes.size() != 1) continue;
        const Node& node = model_.provenance().at(store.nodes.front());
        if (node.kind != NodeKind::kWeights || node.where.function == kNone || model_.native(store.where.function) ||
            !is_weight(node.name))
          continue;
        by_function[store.where.function].push_back({storage, store.nodes.front(), model_.span(store.where)});
      }
    }
    for (const auto& [function, kept] : by_function) {
      const bool sibling =
          std::any_of(kept.begin(), kept.end(), [&](const Kept& each) { return used_.weights.contains(each.node); });
      for (const Kept& each : kept) {
        if (!used_.weights.contains(each.node) && (sibling || never_asked_for(each.storage)))
          unused("the weight " + model_.facts().storages[static_cast<std::size_t>(each.storage)].name, each.span);
      }
    }
  }

  // self.conv.weight takes part, self.conv.bias does not, and the module was made with one.
  void module_biases() {
    for (const auto& [place, used] : used_.modules) {
      const auto& [where, name] = place;
      const Statement* made = model_.statement(where);
      if (name != "weight" || made == nullptr || !has_bias(*made)) continue;
      const bool bias = std::any_of(used_.modules.begin(), used_.modules.end(), [&](const auto& other) {
        return other.first.first == where && other.first.second != "weight";
      });
      if (!bias) unused("the bias of " + made->callee, made->span);
    }
  }

  // self.norm.eps is read, and normalising is done by hand: self.norm.weight and self.norm.bias are never asked for.
  void affine_parameters() {
    if (goes_over_parameters()) return;
    std::map<facts::StatementRef, std::set<std::string>> read;  // where a module is made → what is read of it
    for (std::size_t id = 0; id < model_.provenance().size(); ++id) {
      const Node& node = model_.provenance().at(static_cast<NodeId>(id));
      if (node.kind == NodeKind::kWeights && node.where.known()) read[node.where].insert(last_part(node.name));
    }
    for (const auto& [where, names] : read) {
      const Statement* made = model_.statement(where);
      if (made == nullptr || names.contains(last_part(made->callee))) continue;  // it is called
      if (!names.contains("eps") && !names.contains("running_mean") && !names.contains("running_var")) continue;
      for (const char* name : {"weight", "bias"}) {
        if (!names.contains(name) && has_affine(*made, name))
          unused("the " + std::string(name) + " of " + made->callee, made->span);
      }
    }
  }

  // self.adapter of a constructor has weights, and no code or only code that never runs reads the attribute.
  void dropped_modules() {
    const auto by_name = [](const std::string& name) {
      return name == "builtins.getattr" || name.ends_with("attrgetter");
    };
    if (goes_over_parameters() || !ran(model_, by_name).empty()) return;
    std::map<std::string, std::pair<bool, bool>> read;  // by attribute: in code that runs, in other code
    const auto& functions = model_.facts().functions;
    for (std::size_t f = 0; f < functions.size(); ++f) {
      const Id id = static_cast<Id>(f);
      if (functions[f].is_kernel || model_.native(id)) continue;
      const bool runs = model_.reached(id, facts::Phase::kForward) || model_.reached(id, facts::Phase::kInit);
      for (const facts::Block& block : functions[f].blocks) {
        for (const Statement& s : block.statements) {
          if (s.kind != facts::StatementKind::kLoad || s.location.base == kNone || s.location.storage == kNone)
            continue;
          auto& [in_code, in_other] = read[model_.facts().storages[static_cast<std::size_t>(s.location.storage)].name];
          (runs ? in_code : in_other) = true;
        }
      }
    }
    for (const auto& [storage, stores] : model_.run().stores) {
      const std::string& attribute = model_.facts().storages[static_cast<std::size_t>(storage)].name;
      const auto names = read.find(attribute);
      const bool somewhere = names != read.end();
      if (somewhere && (names->second.first || !names->second.second)) continue;
      for (const facts::StateStore& store : stores) {
        const Statement* kept = model_.statement(store.where);
        const Statement* made = kept == nullptr || model_.native(store.where.function)
                                    ? nullptr
                                    : maker(model_, store.where.function, kept->value);
        if (store.phase != facts::Phase::kInit || made == nullptr) continue;
        // What no code reads may be the task's own; a norm layer, whose weights change nothing as they begin, hides it,
        // and no task consists of weights that it leaves alone.
        const bool weighs = has_weights(*made) && (somewhere || used_.weights.empty());
        if (!weighs && (somewhere || !has_affine(*made, "weight"))) continue;
        once_at(made->span, std::string(somewhere ? "Only code that never runs" : "No code") + " reads the " +
                                made->callee + " that is kept in " + attribute + ": nothing that " +
                                entry_name(model_) + " returns depends on it.");
      }
    }
  }

  // A weight that a kernel is handed, and that no code which runs makes anything of.
  void handed_weights() {
    if (goes_over_parameters()) return;
    for (const UnusedWeight& each : handed_and_unused(model_)) {
      unused("the weight that kernel " + each.kernel + " is handed as " + each.parameter, model_.span(each.launch));
    }
  }

  void deciding() {
    for (const DecidingWeight& each : deciding_weights(model_))
      once_at(each.span, "What the weight " + each.weight + " holds decides " + each.what + ".");
  }

 private:
  // Parameters are asked for otherwise than by name.
  bool goes_over_parameters() const {
    static constexpr std::string_view calls[] = {"parameters",        "named_parameters",     "state_dict",
                                                 "children",          "named_children",       "modules",
                                                 "named_modules",     "get_parameter",        "parameters_to_vector",
                                                 "fuse_conv_bn_eval", "fuse_linear_bn_eval",  "__getattr__",
                                                 "deepcopy",          "fuse_conv_bn_weights", "vars"};
    static constexpr std::string_view tables[] = {"_parameters", "_modules", "__dict__"};
    const facts::Facts& facts = model_.facts();
    return !ran(model_, [](const std::string& name) { return matches(last_part(name), calls); }).empty() ||
           std::any_of(facts.functions.begin(), facts.functions.end(),
                       [](const facts::Function& function) { return function.name == "__getattr__"; }) ||
           std::any_of(facts.values.begin(), facts.values.end(),
                       [](const facts::Value& value) { return matches(last_part(value.symbol), tables); }) ||
           std::any_of(facts.storages.begin(), facts.storages.end(),
                       [](const facts::Storage& storage) { return matches(storage.name, tables); });
  }

  // Nothing in the source reads the attribute, and nothing goes over all of them.
  bool never_asked_for(Id attribute) const {
    const std::string& name = model_.facts().storages[static_cast<std::size_t>(attribute)].name;
    for (const facts::Function& function : model_.facts().functions) {
      for (const facts::Block& block : function.blocks) {
        for (const Statement& s : block.statements) {
          const bool computed = s.callee == "builtins.getattr" || s.callee.ends_with("attrgetter");
          if (computed) return false;
          if (s.kind != facts::StatementKind::kLoad || s.location.storage == kNone) continue;
          if (model_.facts().storages[static_cast<std::size_t>(s.location.storage)].name == name) return false;
        }
      }
    }
    return !goes_over_parameters();
  }

  void unused(const std::string& what, const SourceSpan& span) {
    once_at(span, "Nothing that " + entry_name(model_) + " returns depends on " + what + ".");
  }

  // A tensor, as far as is known, that the caller has to hand over.
  bool handed_over(const facts::Parameter& parameter) const {
    using Kind = facts::TypeKind;
    const Kind kind = parameter.type.kind;
    if (kind != Kind::kTensor && kind != Kind::kUnknown && kind != Kind::kParameter) return false;
    if (parameter.value != kNone) {
      // A default makes it a constant, or one of several values.
      const facts::Value& value = model_.value(parameter.value);
      if (value.constant || !value.reason.empty()) return false;
    }
    if (parameter.storage == kNone) return true;
    return model_.facts().storages[static_cast<std::size_t>(parameter.storage)].kind !=
           facts::StorageKind::kDefaultArgument;
  }

  // Made as a parameter, or a module's: its other attributes are settings.
  static bool is_weight(const std::string& name) {
    static constexpr std::string_view names[] = {"Parameter", "Buffer", "UninitializedParameter", "weight", "bias"};
    return matches(last_part(name), names);
  }

  static bool has_weights(const Statement& made) {
    static constexpr std::string_view modules[] = {"torch.nn.Linear",
                                                   "torch.nn.Bilinear",
                                                   "torch.nn.Conv1d",
                                                   "torch.nn.Conv2d",
                                                   "torch.nn.Conv3d",
                                                   "torch.nn.ConvTranspose1d",
                                                   "torch.nn.ConvTranspose2d",
                                                   "torch.nn.ConvTranspose3d",
                                                   "torch.nn.Embedding",
                                                   "torch.nn.EmbeddingBag",
                                                   "torch.nn.RNN",
                                                   "torch.nn.GRU",
                                                   "torch.nn.LSTM",
                                                   "torch.nn.MultiheadAttention",
                                                   "torch.nn.Parameter"};
    return matches(made.callee, modules);
  }

  bool has_bias(const Statement& made) const {
    static constexpr std::string_view modules[] = {
        "torch.nn.Linear",          "torch.nn.Conv1d",          "torch.nn.Conv2d",         "torch.nn.Conv3d",
        "torch.nn.ConvTranspose1d", "torch.nn.ConvTranspose2d", "torch.nn.ConvTranspose3d"};
    if (!matches(made.callee, modules) || made.star_args) return false;
    for (const auto& [name, value] : made.keywords) {
      if (name != "bias") continue;
      const Json* given = constant_of(model_, value);
      return given != nullptr && given->is_boolean() && given->get<bool>();
    }
    return made.args.size() <= 2 || (made.callee != "torch.nn.Linear" && made.args.size() <= 5);
  }

  // What a layer that normalises is made with, as far as its settings are known.
  bool has_affine(const Statement& made, std::string_view name) const {
    static constexpr std::string_view by_channel[] = {"torch.nn.BatchNorm1d", "torch.nn.BatchNorm2d",
                                                      "torch.nn.BatchNorm3d", "torch.nn.GroupNorm"};
    const bool layer = made.callee == "torch.nn.LayerNorm", root = made.callee == "torch.nn.RMSNorm";
    if ((!layer && !root && !matches(made.callee, by_channel)) || made.star_args || (root && name == "bias"))
      return false;
    const auto on = [&](Id setting) {
      const Json* given = constant_of(model_, setting);
      return setting == kNone || (given != nullptr && given->is_boolean() && given->get<bool>());
    };
    const bool whole = layer || root;
    return on(argument(made, whole ? 2 : 3, whole ? "elementwise_affine" : "affine")) &&
           (!layer || name != "bias" || on(argument(made, 3, "bias")));
  }

  const Used used_;
};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  if (!model.has_entry() || !model.ran_forward() || model.returns().empty() || not_all_read(model)) return {};
  if (!model.run().blind_launches.empty()) return {};
  Checker checker(model, policy);
  checker.arguments();
  checker.arguments_by_size();
  checker.parameters();
  checker.module_biases();
  checker.affine_parameters();
  checker.dropped_modules();
  checker.handed_weights();
  checker.deciding();
  return checker.take();
}

}  // namespace

const Rule& ignored_argument() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
