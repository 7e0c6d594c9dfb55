// KA311: work is handed to a thread, process or future that has not been waited for when forward returns.
#include <algorithm>

#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Model;
using facts::NodeId;

const RuleInfo kInfo{"KA311",          "background-thread", "work runs in a thread or process that nobody waits for",
                     Severity::kError, Confidence::kHigh,   Stage::kAnalysis,
                     Effect::kCheat,   {30, 31, 32}};

constexpr std::string_view kMakers[] = {"threading.Thread",
                                        "threading.Timer",
                                        "_thread.start_new_thread",
                                        "multiprocessing.Process",
                                        "torch.multiprocessing.Process",
                                        "torch.multiprocessing.spawn",
                                        "torch.jit.fork",
                                        "torch.jit._fork",
                                        "asyncio.to_thread",
                                        "concurrent.futures.ThreadPoolExecutor.submit",
                                        "concurrent.futures.ProcessPoolExecutor.submit",
                                        "concurrent.futures.thread.ThreadPoolExecutor.submit",
                                        "os.fork",
                                        "os.forkpty",
                                        "os.posix_spawn"};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  Once once;
  std::vector<facts::StatementRef> accused;
  for (const facts::EntryReturn& returned : model.returns()) {
    for (const auto& [stream, work] : returned.pending) {
      const auto& object = model.run().object(stream);
      if (object.symbol != facts::kThreadSymbol || work.empty()) continue;
      const facts::NodeSet nodes(work.begin(), work.end());
      const SourceSpan made = model.span(object.made);
      accused.push_back(object.made);
      if (once.seen(made)) continue;
      Finding finding = make_finding(kInfo, policy,
                                     "When " + entry_name(model) + " returns, nothing has waited for " +
                                         name_list(model, nodes) + " in the thread that is started here.");
      finding.span = made;
      model.add_call_notes(nodes.front(), finding.notes);
      finding.notes.push_back({model.span_of(nodes.front()), model.name_of_node(nodes.front()) + " runs there"});
      finding.notes.push_back({model.span(returned.where), "forward returns here"});
      findings.push_back(std::move(finding));
    }
  }
  for (const Ran& call : ran(model, kMakers)) {
    if (once.seen(call.statement->span)) continue;
    const bool forks = call.name.starts_with("os.");
    const bool joined = call.record->in_forward && !forks && !call.record->at_import && !call.record->at_init;
    Finding finding =
        make_finding(kInfo, policy,
                     "The candidate starts a thread or process with " + call.name + " " + when(*call.record) +
                         (joined ? ", and no work in it is left when forward returns." : "."));
    soften(finding, joined ? Effect::kNote : Effect::kReview);
    finding.severity = joined ? Severity::kNote : Severity::kWarning;
    finding.confidence = Confidence::kMedium;
    finding.span = call.statement->span;
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& background_thread() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
