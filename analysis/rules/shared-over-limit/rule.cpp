// KA904: a kernel takes more shared memory than a block gets without being asked for.
#include <algorithm>

#include "analysis/rules/kernel_code.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/rules.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;

const RuleInfo kInfo{"KA904",
                     "shared-over-limit",
                     "more than 48 KiB of shared memory without the opt-in",
                     Severity::kWarning,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kNote,
                     {}};

constexpr std::int64_t kLimit = std::int64_t{48} * 1024;

std::string kib(double bytes) { return std::to_string(static_cast<std::int64_t>(bytes) / 1024) + " KiB"; }

// Whether the extension raises some kernel's limit; which one is not told apart.
bool raises_limit(const Model& model) {
  return !native_calls(model, [](std::string_view name) {
            return one_of(name, {"cudaFuncSetAttribute", "cuFuncSetAttribute"});
          }).empty();
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  const auto add = [&](const SourceSpan& span, const std::string& message) {
    Finding finding = make_finding(kInfo, policy, message);
    finding.span = span;
    findings.push_back(std::move(finding));
  };
  for (const DeviceFunction& code : launched_code(model)) {
    const facts::Function& function = model.function(code.function);
    if (!function.is_kernel) continue;
    std::int64_t bytes = 0;
    SourceSpan largest;
    std::int64_t most = 0;
    for (const facts::Storage& storage : model.facts().storages) {
      if (storage.kind != facts::StorageKind::kBlockShared || storage.owner_function != code.function) continue;
      bytes += std::max<std::int64_t>(storage.bytes, 0);
      if (storage.bytes > most) {
        most = storage.bytes;
        largest = storage.span;
      }
    }
    if (bytes > kLimit)
      add(largest,
          "The shared arrays of " + function.qualified_name + " take " + kib(static_cast<double>(bytes)) + ".");
  }
  if (raises_limit(model)) return findings;
  for (const facts::StatementRef& where : model.run().executed_launches) {
    const Statement* launch = model.statement(where);
    if (launch == nullptr || !launch->launch || launch->launch->shared_bytes == kNone || !model.native(where.function))
      continue;
    const KernelView& host = view_of(model, where.function);
    const auto bytes = host.number(launch->launch->shared_bytes);
    if (bytes && *bytes > static_cast<double>(kLimit))
      add(launch->span, "The launch of " + launch->launch->kernel_name + " asks for " + kib(*bytes) +
                            " of shared memory, and nothing raises the kernel's limit.");
  }
  return findings;
}

}  // namespace

const Rule& shared_over_limit() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
