// KA801: a returned value does not depend on what any argument holds.
#include <algorithm>

#include "analysis/rules/conditions.h"
#include "analysis/rules/live_reads.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/skipped_launches.h"
#include "analysis/rules/support.h"
#include "analysis/rules/surely_written.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Alternative;
using facts::Guard;
using facts::GuardKind;
using facts::Model;

const RuleInfo kInfo{"KA801",          "constant-output", "the returned value is the same whatever the arguments hold",
                     Severity::kError, Confidence::kHigh, Stage::kAnalysis,
                     Effect::kCheat,   {63, 64}};

// Whether what an argument holds comes into a value, by way of what kernels do make use of.
bool made_of_contents(LiveReads& live, const Alternative& way) {
  bool found = false;
  live.walk({way.node}, [&](const facts::Node& node, facts::NodeId) {
    found = found || node.kind == facts::NodeKind::kArgument || node.kind == facts::NodeKind::kUnknown ||
            node.kind == facts::NodeKind::kState;
    return node.kind != facts::NodeKind::kMetadata && node.kind != facts::NodeKind::kIdentity;
  });
  return found;
}

// Whether a kernel that certainly runs with the candidate's own inputs writes to the buffer that holds this: then it is
// returned as it is of other inputs alone.
bool written_with_these_inputs(const Model& model, HostNumbers& inputs, const Alternative& way) {
  const facts::Interpreter& run = model.run();
  const facts::StatementRef made = model.provenance().at(way.node).where;
  const auto written = [&](const facts::StatementRef& where, const std::vector<facts::Abstract>& given) {
    const auto handle = run.handle_kernels.find(where);
    const facts::Statement* launch = model.statement(where);
    const facts::Id kernel = handle != run.handle_kernels.end()                ? handle->second
                             : launch != nullptr && launch->launch.has_value() ? launch->launch->kernel_function
                                                                               : facts::kNone;
    if (kernel == facts::kNone) return false;
    const auto& access = model.access(kernel);
    for (std::size_t i = 0; i < given.size() && i < access.written.size(); ++i) {
      if (access.written[i] && given[i].objects.size() == 1 && run.object(given[i].objects[0]).made == made)
        return true;
    }
    return false;
  };
  return inputs.knows_inputs() &&
         std::any_of(run.launch_arguments.begin(), run.launch_arguments.end(), [&](const auto& each) {
           const auto& [where, context] = each.first;
           const facts::Statement* launch = model.statement(where);
           return launch != nullptr && written(where, each.second) && certainly_runs(model, inputs, where, context) &&
                  !(launch->launch && inputs.no_blocks(*launch, inputs.frame(where, context)));
         });
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  // A kernel on buffers that were lost from sight may be the one that does the work.
  const bool authored = any_authored(model) || !model.run().blind_launches.empty();
  const bool unknown = not_all_read(model);
  HostNumbers inputs(model);
  LiveReads live(model, &inputs);
  const auto depends = [&](const Alternative& way) {
    return way.depends_on_contents && (way.launches.empty() || made_of_contents(live, way));
  };
  const bool computes = std::any_of(model.alternatives().begin(), model.alternatives().end(), depends);
  for (const Alternative& way : model.alternatives()) {
    if (depends(way) || !way.unknown.empty()) continue;
    const auto kind = model.provenance().at(way.node).kind;
    if (kind == facts::NodeKind::kAllocation) continue;  // unwritten-output
    if (computes && (has_no_elements(model, way) || surely_written(model, way))) continue;
    if (kind == facts::NodeKind::kScalar && way.launches.empty() && way.constant_compute.empty() && authored) continue;
    const bool by_shape = written_with_these_inputs(model, inputs, way) ||
                          std::any_of(way.guards.begin(), way.guards.end(), [](const Guard& guard) {
                            return guard.kind == GuardKind::kShape || guard.kind == GuardKind::kDevice;
                          });
    std::string what = model.name_of_node(way.node);
    const bool computed = kind == facts::NodeKind::kConstant || kind == facts::NodeKind::kRandom ||
                          kind == facts::NodeKind::kLaunch || kind == facts::NodeKind::kFramework ||
                          kind == facts::NodeKind::kVendor;
    if (computed) what = "the result of " + what;
    Finding finding = make_finding(
        kInfo, policy,
        entry_name(model) + " returns " + what + ", which depends on the contents of none of its arguments.");
    if ((authored && way.launches.empty()) || computes) {
      // Empty inputs, loops that run no time and the like, beside the path that does the work.
      soften(finding, by_shape ? Effect::kNote : Effect::kReview);
      finding.severity = by_shape ? Severity::kNote : Severity::kWarning;
      finding.confidence = Confidence::kMedium;
      finding.message = "On some paths " + finding.message;
    } else if (unknown || !way.launches.empty()) {
      soften_to_review(finding);
    }
    finding.span = model.span_of(way.node);
    if (!finding.span.known()) finding.span = model.span(way.returned);
    add_guard_notes(way.guards, finding.notes);
    finding.notes.push_back({model.span(way.returned), "returned here"});
    const bool known =
        std::any_of(findings.begin(), findings.end(), [&](const Finding& f) { return f.message == finding.message; });
    if (!known) findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& constant_output() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
