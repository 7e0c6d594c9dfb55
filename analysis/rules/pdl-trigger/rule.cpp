// KA325: a kernel lets the next one start before it has stored its results.
#include <algorithm>
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

struct Step {  // one half of the protocol
  std::string_view in_cuda, in_triton, modifier;
};
constexpr Step kTrigger{"cudaTriggerProgrammaticLaunchCompletion", "triton.language.extra.cuda.gdc_launch_dependents",
                        "launch_dependents"};
constexpr Step kWait{"cudaGridDependencySynchronize", "triton.language.extra.cuda.gdc_wait", "wait"};

bool takes(const Model& model, Id function, const Step& step, int depth);

// Itself, or in what it calls.
bool takes(const Model& model, const Statement& statement, const Step& step, int depth = 0) {
  if (statement.callee == step.in_cuda || statement.callee == step.in_triton) return true;
  for (const PtxInstruction& instruction : ptx_of(model, statement)) {
    if (instruction.opcode == "griddepcontrol" && instruction.has(step.modifier)) return true;
  }
  if (statement.kind != facts::StatementKind::kCall) return false;
  if (statement.target != facts::kNone) return takes(model, statement.target, step, depth + 1);
  if (!statement.callee.starts_with("?.")) return false;
  // Of a type that is a template's parameter: one of the functions of that name.
  const std::string name = statement.callee.substr(2);
  const auto& functions = model.facts().functions;
  for (std::size_t f = 0; f < functions.size(); ++f) {
    const Id id = static_cast<Id>(f);
    if (functions[f].name == name && model.native(id) && takes(model, id, step, depth + 1)) return true;
  }
  return false;
}

bool takes(const Model& model, Id function, const Step& step, int depth) {
  constexpr int kDeepest = 6;  // calls
  if (depth > kDeepest) return false;
  for (const facts::Block& block : model.function(function).blocks) {
    for (const Statement& s : block.statements) {
      if (takes(model, s, step, depth)) return true;
    }
  }
  return false;
}

bool writes(const Model& model, const Function& function, const Statement& s) {
  if (writes_global(model, function, s)) return true;
  if (s.kind != facts::StatementKind::kCall || s.target == facts::kNone) return false;
  const auto& written = model.access(s.target).written;
  return std::find(written.begin(), written.end(), true) != written.end();
}

// Kernels that are launched with attributes, and so may start while the kernel before them runs.
std::vector<facts::StatementRef> launched_early(const Model& model) {
  std::vector<facts::StatementRef> early;
  for (const facts::StatementRef& launch : model.run().executed_launches) {
    const Statement* statement = model.statement(launch);
    if (statement != nullptr && statement->callee == "cudaLaunchKernelEx" && model.kernel_of(launch) != facts::kNone)
      early.push_back(launch);
  }
  return early;
}

// A write to global memory that a way from (block, index) leads to.
const Statement* write_after(const Model& model, const Function& function, std::size_t block, std::size_t index) {
  for (std::size_t s = index + 1; s < function.blocks[block].statements.size(); ++s) {
    const Statement& statement = function.blocks[block].statements[s];
    if (writes(model, function, statement)) return &statement;
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
      if (writes(model, function, statement)) return &statement;
    }
    for (const facts::Edge& edge : here.successors) todo.push_back(edge.to);
  }
  return nullptr;
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  std::vector<facts::StatementRef> early = launched_early(model);
  const bool any_early = !early.empty();
  std::erase_if(early, [&](const auto& launch) { return takes(model, model.kernel_of(launch), kWait, 0); });
  if (any_early && early.empty()) return findings;  // whatever may start early waits for what comes before it
  for (const DeviceFunction& code : launched_code_of_both(model)) {
    const Function& function = model.function(code.function);
    for (std::size_t b = 0; b < function.blocks.size(); ++b) {
      for (std::size_t s = 0; s < function.blocks[b].statements.size(); ++s) {
        const Statement& statement = function.blocks[b].statements[s];
        if (!takes(model, statement, kTrigger)) continue;
        const Statement* write = write_after(model, function, b, s);
        if (write == nullptr) continue;
        std::vector<FlowNote> notes{{write->span, "it still stores here"}};
        for (const facts::StatementRef& launch : early)
          notes.push_back({model.span(launch), "this kernel may start early, and waits for nothing"});
        findings.push_back(
            finding_in_launched(kInfo, model, policy, code, statement,
                                "lets the next kernel in the stream start, and stores results after that.", notes));
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
