// KA832: a launched kernel stores nothing, or copies what it reads to the same places of another buffer.
#include <algorithm>
#include <set>

#include "analysis/facts/device_access.h"
#include "analysis/rules/conditions.h"
#include "analysis/rules/kernel_copies.h"
#include "analysis/rules/launch_ranges.h"
#include "analysis/rules/no_work.h"
#include "analysis/rules/partial_work.h"
#include "analysis/rules/ran.h"
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

bool calls_own(const Statement& s) { return s.kind == facts::StatementKind::kCall && s.target != facts::kNone; }

// Where a branch is decided: a loop over range(…) by its next number.
SourceSpan decided_at(const KernelView& kernel, facts::Id decider) {
  const facts::Block& block = kernel.function.blocks[static_cast<std::size_t>(decider)];
  for (const Statement& s : block.statements) {
    if (s.callee == "builtins.next") return s.span;
  }
  return kernel.model.value(block.condition).span;
}

// Pointers of a function to memory that the threads of a block share.
using Shared = std::set<facts::Id>;  // storages of its parameters

bool to_shared(const KernelView& view, const Shared& shared, facts::Id pointer) {
  const facts::Id root = pointer == facts::kNone ? facts::kNone : view.root(pointer);
  return root != facts::kNone &&
         (shared.contains(root) ||
          view.model.facts().storages[static_cast<std::size_t>(root)].kind == facts::StorageKind::kBlockShared);
}

Shared shared_in(const KernelView& caller, const Shared& shared, const Statement& call) {
  Shared inside;
  const auto& parameters = caller.model.function(call.target).parameters;
  for (std::size_t p = 0; p < parameters.size() && p < call.args.size(); ++p) {
    if (to_shared(caller, shared, call.args[p])) inside.insert(parameters[p].storage);
  }
  return inside;
}

// Whether a statement writes global memory, itself or by what it calls or hands on to be called.
bool may_write(const KernelView& view, const Shared& shared, const Statement& s, int depth = 0);

bool may_write(const Model& model, facts::Id function, const Shared& shared, int depth) {
  if (function == facts::kNone) return false;
  const KernelView& view = view_of(model, function);
  return std::any_of(view.function.blocks.begin(), view.function.blocks.end(), [&](const facts::Block& block) {
    return std::any_of(block.statements.begin(), block.statements.end(),
                       [&](const Statement& s) { return s.target != function && may_write(view, shared, s, depth); });
  });
}

bool may_write(const KernelView& view, const Shared& shared, const Statement& s, int depth) {
  constexpr int kDeepest = 4;
  if (depth > kDeepest) return true;
  if (s.kind == facts::StatementKind::kStore && to_shared(view, shared, s.location.base)) return false;
  if (writes_global(view.model, view.function, s)) return true;
  if (s.kind != facts::StatementKind::kCall) return false;
  return (calls_own(s) && may_write(view.model, s.target, shared_in(view, shared, s), depth + 1)) ||
         std::any_of(s.args.begin(), s.args.end(), [&](facts::Id arg) {
           return arg != facts::kNone && may_write(view.model, view.model.value(arg).function, {}, depth + 1);
         });
}

// What keeps every thread of a launch from one of the stores of a kernel, or of a function that it calls, when
// something keeps it from each of them.
std::optional<SourceSpan> bars_all_stores(const KernelView& kernel, const LaunchRanges& ranges,
                                          const Shared& shared = {}, int depth = 0) {
  constexpr int kDeepest = 4;  // calls
  std::optional<SourceSpan> bar;
  for (std::size_t b = 0; b < kernel.function.blocks.size(); ++b) {
    const facts::Id decider = ranges.barred_by(static_cast<facts::Id>(b));
    for (const Statement& s : kernel.function.blocks[b].statements) {
      if (!may_write(kernel, shared, s, depth)) continue;
      std::optional<SourceSpan> here;
      if (decider != facts::kNone) {
        here = decided_at(kernel, decider);
      } else if (calls_own(s) && depth < kDeepest) {
        const KernelView& called = view_of(kernel.model, s.target);
        here = bars_all_stores(called, LaunchRanges(called, ranges, s), shared_in(kernel, shared, s), depth + 1);
      } else if (s.callee == "triton.language.store" && !ranges.may_be(argument(s, 2, "mask"), true)) {
        here = s.span;
      }
      if (!here) return std::nullopt;
      bar = here;
    }
  }
  return bar;
}

