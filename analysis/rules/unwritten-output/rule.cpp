// KA531: forward returns memory that nothing has written.
#include <algorithm>
#include <set>
#include <utility>

#include "analysis/rules/conditions.h"
#include "analysis/rules/device_code.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/reached_work.h"
#include "analysis/rules/returned_arguments.h"
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
using facts::NodeKind;

const RuleInfo kInfo{"KA531",
                     "unwritten-output",
                     "forward returns memory that nothing has written",
                     Severity::kError,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kCheat,
                     {57}};

// n < 0: no size is.
bool never_holds(const Model& model, const facts::Statement& test) {
  const auto below = [&](std::size_t place, const char* name, double limit) {
    const Json* number = constant_of(model, test.args[place]);
    return test.callee == name && number != nullptr && number->is_number() && number->get<double>() <= limit;
  };
  return below(1, "operator.lt", 0) || below(1, "operator.le", -1) || below(1, "operator.eq", -1) ||
         below(0, "operator.gt", 0) || below(0, "operator.ge", -1);
}

// What a guard asks of a list that the call has made and filled itself: whether there is anything, or how much.
enum class OfList { kNothing, kAny, kHowMuch };
OfList asks_own_list(const Model& model, const Guard& guard) {
  const Slice& slice = slice_of(model, guard);
  bool list = false;
  for (const facts::Id id : slice.storages) {
    const facts::Storage& storage = model.facts().storages[static_cast<std::size_t>(id)];
    if (storage.kind != facts::StorageKind::kLocal) return OfList::kNothing;
    list = list || storage.type.kind == facts::TypeKind::kList;
  }
  const facts::Id condition = model.function(guard.function).blocks[static_cast<std::size_t>(guard.block)].condition;
  const facts::Statement* test = maker(model, guard.function, condition);
  if (!list || test == nullptr) return OfList::kNothing;
  if (test->kind == facts::StatementKind::kLoad) return OfList::kAny;
  return slice.names_any({"len", "size"}) ? OfList::kHowMuch : OfList::kNothing;
}

// A batch that is full is launched where it is, and what is left of the list after them.
bool batches_with_rest(const Model& model, const Alternative& way) {
  bool rest = false;
  for (const Alternative& other : model.alternatives()) {
    if (!other.same_value(way)) continue;
    for (const facts::NodeId launch : other.launches) {
      const facts::Node& node = model.provenance().at(launch);
      const std::vector<Guard>& guards = model.guards_of(node.where, node.context);
      const auto asks = [&](OfList what) {
        return std::any_of(guards.begin(), guards.end(),
                           [&](const Guard& guard) { return asks_own_list(model, guard) == what; });
      };
      if (!asks(OfList::kAny) && !asks(OfList::kHowMuch)) return false;
      rest = rest || asks(OfList::kAny);
    }
  }
  return rest;
}

// n == 0, blocks > 0, !n, done < n: what tells whether anything is there, or left, to be computed.
bool tests_empty(const Model& model, const Guard& guard) {
  if (guard.kind != GuardKind::kShape) return false;
  const facts::Id condition = model.function(guard.function).blocks[static_cast<std::size_t>(guard.block)].condition;
  const facts::Statement* test = maker(model, guard.function, condition);
  if (test == nullptr || test->kind != facts::StatementKind::kCall || test->args.size() != 2) return true;
  if (never_holds(model, *test)) return false;
  const auto size = [&](facts::Id arg) { return asks_size(slice_of(model, guard.function, arg)); };
  if (std::all_of(test->args.begin(), test->args.end(), size)) return true;
  return std::any_of(test->args.begin(), test->args.end(), [&](facts::Id arg) {
    const Json* number = constant_of(model, arg);
    return number != nullptr && number->is_number_integer() && (*number == 0 || *number == 1);
  });
}

