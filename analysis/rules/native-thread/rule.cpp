// KA321: C++ starts a thread, task or process that forward does not wait for.
#include <algorithm>
#include <set>

#include "analysis/rules/native_calls.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Model;
using facts::Statement;
using facts::StatementKind;

const RuleInfo kInfo{"KA321",
                     "native-thread",
                     "C++ code starts a thread or process that forward does not wait for",
                     Severity::kError,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kCheat,
                     {31}};

bool starts(std::string_view name) {
  return one_of(name, {"std::thread::thread", "std::jthread::jthread", "std::async", "pthread_create", "fork", "vfork",
                       "clone", "at::launch", "at::intraop_launch", "omp.task", "omp.taskloop"});
}

bool process(std::string_view name) { return one_of(name, {"fork", "vfork", "clone"}); }

bool waits(const Statement& statement) {
  return statement.kind == StatementKind::kCall &&
         one_of(statement.callee, {"std::thread::join", "std::jthread::join", "std::future::get", "std::future::wait",
                                   "std::shared_future::get", "std::shared_future::wait", "pthread_join", "waitpid",
                                   "omp.taskwait", "omp.barrier", "omp.taskgroup"});
}

// The future of std::async waits where it dies: a local or a temporary before the function is left, unless what
// outlives the call takes it.
bool kept_beyond_call(const Model& model, const NativeCall& call) {
  const Statement* start = model.statement(call.where);
  if (start->result == facts::kNone) return false;
  const auto outlives = [&](facts::Id storage) {
    if (storage == facts::kNone) return false;
    const facts::Storage& place = model.facts().storages[static_cast<std::size_t>(storage)];
    return place.lifetime != facts::Lifetime::kCall && place.kind != facts::StorageKind::kOtherAttribute;
  };
  std::set<facts::Id> lasting;  // containers that the call finds and leaves
  for (const facts::Block& block : model.function(call.where.function).blocks) {
    for (const Statement& s : block.statements) {
      if (s.kind == StatementKind::kLoad && (outlives(s.location.storage) || lasting.contains(s.location.base)))
        lasting.insert(s.result);
      const bool handed = std::find(s.args.begin(), s.args.end(), start->result) != s.args.end();
      if (s.kind == StatementKind::kCall && handed && lasting.contains(s.receiver)) return true;
      if (s.value != start->result) continue;
      if (s.kind == StatementKind::kReturn) return true;
      if (s.kind == StatementKind::kStore && outlives(s.location.storage)) return true;
    }
  }
  return false;
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  for (const NativeCall& call : native_calls(model, starts)) {
    const auto arguments = model.run().call_arguments.find(call.where);
    const bool thread_object = call.name == "std::thread::thread" || call.name == "std::jthread::jthread";
    if (thread_object && (arguments == model.run().call_arguments.end() || arguments->second.empty())) continue;
    bool joined = surely_followed_by(model, call.where, waits);
    if (call.name == "std::async" && !joined) joined = !kept_beyond_call(model, call);
    if (call.name == "std::jthread::jthread") joined = true;  // joins where it dies
    Finding finding = make_finding(kInfo, policy, "");
    finding.span = model.span(call.where);
    add_route_notes(model, call.where, finding.notes);
    if (joined && !process(call.name)) {
      finding.severity = Severity::kNote;
      soften(finding, Effect::kNote);
      finding.message = "C++ code starts a thread with " + call.name + " and waits for it before it goes on.";
    } else if (process(call.name)) {
      finding.message = "C++ code makes another process with " + call.name + " " + phase_text(call) + ".";
    } else {
      finding.message = "C++ code starts a thread with " + call.name + " " + phase_text(call) +
                        ", and nothing waits for it on every way back.";
      if (!call.in_forward) {
        finding.severity = Severity::kWarning;
        soften(finding, Effect::kReview);
      }
    }
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& native_thread() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
