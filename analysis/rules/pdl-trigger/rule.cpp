// KA325: a kernel lets the next one start before it has stored its results.
#include <set>

#include "analysis/rules/kernel_code.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/rules.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Function;
using facts::Id;
using facts::Model;
using facts::Statement;

const RuleInfo kInfo{"KA325",
                     "pdl-trigger",
                     "a kernel lets the next one start before it has stored its results",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {36}};

bool triggers(const Model& model, const Statement& statement) {
  if (one_of(statement.callee,
             {"cudaTriggerProgrammaticLaunchCompletion", "triton.language.extra.cuda.gdc_launch_dependents"}))
    return true;
  for (const PtxInstruction& instruction : ptx_of(model, statement)) {
    if (instruction.opcode == "griddepcontrol" && instruction.has("launch_dependents")) return true;
  }
  return false;
}

// A write to global memory that a way from (block, index) leads to.
const Statement* write_after(const Model& model, const Function& function, std::size_t block, std::size_t index) {
  for (std::size_t s = index + 1; s < function.blocks[block].statements.size(); ++s) {
    const Statement& statement = function.blocks[block].statements[s];
    if (writes_global(model, function, statement)) return &statement;
  }
  std::set<Id> seen;
  std::vector<Id> todo;
  for (const facts::Edge& edge : function.blocks[block].successors) todo.push_back(edge.to);
  while (!todo.empty()) {
    const Id at = todo.back();
    todo.pop_back();
    if (!seen.insert(at).second) continue;
    const facts::Block& here = function.blocks[static_cast<std::size_t>(at)];
    for (const Statement& statement : here.statements) {
      if (writes_global(model, function, statement)) return &statement;
    }
    for (const facts::Edge& edge : here.successors) todo.push_back(edge.to);
  }
  return nullptr;
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  for (const DeviceFunction& code : launched_code_of_both(model)) {
    const Function& function = model.function(code.function);
    for (std::size_t b = 0; b < function.blocks.size(); ++b) {
      for (std::size_t s = 0; s < function.blocks[b].statements.size(); ++s) {
        const Statement& statement = function.blocks[b].statements[s];
        if (!triggers(model, statement)) continue;
        const Statement* write = write_after(model, function, b, s);
        if (write == nullptr) continue;
        findings.push_back(
            finding_in_launched(kInfo, model, policy, code, statement,
                                "lets the next kernel in the stream start, and stores results after that.",
                                {{write->span, "it still stores here"}}));
      }
    }
  }
  return findings;
}

}  // namespace

const Rule& pdl_trigger() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