// Whether nothing has written what a launch is given in this place, whenever it runs: launches keep no note of fresh
// memory, nor of what was filled with a number, so that nothing may be.
bool fresh_in_launch(const Model& model, const facts::StatementRef& launch, std::size_t argument) {
  const facts::Statement* statement = model.statement(launch);
  if (statement == nullptr) return false;
  bool any = false;
  for (std::size_t n = 0; n < model.provenance().size(); ++n) {
    const facts::Node& node = model.provenance().at(static_cast<facts::NodeId>(n));
    if (node.kind == NodeKind::kConstant) return false;
    if (node.kind != NodeKind::kLaunch || node.where != launch) continue;
    if (argument >= node.slots.size() || node.slots.size() > statement->args.size()) return false;
    for (const facts::NodeId id : node.slots[argument]) {
      const NodeKind kind = model.provenance().at(id).kind;
      if (kind != NodeKind::kIdentity && kind != NodeKind::kMetadata && kind != NodeKind::kAllocation) return false;
    }
    any = true;
  }
  return any;
}

// The load through a parameter, before anything is written there, by which the kernel decides what it does.
const facts::Statement* decides_before_writing(const Model& model, const facts::Function& kernel, facts::Id parameter) {
  const DeviceFlow flow(model, kernel);
  std::set<facts::Id> written;  // blocks after a write
  std::vector<facts::Id> todo;
  std::vector<std::pair<facts::Id, const facts::Statement*>> loads;
  for (std::size_t b = 0; b < kernel.blocks.size(); ++b) {
    const facts::Id block = static_cast<facts::Id>(b);
    for (const facts::Statement& s : kernel.blocks[b].statements) {
      const bool here = flow.deref(s) && pointer_root(model, kernel, s.location.base) == parameter;
      if (here && s.kind == facts::StatementKind::kLoad) loads.emplace_back(block, &s);
      const bool handed = s.kind == facts::StatementKind::kCall && !s.callee.starts_with("operator.") &&
                          std::any_of(s.args.begin(), s.args.end(), [&](facts::Id arg) {
                            return arg != facts::kNone && model.value(arg).type.kind != facts::TypeKind::kFloat &&
                                   pointer_root(model, kernel, arg) == parameter;
                          });
      if ((here && s.kind == facts::StatementKind::kStore) || handed) todo.push_back(block);
    }
  }
  std::set<facts::Id> seen(todo.begin(), todo.end());
  while (!todo.empty()) {
    const facts::Id block = todo.back();
    todo.pop_back();
    written.insert(block);
    for (const facts::Edge& edge : kernel.blocks[static_cast<std::size_t>(block)].successors) {
      if (seen.insert(edge.to).second) todo.push_back(edge.to);
    }
  }
  for (const facts::Block& block : kernel.blocks) {
    if (block.condition == facts::kNone) continue;
    const std::set<facts::Id> behind = flow.behind(block.condition).values;
    for (const auto& [in, load] : loads) {
      if (!written.contains(in) && behind.contains(load->result)) return load;
    }
  }
  return nullptr;
}

// Kernels that look at fresh memory to see what is left to do: it may hold the answer of an earlier run.
void read_first(const Model& model, const Policy& policy, std::vector<Finding>& findings) {
  for (const facts::StatementRef& launch : model.run().executed_launches) {
    const facts::Id id = model.kernel_of(launch);
    if (id == facts::kNone || !model.native(id)) continue;
    const facts::Function& kernel = model.function(id);
    const auto& access = model.access(id);
    if (!access.known) continue;
    for (std::size_t p = 0; p < kernel.parameters.size() && p < access.written.size(); ++p) {
      if (!access.written[p] || !access.read[p] || kernel.parameters[p].storage == facts::kNone) continue;
      if (!fresh_in_launch(model, launch, p)) continue;
      const facts::Statement* load = decides_before_writing(model, kernel, kernel.parameters[p].storage);
      if (load == nullptr) continue;
      Finding finding = finding_in_launched(kInfo, model, policy, {id, launch}, *load,
                                            "decides by what its output holds, which nothing has written.");
      soften_to_review(finding);
      findings.push_back(std::move(finding));
      break;
    }
  }
}

SourceSpan condition_span(const Model& model, const ReachedWork::Bar& by) {
  return model.value(model.function(by.function).blocks[static_cast<std::size_t>(by.block)].condition).span;
}

