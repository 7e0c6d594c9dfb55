// A finding is what a rule or guard reports: where, what, how bad, how sure, and what it does to
// the verdict. Rules return findings; they never decide a verdict themselves (verdict.h does).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "auditor/core/metric.h"
#include "auditor/core/source_span.h"

namespace kernel_audit {

enum class Stage { kFilters = 1, kAnalysis = 2, kEval = 3 };
enum class Severity { kNote, kWarning, kError };  // how bad, if true and under the policy in force
enum class Confidence { kLow, kMedium, kHigh };   // how sure the rule is
// What the finding does to the verdict under the policy in force.
enum class Effect {
  kNote,          // reported, changes nothing
  kReview,        // a person must look
  kInconclusive,  // the tool could not tell, `message` says why
  kDrop,          // stage 1: the task is degenerate; in a final verdict: invalid task
  kCheat,
  kWrong,
};

// What a benchmark may allow or forbid as it likes; the rest is a cheat everywhere. A rule that names a topic takes its
// effect from the policy's stance on it.
enum class Topic {
  kNone,
  kFrameworkCompute,  // the framework computes part of the result; judged by its share (policy.h)
  kVendorLibraries,   // cuBLAS, cuDNN, CUTLASS called by the candidate
  kTorchCompile,      // torch.compile, TorchScript
  kCudaGraphs,
  kReducedPrecision,  // TF32, fp16, bf16 where the task is in fp32
  kSideStreams,       // work on other streams that is joined before the return
  kBackendFlags,      // torch.backends and other switches of the framework
};

const char* to_string(Stage stage);
const char* to_string(Severity severity);
const char* to_string(Confidence confidence);
const char* to_string(Effect effect);
const char* to_string(Topic topic);  // "vendor_libraries", …, as policies name it
std::optional<Stage> stage_from_string(const std::string& text);
std::optional<Severity> severity_from_string(const std::string& text);
std::optional<Confidence> confidence_from_string(const std::string& text);
std::optional<Effect> effect_from_string(const std::string& text);
std::optional<Topic> topic_from_string(const std::string& text);

// Static description of a rule, guard or filter rule; its documentation is the README.md of its
// folder, compiled in (embedded_text.h).
struct RuleInfo {
  std::string code;     // "KA201"
  std::string slug;     // "result-cache": names the pattern found
  std::string summary;  // one line, for tables
  Severity severity = Severity::kWarning;
  Confidence confidence = Confidence::kMedium;
  Stage stage = Stage::kAnalysis;
  Effect effect = Effect::kReview;  // default effect; a policy can change it
  std::vector<int> catalogue;       // numbers of the catalogue of cheats that it covers
  Topic topic = Topic::kNone;       // whose stance replaces `effect`
};

// One step of the evidence: "result is stored here", "guarded here", "returned here".
struct FlowNote {
  SourceSpan span;
  std::string message;
};

struct Finding {
  std::string code;  // RuleInfo::code
  std::string slug;
  Severity severity = Severity::kWarning;
  Confidence confidence = Confidence::kMedium;
  Effect effect = Effect::kReview;
  Origin origin = Origin::kSource;
  std::string message;  // one full factual sentence that names the element, without advice
  SourceSpan span;      // unknown for findings of stage 1 and 3 without a place in a source
  std::vector<FlowNote> notes;
  std::vector<Metric> evidence;  // the numbers that prove it
};

// A finding that a reader of the source set aside. Only `lint` honours that; `run` and `eval` report it.
struct SuppressedFinding {
  Finding finding;
  std::string by;      // "inline", "baseline" or "selection"
  std::string reason;  // as the author gave it; empty for the selection
  SourceSpan place;    // of the comment, unknown for the others
};

// How bad a finding of `rule` is that has this effect: as bad as the rule says while the effect is the rule's own, else
// as bad as the effect is. What a policy allows is a note, what it forbids an error, in every format.
Severity severity_of(const RuleInfo& rule, Effect effect);

// A finding pre-filled from `rule`.
Finding make_finding(const RuleInfo& rule, std::string message);

}  // namespace kernel_audit
