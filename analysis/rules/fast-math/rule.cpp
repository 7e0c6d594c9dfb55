// KA422: the build or a kernel trades accuracy of divisions, roots and transcendental functions for speed.
#include <algorithm>
#include <set>

#include "analysis/rules/build_flags.h"
#include "analysis/rules/device_code.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/rules.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Function;
using facts::Model;
using facts::Statement;

const RuleInfo kInfo{"KA422",
                     "fast-math",
                     "approximate arithmetic by flag, intrinsic or PTX",
                     Severity::kNote,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kNote,
                     {52}};

// The option that makes arithmetic approximate; empty when the flag is another.
std::string approximate_flag(const BuildFlag& flag) {
  if (flag.name == "use-fast-math" || flag.name == "ffast-math") return "--use_fast_math";
  if (flag.name == "ftz" && flag.value == "true") return "--ftz=true";
  if ((flag.name == "prec-div" || flag.name == "prec-sqrt") && flag.value == "false")
    return "--" + flag.name + "=false";
  return "";
}

std::string approximate(const Model& model, const Statement& s) {
  if (s.kind != facts::StatementKind::kCall) return "";
  if (one_of(s.callee, {"__expf", "__exp10f", "__logf", "__log2f", "__log10f", "__sinf", "__cosf", "__tanf", "__tanhf",
                        "__powf", "__fdividef", "__sincosf", "__saturatef", "htanh_approx", "h2tanh_approx"}))
    return s.callee;
  for (const PtxInstruction& instruction : ptx_of(model, s)) {
    if (instruction.has("approx")) return instruction.opcode + ".approx";
  }
  return "";
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  std::set<facts::Id> units;
  for (const facts::StatementRef& launch : model.run().executed_launches) {
    const facts::Id unit = model.function(launch.function).unit;
    if (unit == facts::kNone || !model.native(launch.function) || !units.insert(unit).second) continue;
    for (const BuildFlag& flag : flags_of(model.facts().units[static_cast<std::size_t>(unit)])) {
      const std::string name = approximate_flag(flag);
      if (name.empty()) continue;
      Finding finding = make_finding(kInfo, policy, "The extension is built with " + name + ".");
      finding.span = model.span(launch);
      findings.push_back(std::move(finding));
    }
  }
  for (const DeviceFunction& code : launched_code(model)) {
    const Function& function = model.function(code.function);
    std::vector<std::string> names;
    const Statement* first = nullptr;
    for (const facts::Block& block : function.blocks) {
      for (const Statement& s : block.statements) {
        const std::string name = approximate(model, s);
        if (name.empty()) continue;
        if (first == nullptr) first = &s;
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      }
    }
    if (first == nullptr) continue;
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < 4; ++i) text += (i == 0 ? "" : ", ") + names[i];
    findings.push_back(
        finding_in_launched(kInfo, model, policy, code, *first, "uses the approximate operation " + text + "."));
  }
  return findings;
}

}  // namespace

const Rule& fast_math() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
