// KA421: what fp32 inputs hold is narrowed to a 16 or 8 bit float, or to TF32, on its way.
#include <algorithm>

#include "analysis/rules/conditions.h"
#include "analysis/rules/device_code.h"
#include "analysis/rules/launch_values.h"
#include "analysis/rules/narrowing.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Function;
using facts::Model;
using facts::Node;
using facts::NodeId;
using facts::NodeKind;

const RuleInfo kInfo{"KA421",
                     "narrowed-precision",
                     "fp32 data is narrowed to half, bfloat16, fp8 or TF32 on its way to the result",
                     Severity::kWarning,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {49},
                     Topic::kReducedPrecision};

// Kernels in Python that launches reach, and what they call.
std::vector<DeviceFunction> launched_in_python(const Model& model) {
  std::vector<DeviceFunction> found;
  const auto add = [&](facts::Id function, const facts::StatementRef& launch) {
    const bool known = function == facts::kNone || std::any_of(found.begin(), found.end(), [&](const auto& each) {
                         return each.function == function;
                       });
    if (!known) found.push_back({function, launch});
  };
  for (const facts::StatementRef& launch : model.run().executed_launches) {
    const facts::Statement* statement = model.statement(launch);
    if (statement != nullptr && statement->launch && !model.native(launch.function))
      add(statement->launch->kernel_function, launch);
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const facts::StatementRef launch = found[i].launch;
    for (const facts::Block& block : model.function(found[i].function).blocks) {
      for (const facts::Statement& statement : block.statements) add(statement.target, launch);
    }
  }
  return found;
}

void in_kernels(const Model& model, const Policy& policy, const LaunchValues& launches,
                std::vector<Finding>& findings) {
  std::vector<DeviceFunction> launched = launched_code(model);
  const std::vector<DeviceFunction> in_python = launched_in_python(model);
  launched.insert(launched.end(), in_python.begin(), in_python.end());
  for (const DeviceFunction& code : launched) {
    const Function& function = model.function(code.function);
    const Narrowing narrowing =
        narrowing_in(model, function, launches.read_by(model.kernel_of(code.launch)), &launches);
    if (narrowing.statement == nullptr) continue;
    findings.push_back(finding_in_launched(kInfo, model, policy, code, *narrowing.statement,
                                           "narrows what it reads from wider memory to " + narrowing.to + "."));
  }
}

// Whether dtypes are looked up by other dtypes: in a table from the one to the other, or by a comparison with a narrow
// one.
bool looks_up_dtypes(const Model& model) {
  const auto& functions = model.facts().functions;
  for (std::size_t f = 0; f < functions.size(); ++f) {
    const facts::Id function = static_cast<facts::Id>(f);
    if (model.native(function) || functions[f].is_kernel) continue;
    for (const facts::Block& block : functions[f].blocks) {
      for (const facts::Statement& s : block.statements) {
        const bool compares = s.callee == "operator.eq" || s.callee == "operator.is_" ||
                              s.callee == "operator.contains" || s.callee == "operator.ne" ||
                              s.callee == "operator.is_not";
        const bool looks_up =
            s.kind == facts::StatementKind::kLoad && s.location.element && s.location.key != facts::kNone;
        const bool gets = s.callee.ends_with(".get") && !s.args.empty();
        if (!compares && !looks_up && !gets) continue;
        const Slice& slice = slice_of(model, function, compares ? s.result : looks_up ? s.location.key : s.args[0]);
        if (!slice.names_any({"dtype"})) continue;
        if (!compares || std::any_of(slice.names.begin(), slice.names.end(), [](const std::string& name) {
              return name.starts_with("torch.") && width_of_dtype(name) == kNarrowFloat;
            }))
          return true;
      }
    }
  }
  return false;
}

// A Triton kernel that reads 32 bit floats alone fills a buffer of a narrower type, which is not what is returned: a
// later step reads it, or it is widened again.
void into_buffers(const Model& model, const Policy& policy, const LaunchValues& launches,
                  std::vector<Finding>& findings) {
  std::set<facts::NodeId> returned;
  for (const facts::EntryReturn& each : model.returns()) {
    for (const facts::NodeSet& part : each.parts) returned.insert(part.begin(), part.end());
  }
  std::set<facts::StatementRef> seen;
  for (const auto& [place, arguments] : model.run().launch_arguments) {
    const facts::Id kernel = model.kernel_of(place.first);
    if (kernel == facts::kNone || model.native(kernel) || seen.contains(place.first)) continue;
    const auto& access = model.access(kernel);
    if (!access.known || !LaunchValues::wide_alone(launches.read_by(kernel, arguments))) continue;
    const bool result = std::any_of(returned.begin(), returned.end(), [&](NodeId id) {
      const Node& node = model.provenance().at(id);
      return node.where == place.first && node.context == place.second;
    });
    for (std::size_t p = 0; !result && p < arguments.size() && p < access.written.size(); ++p) {
      const Widths widths = launches.widths(arguments[p]);
      if (!access.written[p] || (widths & kNarrowFloat) == 0 || (widths & kNoWidth) != 0) continue;
      const bool keyed = (widths & kWideFloat) != 0 && looks_up_dtypes(model);
      if (keyed || !seen.insert(place.first).second) continue;
      Finding finding = make_finding(kInfo, policy,
                                     "What " + model.function(kernel).qualified_name +
                                         " makes of 32 bit floats it stores to a buffer of a narrower "
                                         "type, from which the result is made.");
      finding.span = model.span(place.first);
      findings.push_back(std::move(finding));
    }
  }
}

