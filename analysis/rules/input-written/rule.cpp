// KA532: forward writes into a tensor that the caller handed to it.
#include <algorithm>
#include <cctype>

#include "analysis/rules/kernel_copies.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/returned_arguments.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Model;
using facts::Statement;

const RuleInfo kInfo{"KA532",
                     "input-written",
                     "forward writes into one of its arguments",
                     Severity::kWarning,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {60, 61}};

// Whether all that a launch puts into an argument is what other arguments hold, as it is: a cache takes in a step.
bool takes_in_arguments(const Model& model, const facts::StatementRef& where, int position) {
  const facts::Id id = model.kernel_of(where);
  if (id == facts::kNone || model.function(id).blocks.empty()) return false;
  const KernelView& kernel = view_of(model, id);
  const LaunchRanges ranges(kernel, where);
  const KernelCopies copies(kernel, ranges);
  const auto& parameters = kernel.function.parameters;
  const auto is_argument = [&](const facts::Abstract& given, bool same) {
    return !given.objects.empty() && std::all_of(given.objects.begin(), given.objects.end(), [&](facts::ObjectId each) {
      const int at = model.run().argument_position(each);
      return at >= 0 && (at == position) == same;
    });
  };
  bool any = false;
  for (const auto& [place, arguments] : model.run().launch_arguments) {
    if (place.first != where) continue;
    for (std::size_t p = 0; p < arguments.size() && p < parameters.size(); ++p) {
      if (!is_argument(arguments[p], true)) continue;
      const std::set<facts::Id> sources = copies.moved_into(parameters[p].storage);
      for (std::size_t q = 0; q < arguments.size() && q < parameters.size(); ++q) {
        if (sources.contains(parameters[q].storage) && !is_argument(arguments[q], false)) return false;
      }
      if (sources.empty()) return false;
      any = true;
    }
  }
  return any;
}

// The pointers through which an instruction of PTX stores, where its operands are all inputs.
std::vector<facts::Id> stored_by_instructions(const Model& model, const Statement& s) {
  std::vector<facts::Id> pointers;
  for (const PtxInstruction& instruction : ptx_of(model, s)) {
    const bool stores =
        one_of(instruction.opcode, {"st", "red"}) && !instruction.has("shared") && !instruction.has("local");
    if (!stores || instruction.operands.empty()) continue;
    const std::string& place = instruction.operands[0];  // "[%0]"
    const std::size_t digit = place.find('%');
    if (digit == std::string::npos || digit + 1 >= place.size() || std::isdigit(place[digit + 1]) == 0) continue;
    const auto operand = static_cast<std::size_t>(place[digit + 1] - '0');
    if (operand + 1 < s.args.size()) pointers.push_back(s.args[operand + 1]);
  }
  return pointers;
}

// What instructions store to, cast or not, where a launch hands an argument over.
void add_written_by_instructions(const Model& model, const Policy& policy, std::vector<Finding>& findings) {
  Once once;
  for (const auto& [place, arguments] : model.run().launch_arguments) {
    const facts::Id id = model.kernel_of(place.first);
    if (id == facts::kNone || !model.native(id)) continue;
    const KernelView& kernel = view_of(model, id);
    const auto& parameters = kernel.function.parameters;
    for (const facts::Block& block : kernel.function.blocks) {
      for (const Statement& s : block.statements) {
        for (const facts::Id pointer : stored_by_instructions(model, s)) {
          const facts::Id root = kernel.root(pointer);
          for (std::size_t p = 0; p < arguments.size() && p < parameters.size(); ++p) {
            const auto& objects = arguments[p].objects;
            const int position = objects.size() == 1 ? model.run().argument_behind(objects[0]) : -1;
            if (parameters[p].storage != root || root == facts::kNone || position < 0 || once.seen(s.span)) continue;
            Finding finding =
                make_finding(kInfo, policy,
                             "An instruction of kernel " + kernel.function.qualified_name + " writes into argument " +
                                 argument_name(model, position) + " of " + entry_name(model) + ".");
            finding.span = s.span;
            finding.notes.push_back({model.span(place.first), "launched here"});
            findings.push_back(std::move(finding));
          }
        }
      }
    }
  }
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  const std::set<int> handed_back = written_and_returned(model);  // returned-argument tells of those
  for (const auto& [where, positions] : model.run().argument_writes) {
    const Statement* statement = model.statement(where);
    if (statement == nullptr) continue;
    for (const int position : positions) {
      if (handed_back.contains(position)) continue;
      const std::string what = statement->launch ? "kernel " + statement->launch->kernel_name
                               : statement->kind == facts::StatementKind::kCall && !statement->callee.empty()
                                   ? statement->callee
                                   : "a store";
      Finding finding = make_finding(
          kInfo, policy,
          what + " writes into argument " + argument_name(model, position) + " of " + entry_name(model) + ".");
      finding.span = statement->span;
      if (statement->launch && takes_in_arguments(model, where, position)) {
        soften(finding, Effect::kNote);
        finding.severity = Severity::kNote;
      }
      findings.push_back(std::move(finding));
    }
  }
  add_written_by_instructions(model, policy, findings);
  Once once;
  for (const WrittenOnSomePaths& each : written_on_some_paths(model)) {
    const SourceSpan span = model.span(each.launch);
    if (handed_back.contains(each.position) || once.seen(span)) continue;
    Finding finding =
        make_finding(kInfo, policy,
                     "On some paths kernel " + model.function(model.kernel_of(each.launch)).qualified_name +
                         " writes into argument " + argument_name(model, each.position) + " of " + entry_name(model) +
                         ", which returns it.");
    finding.span = span;
    finding.confidence = Confidence::kMedium;
    findings.push_back(std::move(finding));
  }
  for (const WrittenInTurn& each : written_in_turn(model)) {
    const bool told = std::any_of(model.run().argument_writes.begin(), model.run().argument_writes.end(),
                                  [&](const auto& known) { return known.first == each.launch; });
    const SourceSpan span = model.span(each.launch);
    if (told || once.seen(span)) continue;
    Finding finding = make_finding(kInfo, policy,
                                   "kernel " + model.function(model.kernel_of(each.launch)).qualified_name +
                                       " reads and writes two buffers in turn, of which one is argument " +
                                       argument_name(model, each.position) + " of " + entry_name(model) + ".");
    finding.span = span;
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& input_written() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
