#include "analysis/rules/gated_precision.h"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/facts/flow_graph.h"
#include "analysis/rules/conditions.h"
#include "analysis/rules/device_code.h"
#include "analysis/rules/kernel_code.h"
#include "analysis/rules/kernel_values.h"
#include "analysis/rules/launch_values.h"
#include "analysis/rules/narrowing.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/skipped_launches.h"

namespace kernel_audit::analysis::rules {

using facts::Model;
using facts::Node;
using facts::NodeId;
using facts::NodeKind;

namespace {

// How precise a product is asked to be, "" when that is left to the default.
std::string dot_precision(const Model& model, const facts::Statement& dot) {
  for (const auto& [name, value] : dot.keywords) {
    if (name != "input_precision" && name != "allow_tf32") continue;
    const auto& said = model.value(value).constant;
    if (!said) return "?";
    return *said == Json("ieee") || *said == Json(false) ? "ieee" : *said == Json("tf32x3") ? "tf32x3" : "";
  }
  return "";
}

// Those of all products that do not come of halves.
std::set<std::string> dot_precisions(const Model& model, const facts::Function& kernel) {
  std::set<std::string> found;
  for (const facts::Block& block : kernel.blocks) {
    for (const facts::Statement& s : block.statements) {
      if (s.callee == "triton.language.dot") found.insert(dot_precision(model, s));
    }
  }
  return found;
}

// Parameters of a Triton kernel that say how precise its products are, or whether it narrows what it reads.
std::set<std::size_t> precision_parameters(const Model& model, const facts::Function& kernel) {
  std::set<std::size_t> found;
  DeviceFlow flow(model, kernel);
  const facts::FlowGraph graph(kernel);
  const auto add = [&](facts::Id value) {
    const facts::Statement* made = value == facts::kNone ? nullptr : flow.made(value);
    if (made == nullptr || made->kind != facts::StatementKind::kLoad) return;
    for (std::size_t p = 0; p < kernel.parameters.size(); ++p) {
      if (kernel.parameters[p].storage == made->location.storage) found.insert(p);
    }
  };
  const facts::Statement* narrowing = narrowing_in(model, kernel).statement;
  const std::set<std::string> precisions = dot_precisions(model, kernel);
  for (std::size_t b = 0; b < kernel.blocks.size(); ++b) {
    for (const facts::Statement& s : kernel.blocks[b].statements) {
      if (&s == narrowing) {
        for (const facts::Id decider : graph.deciders(static_cast<facts::Id>(b)))
          add(kernel.blocks[static_cast<std::size_t>(decider)].condition);
      }
      const bool cast = s.callee == "triton.language.cast";
      for (std::size_t i = cast ? 1 : 0; (cast || s.callee.ends_with(".to")) && i < s.args.size(); ++i)
        add(s.args[i]);  // x.to(TYPE), tl.cast(x, TYPE)
      if (s.callee != "triton.language.dot") continue;
      if (precisions.size() > 1) {
        for (const facts::Id decider : graph.deciders(static_cast<facts::Id>(b))) {
          for (const facts::Id id : flow.behind(kernel.blocks[static_cast<std::size_t>(decider)].condition).values)
            add(id);
        }
      }
      for (const auto& [name, value] : s.keywords) {
        if (name == "input_precision" || name == "allow_tf32") add(value);
      }
    }
  }
  return found;
}

// Its settings are picked by what it is launched on.
bool chosen_by_decorator(const Model& model, const facts::Function& kernel, std::size_t parameter) {
  const facts::Parameter& setting = kernel.parameters[parameter];
  const auto default_value = [&](facts::Id id) {
    return id != facts::kNone &&
           model.facts().storages[static_cast<std::size_t>(id)].kind == facts::StorageKind::kDefaultArgument;
  };
  const bool known = setting.value != facts::kNone && model.value(setting.value).constant.has_value();
  return !known && !default_value(setting.storage) &&
         std::any_of(kernel.decorators.begin(), kernel.decorators.end(),
                     [](const std::string& name) { return name == "triton.heuristics" || name == "triton.autotune"; });
}

// What the statements on one side of a decider do to precision.
struct Side {
  std::set<std::string> precisions;
  const facts::Statement* narrows = nullptr;
  bool computes = false;
};

constexpr int kDeepestHelper = 3;

void add_statement(const Model& model, const DeviceFlow& flow, const facts::Statement& s, int depth, Side& found) {
  const std::string to = narrows_to(model, s);
  if (s.callee == "triton.language.dot") found.precisions.insert("dot " + dot_precision(model, s));
  if (!to.empty()) found.precisions.insert(to);
  const bool less = !to.empty() || (s.callee == "triton.language.dot" && dot_precision(model, s).empty());
  if (less && found.narrows == nullptr) found.narrows = &s;
  found.computes = found.computes || s.callee == "triton.language.load" || flow.deref(s) || s.target != facts::kNone ||
                   s.callee == "triton.language.dot";
  if (s.target == facts::kNone || depth == kDeepestHelper) return;
  const facts::Function& helper = model.function(s.target);
  const DeviceFlow inside(model, helper);
  for (const facts::Block& block : helper.blocks) {
    for (const facts::Statement& each : block.statements) add_statement(model, inside, each, depth + 1, found);
  }
}

Side side_of_decider(const Model& model, const KernelView& view, facts::Id decider, bool side) {
  Side found;
  for (std::size_t b = 0; b < view.function.blocks.size(); ++b) {
    if (view.side(decider, static_cast<facts::Id>(b)) != side) continue;
    for (const facts::Statement& s : view.function.blocks[b].statements) add_statement(model, view.flow, s, 0, found);
  }
  return found;
}

// Device code that launches reach, the helpers of Triton's kernels included, and who calls what of it.
struct Reached {
  std::vector<DeviceFunction> code;
  std::map<facts::Id, std::vector<std::pair<facts::Id, const facts::Statement*>>> calls;
};

Reached reached_code(const Model& model) {
  Reached found{launched_code_of_both(model), {}};
  std::set<facts::Id> seen;
  for (const DeviceFunction& each : found.code) seen.insert(each.function);
  for (std::size_t i = 0; i < found.code.size(); ++i) {
    const DeviceFunction caller = found.code[i];
    for (const facts::Block& block : model.function(caller.function).blocks) {
      for (const facts::Statement& s : block.statements) {
        if (s.target == facts::kNone) continue;
        found.calls[s.target].emplace_back(caller.function, &s);
        if (seen.insert(s.target).second) found.code.push_back({s.target, caller.launch});
      }
    }
  }
  return found;
}

// Whether a value comes of what memory holds: loaded there, or by a caller that hands it over.
bool from_memory(const Model& model, const Reached& reached, facts::Id in, facts::Id value, int depth) {
  const facts::Function& function = model.function(in);
  KernelValues values(model, function);
  if (values.from_memory({value})) return true;
  const auto calls = reached.calls.find(in);
  if (calls == reached.calls.end() || depth == kDeepestHelper) return false;
  std::set<facts::Id> handed;
  values.walk({value}, [&](const facts::Statement& s, KernelValue at) {
    handed.insert(values.kernel_parameter(s, at));
    return true;
  });
  for (const auto& [caller, call] : calls->second) {
    for (std::size_t p = 0; p < function.parameters.size(); ++p) {
      if (function.parameters[p].storage == facts::kNone || !handed.contains(function.parameters[p].storage)) continue;
      facts::Id given = p < call->args.size() ? call->args[p] : facts::kNone;
      for (const auto& [name, each] : call->keywords) {
        if (name == function.parameters[p].name) given = each;
      }
      if (given != facts::kNone && from_memory(model, reached, caller, given, depth + 1)) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<PrecisionGate> precision_gates(const Model& model) {
  std::vector<PrecisionGate> gates;
  const Reached reached = reached_code(model);
  for (const DeviceFunction& code : reached.code) {
    const KernelView& view = view_of(model, code.function);
    for (std::size_t d = 0; d < view.function.blocks.size(); ++d) {
      const facts::Id condition = view.function.blocks[d].condition;
      const facts::Id decider = static_cast<facts::Id>(d);
      if (condition == facts::kNone) continue;
      const Side yes = side_of_decider(model, view, decider, true), no = side_of_decider(model, view, decider, false);
      if (!yes.computes || !no.computes || yes.precisions == no.precisions) continue;
      const facts::Statement* narrows = yes.narrows != nullptr ? yes.narrows : no.narrows;
      if (narrows == nullptr || !from_memory(model, reached, code.function, condition, 0)) continue;
      const facts::Statement* test = view.flow.made(condition);
      gates.push_back({code.function, test == nullptr ? narrows->span : test->span, narrows->span});
      break;
    }
  }
  return gates;
}

bool chosen_by(const Model& model, const PrecisionPlace& place,
               const std::function<bool(const facts::NodeSet&)>& wanted) {
  if (wanted(place.nodes)) return true;
  std::vector<Choice> choices;
  if (place.setting != facts::kNone) choices = choices_behind(model, place.where.function, place.setting);
  // Of several kernels: the branch for each looks at the value that was chosen.
  const facts::Statement* launch = model.statement(place.where);
  if (launch != nullptr && launch->launch && !model.native(place.where.function)) {
    for (const facts::Id decider : model.run().flow(place.where.function).deciders(place.where.block)) {
      const facts::Id condition =
          model.function(place.where.function).blocks[static_cast<std::size_t>(decider)].condition;
      const facts::Statement* selects = maker(model, place.where.function, condition);
      if (selects == nullptr || selects->callee != "dispatch.selects" || selects->args.empty()) continue;
      const auto of_kernel = choices_behind(model, place.where.function, selects->args[0]);
      choices.insert(choices.end(), of_kernel.begin(), of_kernel.end());
    }
  }
  return std::any_of(choices.begin(), choices.end(), [&](const Choice& choice) {
    const auto nodes = model.run().conditions.find({choice.in, choice.block});
    return nodes != model.run().conditions.end() && wanted(nodes->second);
  });
}

namespace {

// Pointers by which kernels are reached that narrow and others that do not.
class Tables {
 public:
  void add(const Model& model, const Node& launch, bool narrows) {
    for (const auto& [where, pointer] : pointers_to(model, launch.where, launch.context)) {
      Both& both = tables_[where];
      both.pointer = pointer;
      (narrows ? both.narrow : both.whole) = true;
      if (narrows) both.name = "kernel " + model.function(launch.kernel).qualified_name;
    }
  }
  void add_places(std::vector<PrecisionPlace>& places) const {
    for (const auto& [where, both] : tables_) {
      if (both.narrow && both.whole) places.push_back({where, 0, both.name, both.pointer});
    }
  }

 private:
  struct Both {
    facts::Id pointer = facts::kNone;
    bool narrow = false, whole = false;
    std::string name;
  };
  std::map<facts::StatementRef, Both> tables_;
};

}  // namespace

std::vector<PrecisionPlace> precision_places(const Model& model) {
  std::vector<PrecisionPlace> places;
  Tables tables;
  std::set<NodeId> seen;
  std::map<facts::Id, bool> narrow_kernels;
  const LaunchValues launches(model);
  for (const facts::Alternative& way : model.alternatives()) {
    model.provenance().walk({way.node}, [&](const Node& node, NodeId id) {
      if (node.kind == NodeKind::kMetadata || node.kind == NodeKind::kIdentity) return false;
      bool narrows = narrowing_copy(model, node);
      if (node.kind == NodeKind::kLaunch && node.kernel != facts::kNone) {
        const auto [known, fresh] = narrow_kernels.try_emplace(node.kernel, false);
        if (fresh)
          known->second =
              narrowing_in(model, model.function(node.kernel), launches.read_by(node.kernel), &launches).statement !=
              nullptr;
        narrows = known->second;
        if (node.phase == facts::Phase::kForward) tables.add(model, node, narrows);
      }
      if (narrows && node.phase == facts::Phase::kForward && seen.insert(id).second)
        places.push_back({node.where, node.context, model.name_of_node(id), facts::kNone});
      return true;
    });
  }
  tables.add_places(places);
  for (const facts::ForeignStore& store : model.run().foreign_stores) {
    const facts::Statement* statement = model.statement(store.where);
    const std::string last = last_part(store.name);
    const bool flag = last == "allow_tf32" || last == "fp32_precision" || last.starts_with("allow_fp16") ||
                      last.starts_with("allow_bf16");
    if (flag && statement != nullptr && store.phase == facts::Phase::kForward)
      places.push_back({store.where, store.context, store.name, statement->value});
  }
  const auto nodes_of = [&](facts::Id kernel, std::size_t parameter) {
    const auto value = launches.given(kernel, parameter);
    return value ? value->nodes : facts::NodeSet{};
  };
  for (const facts::StatementRef& where : model.run().executed_launches) {
    const facts::Statement* launch = model.statement(where);
    if (launch == nullptr || !launch->launch || launch->launch->kernel_function == facts::kNone) continue;
    const facts::Id id = launch->launch->kernel_function;
    const facts::Function& kernel = model.function(id);
    for (const std::size_t parameter : precision_parameters(model, kernel)) {
      const auto handed = launches.given(id, parameter);
      if (handed && launches.widths(*handed) != 0) continue;  // what it points to decides: precision_gates
      // One type or setting, whichever way is taken.
      if (handed && handed->objects.size() + handed->constants.size() == 1 && !handed->open) continue;
      facts::Id given = parameter < launch->args.size() ? launch->args[parameter] : facts::kNone;
      for (const auto& [name, value] : launch->keywords) {
        if (name == kernel.parameters[parameter].name) given = value;
      }
      if (given == facts::kNone && launch->star_args) given = launch->args.back();  // **settings
      if (given != facts::kNone)
        places.push_back({where, 0, "kernel " + kernel.qualified_name, given,
                          launches.constants(id, parameter).size() > 1, nodes_of(id, parameter)});
      else if (chosen_by_decorator(model, kernel, parameter))
        places.push_back({where, 0, "kernel " + kernel.qualified_name, facts::kNone, true, {}});
    }
  }
  const auto wanted = [](const std::string& name) {
    return name == "torch.autocast" || name == "torch.amp.autocast" || name.starts_with("torch.cuda.amp.autocast") ||
           name == "torch.set_float32_matmul_precision";
  };
  for (const Ran& call : ran(model, wanted)) {
    if (!call.record->in_forward) continue;
    facts::Id setting = argument(*call.statement, 99, "enabled");
    if (setting == facts::kNone && call.name == "torch.set_float32_matmul_precision")
      setting = argument(*call.statement, 0);
    places.push_back({call.where, 0, call.name, setting});
  }
  return places;
}

}  // namespace kernel_audit::analysis::rules