// Whether each store of a function, of what it calls and of the lambdas that it hands on is to global memory or to
// memory that threads share, and all that it calls is known.
bool stores_seen(const Model& model, facts::Id function, std::set<facts::Id>& seen) {
  if (function == facts::kNone || !seen.insert(function).second) return true;
  const KernelView& view = view_of(model, function);
  if (view.function.blocks.empty()) return false;
  const auto is_seen = [&](const Statement& s) {
    if (s.kind == facts::StatementKind::kStore)
      return !view.flow.deref(s) || view.shared_target(s) != facts::kNone || writes_global(model, view.function, s);
    if (s.kind != facts::StatementKind::kCall) return true;
    if (s.callee == "asm" || (s.target == facts::kNone && s.callee.empty())) return false;
    return stores_seen(model, s.target, seen) && std::all_of(s.args.begin(), s.args.end(), [&](facts::Id arg) {
             return arg == facts::kNone || stores_seen(model, model.value(arg).function, seen);
           });
  };
  return std::all_of(view.function.blocks.begin(), view.function.blocks.end(), [&](const facts::Block& block) {
    return std::all_of(block.statements.begin(), block.statements.end(), is_seen);
  });
}

// Whether all that a kernel does is seen.
bool followed(const Model& model, facts::Id kernel) {
  const auto& access = model.access(kernel);
  if (model.function(kernel).blocks.empty() || !access.known) return false;
  std::set<facts::Id> seen;
  const bool native = model.native(kernel);
  return (access.precise || (native && stores_seen(model, kernel, seen))) && (!access.effects || !native);
}

std::set<facts::Id> launched_kernels(const Model& model) {
  std::set<facts::Id> launched;
  for (const facts::StatementRef& launch : model.run().executed_launches) {
    const facts::Id kernel = model.kernel_of(launch);
    if (kernel != facts::kNone && followed(model, kernel)) launched.insert(kernel);
  }
  return launched;
}

// Whether other launches write to what the kernel is given to fill: it may have been for a rest that is none.
bool others_write(const Model& model, facts::Id kernel) {
  const auto& written = model.access(kernel).written;
  for (const auto& [place, arguments] : model.run().launch_arguments) {
    if (model.kernel_of(place.first) != kernel) continue;
    for (std::size_t p = 0; p < arguments.size() && p < written.size(); ++p) {
      if (written[p] && written_by_another(model, place, arguments[p])) return true;
    }
  }
  return false;
}

