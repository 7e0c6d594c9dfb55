// KA852: messages and times that our own code in the candidate's process would never send.
#include "eval/guards/guard.h"

#include <string>

#include "eval/guards/text.h"

namespace kernel_audit::eval::guards {

Guard tampered_protocol();

namespace {

const RuleInfo& info() {
  static const RuleInfo rule{"KA852",
                             "tampered-protocol",
                             "The candidate's process sent malformed messages or impossible times.",
                             Severity::kError,
                             Confidence::kMedium,
                             Stage::kEval,
                             Effect::kInconclusive,
                             {37, 38, 39, 40, 83, 84}};
  return rule;
}

// Host clocks are read within each other, so they are ordered; events can differ by their own resolution.
constexpr double kEventSlackNs = 20e3;

bool impossible(const CallTimes& times) {
  if (times.host_ns >= 0 && times.sync_ns >= 0 && times.host_ns > times.sync_ns) return true;
  return times.event_ns >= 0 && times.sync_ns >= 0 && times.event_ns > times.sync_ns * 1.05 + kEventSlackNs;
}

// Claimed calls of a window that together last longer than the referee saw that window last.
bool longer_than_window(const EvalEvidence& evidence, const ProvenWindow& window) {
  double claimed_ns = 0;
  for (const ClaimedCall& call : evidence.claimed) {
    if (call.round == window.round && call.times.sync_ns > 0) claimed_ns += call.times.sync_ns;
  }
  return claimed_ns > window.wall_ns * 1.01;
}

std::vector<Finding> check(const EvalEvidence& evidence, const Policy& policy) {
  std::vector<Finding> findings;
  for (const Fault& fault : evidence.faults) {
    if (fault.party != Party::kCandidate || fault.kind != to_string(ErrorKind::kProtocol)) continue;
    findings.push_back(make_finding(
        info(), policy, "The candidate's process broke the protocol in phase " + fault.phase + ": " + fault.message));
    findings.back().origin = Origin::kCandidateProcess;
    break;
  }
  std::uint64_t strange = evidence.impossible_claims;
  for (const ClaimedCall& call : evidence.claimed) strange += impossible(call.times) ? 1 : 0;
  for (const ProvenWindow& window : evidence.windows) {
    if (window.party == Party::kCandidate && window.mode == CallMode::kSingle && longer_than_window(evidence, window)) {
      ++strange;
    }
  }
  if (strange > 0) {
    Finding finding =
        make_finding(info(), policy,
                     std::to_string(strange) +
                         " times that the candidate's process claims are impossible: not finite, out of order, "
                         "or longer than the referee saw the call last.");
    finding.origin = Origin::kCandidateProcess;
    finding.evidence = {count_metric("impossible_times", static_cast<double>(strange))};
    findings.push_back(std::move(finding));
  }
  if (evidence.subclass_outputs > 0) {
    Finding finding = with_effect(
        make_finding(info(), policy,
                     std::to_string(evidence.subclass_outputs) +
                         " returned objects are of a subclass of torch.Tensor, which may compute when it is read."),
        policy, Effect::kReview);
    finding.origin = Origin::kCandidateProcess;
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

Guard tampered_protocol() { return {info(), check}; }

}  // namespace kernel_audit::eval::guards
