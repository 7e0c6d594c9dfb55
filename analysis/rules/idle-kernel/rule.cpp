// KA832: a launched kernel stores nothing, or copies what it reads to the same places of another buffer.
#include <algorithm>
#include <set>

#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Model;
using facts::Node;
using facts::NodeId;
using facts::Statement;

const RuleInfo kInfo{"KA832",
                     "idle-kernel",
                     "a launched kernel does no work: it stores nothing, or only copies",
                     Severity::kWarning,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {67}};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  // Copies count when they make up a returned value; helpers that move data between own buffers do not.
  std::set<facts::StatementRef> returned;
  for (const facts::EntryReturn& entry : model.returns()) {
    for (const facts::NodeSet& part : entry.parts) {
      model.provenance().walk(part, [&](const Node& node, NodeId) {
        if (node.kind == facts::NodeKind::kCopy && node.kernel != facts::kNone) returned.insert(node.where);
        return node.kind == facts::NodeKind::kCopy;
      });
    }
  }
  std::set<facts::Id> seen;
  for (const facts::StatementRef& launch : model.run().executed_launches) {
    const Statement* statement = model.statement(launch);
    if (statement == nullptr || !statement->launch) continue;
    const facts::Id kernel = model.kernel_of(launch);
    if (kernel == facts::kNone || model.function(kernel).blocks.empty() || !seen.insert(kernel).second) continue;
    const auto& access = model.access(kernel);
    const bool writes = std::find(access.written.begin(), access.written.end(), true) != access.written.end();
    // What a Triton kernel's inline assembly stores is not followed.
    const bool idle = model.native(kernel) && access.known && access.precise && !writes && !access.effects;
    if (!idle && !(access.copies && returned.contains(launch))) continue;
    const std::string& name = model.function(kernel).qualified_name;
    Finding finding =
        make_finding(kInfo, policy,
                     idle ? "Kernel " + name + " stores nothing in the memory that it is given."
                          : "Kernel " + name + " only copies what it reads, and its copy is what forward returns.");
    finding.span = model.function(kernel).name_span;
    finding.notes.push_back({statement->span, "launched here"});
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& idle_kernel() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