// Kernels of which no launch has a thread that comes to a store.
std::vector<Finding> unreached_stores(const Model& model, const Policy& policy, HostNumbers* inputs) {
  std::vector<Finding> findings;
  for (const facts::Id id : launched_kernels(model)) {
    if (inputs != nullptr && others_write(model, id)) continue;
    const std::vector<facts::StatementRef> places = launches_of(model, id);
    const KernelView& kernel = view_of(model, id);
    std::vector<SourceSpan> bars;
    for (const facts::StatementRef& launch : places) {
      const auto bar = bars_all_stores(kernel, LaunchRanges(kernel, launch, inputs));
      if (!bar) break;
      bars.push_back(*bar);
    }
    if (bars.size() < places.size() || bars.empty()) continue;
    Finding finding = make_finding(kInfo, policy,
                                   std::string(inputs != nullptr ? "With the sizes that get_inputs gives, no" : "No") +
                                       " thread that is launched of kernel " + kernel.function.qualified_name +
                                       " comes to a store: the condition in front of it never holds.");
    const auto makes_result = [&](const facts::Alternative& way) {
      return std::any_of(way.launches.begin(), way.launches.end(), [&](NodeId node) {
        return std::find(places.begin(), places.end(), model.provenance().at(node).where) != places.end();
      });
    };
    const std::vector<facts::Alternative>& ways = model.alternatives();
    const bool result = std::any_of(ways.begin(), ways.end(), makes_result);
    if (result && inputs == nullptr && policy.effects.count(kInfo.code) == 0) {
      finding.effect = Effect::kCheat;
      finding.severity = Severity::kError;
      finding.message += " What forward returns is what was there before.";
    }
    finding.span = bars.front();
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
    const KernelView& view = view_of(model, where.function);
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

// The pointer through which a statement reads what the launch is handed, and what calls may read.
std::vector<facts::Id> read_through(const KernelView& kernel, const Statement& s) {
  if (s.kind == facts::StatementKind::kLoad && kernel.flow.deref(s)) return {s.location.base};
  if (s.callee == "triton.language.load" && !s.args.empty()) return {s.args[0]};
  if (calls_own(s) || s.callee == "asm" || s.callee.starts_with("triton.language.atomic")) return s.args;
  const auto access = facts::device_access(kernel.model.facts(), s);
  return access && access->read != facts::kNone ? std::vector<facts::Id>{access->read} : std::vector<facts::Id>{};
}

// What keeps every thread of a launch from all that the kernel reads of its inputs, where something does: a loop over
// `columns / 8192` of a row that is shorter. None where the kernel reads nothing, or what it calls may.
std::optional<SourceSpan> bars_all_reads(const KernelView& kernel, const facts::StatementRef& launch,
                                         HostNumbers& numbers) {
  const LaunchRanges ranges(kernel, launch, &numbers);
  std::set<facts::Id> inputs;
  for (const facts::Parameter& parameter : kernel.function.parameters) {
    const bool number = parameter.type.kind == facts::TypeKind::kInt || parameter.type.kind == facts::TypeKind::kFloat;
    if (!number && parameter.storage != facts::kNone) inputs.insert(parameter.storage);
  }
  const bool native = kernel.model.native(kernel.model.kernel_of(launch));
  std::optional<SourceSpan> bar;
  for (std::size_t b = 0; b < kernel.function.blocks.size(); ++b) {
    const facts::Id decider = ranges.barred_by(static_cast<facts::Id>(b));
    for (const Statement& s : kernel.function.blocks[b].statements) {
      const std::vector<facts::Id> pointers = read_through(kernel, s);
      const bool reads = std::any_of(pointers.begin(), pointers.end(), [&](facts::Id pointer) {
        const facts::Id root = pointer == facts::kNone ? facts::kNone : kernel.root(pointer);
        return inputs.contains(root) || (root == facts::kNone && !native);
      });
      if (!reads) continue;
      if (decider == facts::kNone) return std::nullopt;
      bar = decided_at(kernel, decider);
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

std::vector<Finding> unreached_reads(const Model& model, const Policy& policy, HostNumbers& numbers) {
  std::vector<Finding> findings;
  for (const facts::Id id : launched_kernels(model)) {
    if (others_write(model, id)) continue;
    const std::vector<facts::StatementRef> launches = launches_of(model, id);
    if (std::any_of(launches.begin(), launches.end(),
                    [&](const facts::StatementRef& launch) { return for_other_sizes(model, numbers, launch); }))
      continue;
    const KernelView& kernel = view_of(model, id);
    std::optional<SourceSpan> bar;
    for (const facts::StatementRef& place : launches) {
      bar = bars_all_reads(kernel, place, numbers);
      if (!bar) break;
    }
    if (!bar) continue;
    Finding finding =
        make_finding(kInfo, policy,
                     "With the sizes that get_inputs gives, no thread of kernel " + kernel.function.qualified_name +
                         " comes to a read of its inputs: the condition in front of them never holds.");
    finding.span = *bar;
    finding.notes.push_back({model.span(launches.front()), "launched here"});
    findings.push_back(std::move(finding));
  }
  return findings;
}

// Launches that copy with these numbers, and whose copy is what forward returns.
void add_copies(const Model& model, const Policy& policy, HostNumbers& inputs, std::vector<Finding>& findings) {
  std::set<facts::StatementRef> seen;
  for (const facts::Alternative& way : model.alternatives()) {
    const Node& node = model.provenance().at(way.node);
    if (node.kind != facts::NodeKind::kLaunch || node.kernel == facts::kNone || !followed(model, node.kernel) ||
        !seen.insert(node.where).second)
      continue;
    const KernelView& kernel = view_of(model, node.kernel);
    const LaunchRanges ranges(kernel, node.where, &inputs, node.context);
    if (!KernelCopies(kernel, ranges).same_places()) continue;
    Finding finding =
        make_finding(kInfo, policy,
                     "With the numbers that it is launched with, kernel " + kernel.function.qualified_name +
                         " only copies what it reads, and its copy is what forward returns.");
    finding.span = kernel.function.name_span;
    finding.notes.push_back({model.span(node.where), "launched here"});
    findings.push_back(std::move(finding));
  }
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
  HostNumbers inputs(model);
  if (folded) findings = unreached_stores(model, policy, nullptr);
  if (folded && findings.empty()) findings = unreached_stores(model, policy, &inputs);
  if (folded && findings.empty()) findings = unreached_reads(model, policy, inputs);
  if (folded && findings.empty()) findings = impossible_launches(model, policy);
  if (folded && findings.empty()) add_copies(model, policy, inputs, findings);
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
