// KA832: a launched kernel stores nothing, or copies what it reads to the same places of another buffer.
#include <algorithm>
#include <set>

#include "analysis/facts/device_access.h"
#include "analysis/rules/conditions.h"
#include "analysis/rules/launch_ranges.h"
#include "analysis/rules/no_work.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/skipped_launches.h"
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
                     {57, 64, 67}};

// The condition that keeps every thread of a launch from one of the stores of a kernel, or of a function that it calls,
// when one of each does; else kNone.
facts::Id bars_all_stores(const KernelView& kernel, const facts::StatementRef& launch, int depth = 0) {
  constexpr int kDeepest = 4;  // calls
  const LaunchRanges ranges(kernel, launch);
  facts::Id bar = facts::kNone;
  for (std::size_t b = 0; b < kernel.function.blocks.size(); ++b) {
    const facts::Id decider = ranges.barred_by(static_cast<facts::Id>(b));
    for (const Statement& s : kernel.function.blocks[b].statements) {
      const bool calls = s.kind == facts::StatementKind::kCall && s.target != facts::kNone;
      const std::vector<bool> written = calls ? kernel.model.access(s.target).written : std::vector<bool>{};
      const bool called_writes = std::find(written.begin(), written.end(), true) != written.end();
      if (!called_writes && !writes_global(kernel.model, kernel.function, s)) continue;
      facts::Id here = facts::kNone;
      if (decider != facts::kNone) {
        here = kernel.function.blocks[static_cast<std::size_t>(decider)].condition;
      } else if (called_writes && depth < kDeepest) {
        const KernelView called(kernel.model, kernel.model.function(s.target));
        here = bars_all_stores(called, launch, depth + 1);
      }
      if (here == facts::kNone) return facts::kNone;
      bar = here;
    }
  }
  return bar;
}

// Kernels of which no launch has a thread that comes to a store.
std::vector<Finding> unreached_stores(const Model& model, const Policy& policy) {
  std::set<facts::Id> launched;
  for (const facts::StatementRef& launch : model.run().executed_launches) {
    const facts::Id kernel = model.kernel_of(launch);
    if (kernel != facts::kNone && model.native(kernel)) launched.insert(kernel);
  }
  std::vector<Finding> findings;
  for (const facts::Id id : launched) {
    const auto& access = model.access(id);
    if (!access.known || !access.precise || access.effects) continue;
    const std::vector<facts::StatementRef> places = launches_of(model, id);
    const KernelView kernel(model, model.function(id));
    std::vector<facts::Id> bars;
    for (const facts::StatementRef& launch : places) bars.push_back(bars_all_stores(kernel, launch));
    if (std::find(bars.begin(), bars.end(), facts::kNone) != bars.end()) continue;
    Finding finding = make_finding(kInfo, policy,
                                   "No thread that is launched of kernel " + kernel.function.qualified_name +
                                       " comes to a store: the condition in front of it never holds.");
    const auto makes_result = [&](const facts::Alternative& way) {
      return std::any_of(way.launches.begin(), way.launches.end(), [&](NodeId node) {
        return std::find(places.begin(), places.end(), model.provenance().at(node).where) != places.end();
      });
    };
    const std::vector<facts::Alternative>& ways = model.alternatives();
    if (std::any_of(ways.begin(), ways.end(), makes_result) && policy.effects.count(kInfo.code) == 0) {
      finding.effect = Effect::kCheat;
      finding.severity = Severity::kError;
      finding.message += " What forward returns is what was there before.";
    }
    finding.span = model.value(bars.front()).span;
    finding.notes.push_back({model.span(places.front()), "launched here"});
    findings.push_back(std::move(finding));
  }
  return findings;
}

// Launches that no device takes: more threads in a block, or more shared memory, than any has.
std::vector<Finding> impossible_launches(const Model& model, const Policy& policy) {
  constexpr double kMostThreads = 1024, kMostShared = 228 * 1024;
  std::vector<Finding> findings;
  for (const facts::StatementRef& where : model.run().executed_launches) {
    const Statement* launch = model.statement(where);
    const facts::Id kernel = model.kernel_of(where);
    if (launch == nullptr || !launch->launch || kernel == facts::kNone || !model.native(where.function)) continue;
    if (launch->callee == "cuLaunchKernel") continue;  // gives each dimension for itself
    const KernelView view(model, model.function(where.function));
    const PlainVariables host(view);
    const auto threads = host.number(launch->launch->block), shared = host.number(launch->launch->shared_bytes);
    const auto blocks = host.number(launch->launch->grid);
    const bool none = (blocks && *blocks == 0) || (threads && *threads == 0);
    const bool many = threads && *threads > kMostThreads;
    if (!none && !many && !(shared && *shared > kMostShared)) continue;
    Finding finding =
        make_finding(kInfo, policy,
                     "The launch of " + model.function(kernel).qualified_name + " asks for " +
                         (none   ? std::string("no block, or no thread in it")
                          : many ? std::to_string(static_cast<long>(*threads)) + " threads in a block"
                                 : std::to_string(static_cast<long>(*shared / 1024)) + " KiB of shared memory") +
                         ", which no device takes: it fails, and nothing is stored.");
    finding.span = launch->span;
    findings.push_back(std::move(finding));
  }
  return findings;
}

