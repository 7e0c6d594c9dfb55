// KA625: the candidate sets clocks or the power limit of the GPU.
#include "analysis/rules/commands.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Model;

const RuleInfo kInfo{"KA625",
                     "clock-change",
                     "clocks or the power limit of the GPU are set",
                     Severity::kWarning,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {98}};

// Functions of NVML that change how fast the device runs; those that put it back to its defaults are among them, as
// they undo what the measurement has set.
bool sets_clocks(std::string_view name) {
  const bool device = starts_with_any(name, {"nvmlDeviceSet", "nvmlDeviceReset"});
  const auto about = [&](std::string_view what) { return name.find(what) != std::string_view::npos; };
  return device && (about("Clock") || about("PowerManagementLimit") || about("PowerMizer") || about("VfOffset") ||
                    about("Pstate"));
}

// Options of nvidia-smi: -lgc, --lock-gpu-clocks=1410, -pl, …
bool clock_option(const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  return one_of(name, {"-lgc", "--lock-gpu-clocks", "-rgc", "--reset-gpu-clocks", "-lmc", "--lock-memory-clocks",
                       "-rmc", "--reset-memory-clocks", "-ac", "--applications-clocks", "-rac",
                       "--reset-applications-clocks", "-pl", "--power-limit"});
}

// Whether a command has nvidia-smi set clocks.
bool command_sets_clocks(const Model& model, const Ran& call) {
  bool program = false;
  for (const std::string& word : command_words(model, call)) {
    if (program && clock_option(word)) return true;
    program = program || program_name(word) == "nvidia-smi";
  }
  return false;
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  Once once;
  const auto add = [&](const SourceSpan& span, const std::string& message) -> Finding* {
    if (once.seen(span)) return nullptr;
    Finding finding = make_finding(kInfo, policy, message);
    finding.span = span;
    findings.push_back(std::move(finding));
    return &findings.back();
  };
  for (const NativeCall& call : native_calls(model, sets_clocks)) {
    Finding* made =
        add(model.span(call.where), std::string(caller_text(call)) + " sets clocks or the power limit with " +
                                        call.name + " " + phase_text(call) + ".");
    if (made != nullptr) add_route_notes(model, call.where, made->notes);
  }
  const auto of_python = [](const std::string& name) { return sets_clocks(last_part(name)); };
  for (const Ran& call : ran(model, of_python))
    add(call.statement->span, call.name + " sets clocks or the power limit " + when(*call.record) + ".");
  for (const Ran& call : commands(model)) {
    if (command_sets_clocks(model, call))
      add(call.statement->span,
          call.name + " has nvidia-smi set clocks or the power limit " + when(*call.record) + ".");
  }
  return findings;
}

}  // namespace

const Rule& clock_change() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