void on_host(const Model& model, const Policy& policy, std::vector<Finding>& findings) {
  std::set<NodeId> seen;
  for (const facts::Alternative& way : model.alternatives()) {
    model.provenance().walk({way.node}, [&](const Node& node, NodeId id) {
      if (node.kind == NodeKind::kMetadata || node.kind == NodeKind::kIdentity) return false;
      if (!narrowing_copy(model, node) || !model.provenance().reaches({id}, NodeKind::kArgument)) return true;
      if (!seen.insert(id).second) return true;
      Finding finding = make_finding(
          kInfo, policy,
          entry_name(model) + " returns a value that " + node.name + " narrows to 16 bits or less on its way.");
      finding.span = model.span_of(id);
      model.add_call_notes(id, finding.notes);
      finding.notes.push_back({model.span(way.returned), "returned here"});
      findings.push_back(std::move(finding));
      return true;
    });
  }
}

// Whether the framework computes it in 16 bits where torch.autocast is in force.
bool narrowed_by_autocast(const Node& node) {
  // Each is also the beginning of others.
  static constexpr std::string_view kModules[] = {
      "torch.nn.Linear",      "torch.nn.LazyLinear", "torch.nn.Bilinear",
      "torch.nn.Conv",        "torch.nn.LazyConv",   "torch.nn.LSTM",
      "torch.nn.GRU",         "torch.nn.RNN",        "torch.nn.MultiheadAttention",
      "torch.nn.Transformer", "torch.nn.Sequential"};
  if (node.kind != NodeKind::kFramework) return false;
  if (node.family == "module") {
    return std::any_of(std::begin(kModules), std::end(kModules),
                       [&](std::string_view begin) { return node.name.starts_with(begin); });
  }
  return one_of(node.family, {"matmul", "convolution", "attention", "recurrent"});
}

// Whether forward is handed floats of 16 bits and fewer alone.
bool takes_halves(const Model& model, const LaunchValues& launches) {
  bool any = false;
  for (const auto& [tensor, position] : model.run().argument_objects()) {
    const Widths widths = launches.widths(tensor);
    if ((widths & (kWideFloat | kNoWidth)) != 0) return false;
    any = any || (widths & kNarrowFloat) != 0;
  }
  return any;
}

// Products of the framework's that torch.autocast lets be computed in 16 bits.
void in_autocast(const Model& model, const Policy& policy, const LaunchValues& launches,
                 std::vector<Finding>& findings) {
  if (takes_halves(model, launches)) return;
  std::set<facts::StatementRef> seen;
  for (const facts::Alternative& way : model.alternatives()) {
    model.provenance().walk({way.node}, [&](const Node& node, NodeId id) {
      if (node.kind == NodeKind::kMetadata || node.kind == NodeKind::kIdentity) return false;
      const auto scopes = model.run().under_autocast.find(id);
      if (scopes == model.run().under_autocast.end() || !narrowed_by_autocast(node) ||
          !model.provenance().reaches({id}, NodeKind::kArgument))
        return true;
      for (const facts::StatementRef& scope : scopes->second) {
        if (!seen.insert(scope).second) continue;
        Finding finding = make_finding(kInfo, policy,
                                       entry_name(model) + " returns a value that " + node.name +
                                           " computes in 16 bits on its way, as torch.autocast lets it.");
        finding.span = model.span(scope);
        finding.notes.push_back({model.span_of(id), node.name + " computes here"});
        finding.notes.push_back({model.span(way.returned), "returned here"});
        findings.push_back(std::move(finding));
      }
      return true;
    });
  }
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  const LaunchValues launches(model);
  in_kernels(model, policy, launches, findings);
  into_buffers(model, policy, launches, findings);
  on_host(model, policy, findings);
  in_autocast(model, policy, launches, findings);
  return findings;
}

}  // namespace

const Rule& narrowed_precision() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