// What keeps all kernels from running that make the other values of the same return, with the sizes that get_inputs
// gives.
std::optional<ReachedWork::Bar> all_barred(const Model& model, ReachedWork& reached, const Alternative& way) {
  std::optional<ReachedWork::Bar> by;
  for (const Alternative& other : model.alternatives()) {
    if (!other.same_value(way)) continue;
    for (const facts::NodeId launch : other.launches) {
      const facts::Node& node = model.provenance().at(launch);
      by = reached.barred_by(node.where, node.context);
      if (!by) return by;
    }
  }
  return by;
}

// try: part = next(parts) in front of a launch, where there certainly is a first part.
bool takes_first_step(const Model& model, HostNumbers& host, const facts::Node& launch) {
  const facts::Function& function = model.function(launch.where.function);
  const facts::FlowGraph& flow = model.run().flow(launch.where.function);
  bool steps = false;
  for (std::size_t b = 0; b < function.blocks.size(); ++b) {
    if (function.blocks[b].in_try == facts::kNone || !flow.dominates(static_cast<facts::Id>(b), launch.where.block))
      continue;
    for (const facts::Statement& s : function.blocks[b].statements) {
      if (s.callee != "builtins.next" || s.callee_value == facts::kNone || s.args.size() != 1) continue;
      if (host.turns(s.args[0], host.frame(launch.where, launch.context)).value_or(0) < 1) return false;
      steps = true;
    }
  }
  return steps;
}

// Whether one of these kernels certainly runs with them: the way without any is for other sizes.
bool one_runs(const Model& model, HostNumbers& host, const Alternative& way) {
  return std::any_of(model.alternatives().begin(), model.alternatives().end(), [&](const Alternative& other) {
    const facts::Node& node = model.provenance().at(other.node);
    return other.same_value(way) && node.kind == NodeKind::kLaunch &&
           (model.native(node.where.function) || takes_first_step(model, host, node)) &&
           certainly_runs(model, host, node.where, node.context);
  });
}

// Loops around the only launch that writes a result, which do not turn once with the sizes that get_inputs gives.
void loops_without_turns(const Model& model, const Policy& policy, ReachedWork& reached,
                         std::vector<Finding>& findings) {
  for (const Alternative& way : model.alternatives()) {
    const facts::Node& node = model.provenance().at(way.node);
    if (node.kind != NodeKind::kLaunch || !model.native(node.where.function)) continue;
    const auto by = reached.barred_by(node.where, node.context);
    if (!by || !blocks_in_loops(model, by->function).contains(by->block)) continue;
    Finding finding =
        make_finding(kInfo, policy,
                     "With the sizes that get_inputs gives, the loop that launches " + model.name_of_node(way.node) +
                         " does not turn once, and nothing else writes what " + entry_name(model) + " returns.");
    soften_to_review(finding);
    finding.span = condition_span(model, *by);
    finding.notes.push_back({model.span(node.where), "the launch"});
    findings.push_back(std::move(finding));
    return;
  }
}

// Whether launches write it in turn with an argument: input-written tells of those.
bool in_turn_with_argument(const Model& model, const Alternative& way) {
  const std::vector<WrittenInTurn> pairs = written_in_turn(model);
  return std::any_of(pairs.begin(), pairs.end(), [&](const WrittenInTurn& each) {
    return model.run().object(each.other).made == model.provenance().at(way.node).where;
  });
}

// Whether a call that is not resolved was handed it: it may have filled it, and what is returned is not known then.
bool handed_to_unknown(const Model& model, const Alternative& way) {
  return std::any_of(model.alternatives().begin(), model.alternatives().end(), [&](const Alternative& other) {
    if (!other.same_value(way)) return false;
    return std::any_of(other.unknown.begin(), other.unknown.end(), [&](facts::NodeId id) {
      const facts::Node& call = model.provenance().at(id);
      return std::any_of(call.slots.begin(), call.slots.end(), [&](const facts::NodeSet& slot) {
        return std::binary_search(slot.begin(), slot.end(), way.node);
      });
    });
  });
}