// The condition that keeps every thread of a launch from all that the kernel reads of its inputs, where one does: a
// loop over `columns / 8192` of a row that is shorter. None where the kernel reads nothing, or what it calls may.
facts::Id bars_all_reads(const KernelView& kernel, const facts::StatementRef& launch) {
  const LaunchRanges ranges(kernel, launch, true);
  std::set<facts::Id> inputs;
  for (const facts::Parameter& parameter : kernel.function.parameters) {
    if (parameter.type.kind == facts::TypeKind::kPointer && parameter.storage != facts::kNone)
      inputs.insert(parameter.storage);
  }
  facts::Id bar = facts::kNone;
  for (std::size_t b = 0; b < kernel.function.blocks.size(); ++b) {
    const facts::Id decider = ranges.barred_by(static_cast<facts::Id>(b));
    for (const Statement& s : kernel.function.blocks[b].statements) {
      const auto access = facts::device_access(kernel.model.facts(), s);
      facts::Id pointer = access ? access->read : facts::kNone;
      if (s.kind == facts::StatementKind::kLoad && kernel.flow.deref(s)) pointer = s.location.base;
      bool reads = pointer != facts::kNone && inputs.contains(kernel.root(pointer));
      if (s.kind == facts::StatementKind::kCall && (s.target != facts::kNone || s.callee == "asm")) {
        for (const facts::Id arg : s.args) reads = reads || (arg != facts::kNone && inputs.contains(kernel.root(arg)));
      }
      if (!reads) continue;
      if (decider == facts::kNone) return facts::kNone;
      bar = kernel.function.blocks[static_cast<std::size_t>(decider)].condition;
    }
  }
  return bar;
}

// Whether a launch is one of several for other sizes.
bool for_other_sizes(const Model& model, HostNumbers& host, const facts::StatementRef& launch) {
  const auto& launches = model.run().launch_arguments;
  return std::any_of(launches.begin(), launches.end(), [&](const auto& each) {
    const auto& [where, context] = each.first;
    return where == launch && may_be_skipped(model, host, where, context);
  });
}

std::vector<Finding> unreached_reads(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  std::set<facts::Id> seen;
  HostNumbers host(model);
  for (const facts::StatementRef& launch : model.run().executed_launches) {
    const facts::Id id = model.kernel_of(launch);
    if (id == facts::kNone || !model.native(id) || !seen.insert(id).second) continue;
    if (for_other_sizes(model, host, launch)) continue;
    const auto& access = model.access(id);
    if (!access.known || !access.precise) continue;
    const KernelView kernel(model, model.function(id));
    facts::Id bar = facts::kNone;
    for (const facts::StatementRef& place : launches_of(model, id)) {
      bar = bars_all_reads(kernel, place);
      if (bar == facts::kNone) break;
    }
    if (bar == facts::kNone) continue;
    Finding finding =
        make_finding(kInfo, policy,
                     "With the sizes that get_inputs gives, no thread of kernel " + kernel.function.qualified_name +
                         " comes to a read of its inputs: the condition in front of them never holds.");
    finding.span = model.value(bar).span;
    finding.notes.push_back({model.span(launch), "launched here"});
    findings.push_back(std::move(finding));
  }
  return findings;
}

// A comparison of computed floats tells a kernel of the result to do nothing: what was there before is returned.
void add_told_nothing(const Model& model, const Policy& policy, std::vector<Finding>& findings) {
  for (const NoWork& each : may_do_no_work(model)) {
    const auto made_by = [&](const facts::Alternative& way) {
      return std::any_of(way.launches.begin(), way.launches.end(),
                         [&](NodeId node) { return model.provenance().at(node).kernel == each.kernel; });
    };
    const auto& ways = model.alternatives();
    if (std::none_of(ways.begin(), ways.end(), made_by)) continue;
    Finding finding = make_finding(kInfo, policy,
                                   "A comparison of computed numbers decides that kernel " +
                                       model.function(each.kernel).qualified_name + " is handed no work.");
    finding.span = each.test->span;
    finding.notes.push_back({model.span(each.launch), "launched here"});
    findings.push_back(std::move(finding));
    return;
  }
}

// Whether a size picks the kernel out of a table: a setting of the task may well name one that only copies.
bool chosen_by_size(const Model& model, const facts::StatementRef& launch) {
  return asks_size(slice_of(model, launch.function, model.statement(launch)->callee_value));
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  // Where a part of a source did not fold, some number stands in for it.
  const auto& problems = model.facts().problems;
  const bool folded = std::none_of(problems.begin(), problems.end(),
                                   [](const facts::Problem& each) { return each.kind == "unfoldable-source"; });
  std::vector<Finding> findings;
  if (folded) findings = unreached_stores(model, policy);
  if (folded && findings.empty()) findings = unreached_reads(model, policy);
  if (folded && findings.empty()) findings = impossible_launches(model, policy);
  if (findings.empty()) add_told_nothing(model, policy, findings);
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
    for (const facts::Id kernel : kernels_of(model, launch)) {
      if (model.function(kernel).blocks.empty() || !seen.insert(kernel).second) continue;
      if (model.kernel_of(launch) != kernel && !chosen_by_size(model, launch)) continue;
      const auto& access = model.access(kernel);
      const bool writes = std::find(access.written.begin(), access.written.end(), true) != access.written.end();
      // What a Triton kernel's inline assembly stores is not followed.
      const bool idle = model.native(kernel) && access.known && access.precise && !writes && !access.effects;
      const bool kept = returned.contains(launch) || model.kernel_of(launch) != kernel;
      if (!idle && !(access.copies && kept)) continue;
      const std::string& name = model.function(kernel).qualified_name;
      Finding finding =
          make_finding(kInfo, policy,
                       idle ? "Kernel " + name + " stores nothing in the memory that it is given."
                            : "Kernel " + name + " only copies what it reads, and its copy is what forward returns.");
      finding.span = model.function(kernel).name_span;
      finding.notes.push_back({statement->span, "launched here"});
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}

}  // namespace

const Rule& idle_kernel() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
