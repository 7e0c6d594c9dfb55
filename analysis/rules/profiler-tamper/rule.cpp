// KA622: the candidate reaches for CUPTI, by which kernels are timed and counted.
#include "analysis/rules/native_calls.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Model;

const RuleInfo kInfo{"KA622",
                     "profiler-tamper",
                     "CUPTI is called, from C++ or through ctypes, or its functions are looked up",
                     Severity::kError,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kCheat,
                     {40}};

bool of_cupti(std::string_view name) {
  return name.size() > 5 && name.compare(0, 5, "cupti") == 0 && name[5] >= 'A' && name[5] <= 'Z';
}

bool only_reads(std::string_view name) {
  return one_of(name, {"cuptiGetTimestamp", "cuptiGetVersion", "cuptiGetResultString", "cuptiGetLastError"});
}

// "libcupti.so.13" of "/usr/lib/libcupti.so.13".
bool is_cupti_library(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string file = slash == std::string::npos ? path : path.substr(slash + 1);
  return file.compare(0, 8, "libcupti") == 0 || file.compare(0, 5, "cupti") == 0;
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  const auto add = [&](const NativeCall& call, const std::string& message, bool harmless) {
    Finding finding = make_finding(kInfo, policy, message);
    finding.span = model.span(call.where);
    if (harmless) {
      finding.severity = Severity::kWarning;
      soften(finding, Effect::kReview);
    }
    add_route_notes(model, call.where, finding.notes);
    findings.push_back(std::move(finding));
  };
  for (const NativeCall& call : native_calls(model, of_cupti)) {
    add(call, std::string(caller_text(call)) + " calls " + call.name + " " + phase_text(call) + ".",
        only_reads(call.name));
  }
  const auto loads = [](std::string_view name) { return one_of(name, {"dlopen", "dlmopen", "dlsym", "dlvsym"}); };
  for (const NativeCall& call : native_calls(model, loads)) {
    const std::size_t at = call.name == "dlopen" ? 0 : 1;
    const auto text = text_argument(model, call, at);
    if (!text) continue;
    const bool symbol = call.name == "dlsym" || call.name == "dlvsym";
    if (symbol ? of_cupti(*text) : is_cupti_library(*text)) {
      add(call,
          std::string(caller_text(call)) + " looks up " + *text + " with " + call.name + " " + phase_text(call) + ".",
          symbol && only_reads(*text));
    }
  }
  return findings;
}

}  // namespace

const Rule& profiler_tamper() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
