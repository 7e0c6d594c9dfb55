// KA907: nothing asks whether a launch failed.
#include <algorithm>

#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;
using facts::StatementKind;

const RuleInfo kInfo{"KA907",
                     "unchecked-launch",
                     "no error is asked for after a launch",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kNote,
                     {}};

bool asks_for_error(const Statement& s) {
  return s.kind == StatementKind::kCall &&
         one_of(last_part(s.callee), {"cudaGetLastError", "cudaPeekAtLastError", "cudaDeviceSynchronize",
                                      "cudaStreamSynchronize", "c10_cuda_check_implementation", "cudaEventSynchronize",
                                      "synchronize", "device_synchronize", "hipGetLastError"});
}

bool asks(const Model& model, Id function) {
  for (const facts::Block& block : model.function(function).blocks) {
    if (std::any_of(block.statements.begin(), block.statements.end(), asks_for_error)) return true;
  }
  return false;
}

// The function itself asks, one that it calls, or one that calls it.
bool asked_nearby(const Model& model, Id function) {
  if (asks(model, function)) return true;
  for (const facts::Block& block : model.function(function).blocks) {
    for (const Statement& s : block.statements) {
      if (s.kind == StatementKind::kCall && s.target != kNone && asks(model, s.target)) return true;
    }
  }
  const auto& functions = model.facts().functions;
  for (std::size_t f = 0; f < functions.size(); ++f) {
    if (!model.native(static_cast<Id>(f)) || !asks(model, static_cast<Id>(f))) continue;
    for (const facts::Block& block : functions[f].blocks) {
      for (const Statement& s : block.statements) {
        if (s.target == function) return true;
      }
    }
  }
  const Id outer = model.function(function).enclosing_function;
  return outer != kNone && asks(model, outer);
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  std::set<Id> seen;
  for (const facts::StatementRef& where : model.run().executed_launches) {
    const Statement* launch = model.statement(where);
    if (launch == nullptr || !launch->launch || !model.native(where.function)) continue;
    if (launch->callee.starts_with("cudaLaunch") || launch->callee.starts_with("cuLaunch")) continue;
    if (!seen.insert(where.function).second || asked_nearby(model, where.function)) continue;
    Finding finding = make_finding(
        kInfo, policy,
        "Nothing in " + model.function(where.function).qualified_name + " asks whether its launch failed.");
    finding.span = launch->span;
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& unchecked_launch() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