bool has_other_ways(const Model& model, const Alternative& way) {
  return std::any_of(model.alternatives().begin(), model.alternatives().end(),
                     [&](const Alternative& other) { return other.same_value(way) && other.node != way.node; });
}

// Whether the same return gives back what is computed of an argument, on other paths.
bool computed_as_well(const Model& model, const Alternative& way) {
  return std::any_of(model.alternatives().begin(), model.alternatives().end(), [&](const Alternative& other) {
    return other.same_value(way) && other.depends_on_contents && computes(model, other);
  });
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  HostNumbers host(model);
  ReachedWork reached(model, host);
  const bool authored = any_authored(model);
  const bool unread = not_all_read(model);
  const auto& blind = model.run().blind_launches;
  const auto unless = [&](const Guard& guard, const facts::Node&) { return tests_empty(model, guard); };
  // One of several, in a table of sizes.
  const auto by_size = [&](const Guard& guard, const facts::Node&) {
    return decides_by_size(model, guard) && blocks_in_loops(model, guard.function).contains(guard.block);
  };
  for (const Alternative& way : model.alternatives()) {
    if (model.provenance().at(way.node).kind != NodeKind::kAllocation) continue;
    if (authored && (has_no_elements(model, way) || in_turn_with_argument(model, way))) continue;
    if (handed_to_unknown(model, way) || (authored && surely_written(model, way))) continue;
    Finding finding = make_finding(
        kInfo, policy,
        entry_name(model) + " returns the result of " + model.name_of_node(way.node) + ", which nothing writes.");
    const bool by_shape = std::any_of(way.guards.begin(), way.guards.end(), [](const Guard& guard) {
      return guard.kind == GuardKind::kShape || guard.kind == GuardKind::kDevice;
    });
    // Made where forward does not come to with the sizes of get_inputs.
    const facts::Node& made = model.provenance().at(way.node);
    const bool made_elsewhere = reached.barred_by(made.where, made.context).has_value();
    if (!blind.empty() && !authored) {
      // A kernel ran on buffers that were lost from sight: it may have written this.
      finding.effect = Effect::kInconclusive;
      finding.severity = Severity::kWarning;
      finding.confidence = Confidence::kLow;
      finding.message = "Nothing is seen to write what " + entry_name(model) + " returns from " +
                        model.name_of_node(way.node) + ", but a kernel is launched on buffers that were not followed.";
      finding.notes.push_back({model.span(*blind.begin()), "launched here"});
    } else if (const auto by =
                   authored && !unread && !made_elsewhere ? all_barred(model, reached, way) : std::nullopt) {
      finding.message += " With the sizes that get_inputs gives, no kernel runs that would.";
      soften_to_review(finding);
      finding.notes.push_back({condition_span(model, *by), "decided here"});
    } else if (authored || unread || computed_as_well(model, way)) {
      // Empty inputs and the like, beside a kernel that does the work.
      const Effect at_most = authored && (by_shape || made_elsewhere || launches_guarded(model, way, unless) ||
                                          launches_guarded(model, way, by_size) || batches_with_rest(model, way) ||
                                          one_runs(model, host, way))
                                 ? Effect::kNote
                                 : Effect::kReview;
      soften(finding, at_most);
      finding.severity = at_most == Effect::kNote ? Severity::kNote : Severity::kWarning;
      finding.confidence = Confidence::kMedium;
      if (has_other_ways(model, way)) finding.message = "On some paths " + finding.message;
    }
    finding.span = model.span_of(way.node);
    add_guard_notes(way.guards, finding.notes);
    if (!model.launches().empty() && !authored) {
      finding.notes.push_back({model.span(model.launches().front()), "this launch does not write it"});
    }
    finding.notes.push_back({model.span(way.returned), "returned here"});
    const bool known =
        std::any_of(findings.begin(), findings.end(), [&](const Finding& f) { return f.message == finding.message; });
    if (!known) findings.push_back(std::move(finding));
  }
  if (findings.empty() && !unread) loops_without_turns(model, policy, reached, findings);
  read_first(model, policy, findings);
  return findings;
}

}  // namespace

const Rule& unwritten_output() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
