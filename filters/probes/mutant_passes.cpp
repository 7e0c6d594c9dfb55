#include "filters/probes/mutant_passes.h"

#include <ATen/DeviceAccelerator.h>
#include <ATen/detail/CUDAHooksInterface.h>

#include <cstdlib>
#include <utility>
#include <vector>

#include "auditor/process/device_turns.h"
#include "filters/probes/guard.h"

namespace kernel_audit::filters {
namespace {

constexpr std::uint64_t kShareOfFree = 4;
constexpr std::uint64_t kMostWithoutLimit = std::uint64_t{2} << 30;

// Recording costs two passes and the first mutant a third; a replay saves about half a pass of work and all of Python.
constexpr int kFewestPasses = 6;
constexpr int kMostTrials = 3;

// The number at the end of "argument 1" or "axis 2".
int number_in(const std::string& detail) {
  const auto space = detail.rfind(' ');
  return space == std::string::npos ? -1 : std::atoi(detail.c_str() + space + 1);
}

MutantSpec spec_of(const Mutant& mutant) {
  MutantSpec spec;
  spec.kind = mutant.kind;
  spec.scale = mutant.scale.value_or(0);
  if (spec.kind == "pass-through") spec.argument = number_in(mutant.detail);
  if (spec.kind == "shuffle") spec.axis = number_in(mutant.detail);
  return spec;
}

}  // namespace

std::uint64_t tape_room_bytes(TaskSession& session) {
  if (session.request().device == "cuda") return at::accelerator::getMemoryInfo(0).first / kShareOfFree;
  const auto room = session.budget().room_bytes();
  return room ? *room / kShareOfFree : kMostWithoutLimit;
}

void MutantPasses::drop_tape(const std::string& reason) {
  tape_.reset();
  no_tape_ = reason;
}

void MutantPasses::record_tape(const TaskEvidence& evidence, int passes, double left_s) {
  if (evidence.calls.size() < static_cast<std::size_t>(session_.request().tape_from_calls)) return;
  if (passes < kFewestPasses) return;
  if (kFewestPasses * seconds_ > left_s) return drop_tape("no time was left to record it");
  if (evidence.mutation && !evidence.mutation->all_intercepted) return drop_tape(evidence.mutation->not_intercepted);
  const Status recorded = guarded([&]() -> Status {
    record_into_tape();
    return Ok{};
  });
  if (!recorded) drop_tape(session_.explain(recorded.error()));
}

void MutantPasses::record_into_tape() {
  if (draw_.keeps_state()) return drop_tape("the model keeps state from pass to pass");
  TapeRecorder recorder(paths_, session_.request().device, tape_room_bytes(session_));
  auto outputs = draw_.run(&recorder);
  if (!outputs) return drop_tape(session_.explain(outputs.error()));
  seconds_ = draw_.seconds();
  auto tape = recorder.finish(*outputs);
  if (!tape) return drop_tape(tape.error().message);
  if (draw_.judge(*outputs).noticed_exact) return drop_tape("forward gives other outputs while it is recorded");
  outputs->clear();
  tape_.emplace(std::move(*tape));
  session_.turns().work();
  auto again = tape_->run();
  if (!again) return drop_tape("it cannot be replayed: " + session_.explain(again.error()));
  if (draw_.judge(*again).noticed_exact) return drop_tape("its replay gives other outputs than forward");
  tape_facts_ = {{"calls", tape_->tape().calls.size()},
                 {"kept_bytes", tape_->tape().kept_bytes},
                 {"keeps_results", tape_->tape().keeps_results}};
}

MutatingObserver MutantPasses::observer_of(const OperatorCall& call, const Mutant& mutant) const {
  MutatingObserver observer(paths_, call.position, call.op, spec_of(mutant));
  observer.wants_constant = !constants_.contains(call.position);
  return observer;
}

void MutantPasses::note(const OperatorCall& call, const MutatingObserver& observer, Mutant& mutant) {
  mutant.identical = observer.identical;
  if (observer.applied && observer.wants_constant) constants_[call.position] = observer.constant;
}

std::optional<double> MutantPasses::constant_of(int position) const {
  const auto found = constants_.find(position);
  return found == constants_.end() ? std::nullopt : found->second;
}

void MutantPasses::judge(const std::vector<at::Tensor>& outputs, Mutant& mutant) {
  const auto difference = guarded([&]() -> Result<Difference> { return draw_.judge(outputs); });
  if (!difference) {
    mutant.missing = session_.explain(difference.error());
    return;
  }
  mutant.noticed = difference->noticed;
  mutant.noticed_exact = difference->noticed_exact;
  mutant.max_error = difference->max_error;
}

void MutantPasses::run_in_python(const OperatorCall& call, Mutant& mutant) {
  MutatingObserver observer = observer_of(call, mutant);
  auto outputs = draw_.run(&observer);
  ++passes_;
  note(call, observer, mutant);
  if (!observer.applied) {
    mutant.missing = !observer.missing.empty() ? observer.missing
                     : outputs                 ? "forward makes fewer calls than when it was recorded"
                                               : session_.explain(outputs.error());
  } else if (outputs) {
    judge(*outputs, mutant);
  } else {
    const std::string reason = session_.explain(outputs.error());
    if (outputs.error().kind == ErrorKind::kMemory) {
      mutant.missing = reason;
    } else {
      mutant.failed = true;
      mutant.noticed = mutant.noticed_exact = true;
    }
  }
}

bool MutantPasses::replay(const OperatorCall& call, Mutant& mutant) {
  session_.turns().work();
  MutatingObserver observer = observer_of(call, mutant);
  auto outputs = tape_->run(call.position, observer);
  ++replays_;
  if (!outputs) {
    // Python may catch what an operator throws, and has the last word on memory.
    if (outputs.error().kind == ErrorKind::kMemory) drop_tape("a replay needs too much memory");
    return false;
  }
  note(call, observer, mutant);
  if (!observer.applied) {
    mutant.missing = observer.missing;
  } else {
    judge(*outputs, mutant);
  }
  // The next pass may wait for others that want the device alone.
  if (session_.request().device == "cuda") at::detail::getCUDAHooks().deviceSynchronize(0);
  return true;
}

bool MutantPasses::agree(const Mutant& a, const Mutant& b) const {
  const bool same = a.identical == b.identical && a.failed == b.failed && a.noticed == b.noticed &&
                    a.noticed_exact == b.noticed_exact && a.missing == b.missing;
  return same && (draw_.repeat_change() > 0 || a.max_error == b.max_error);
}

void MutantPasses::run(const OperatorCall& call, Mutant& mutant) {
  const Stopwatch watch(0, /*processor_time=*/session_.request().device == "cpu");
  Mutant replayed = mutant;
  const bool done = tape_ && replay(call, replayed);
  seconds_ = watch.elapsed_s();
  replay_s_ += seconds_;
  if (done && trusted_) {
    mutant = std::move(replayed);
    return;
  }
  if (done && !trusted_) constants_.erase(call.position);
  run_in_python(call, mutant);
  pass_s_ += watch.elapsed_s() - seconds_;
  if (!done) seconds_ = watch.elapsed_s();
  if (!done || trusted_) return;
  if (!agree(mutant, replayed)) return drop_tape("a mutant says another thing on the tape");
  // What changes no output says little of the tape.
  trusted_ = mutant.noticed_exact.value_or(false) || ++unnoticed_trials_ == kMostTrials;
}

Json MutantPasses::summary() const {
  if (tape_facts_.empty() && no_tape_.empty()) return nullptr;
  Json facts = tape_facts_;
  if (!no_tape_.empty()) facts["missing"] = no_tape_;
  facts["replays"] = replays_;
  facts["replay_s"] = replay_s_;
  facts["passes"] = passes_;
  facts["pass_s"] = pass_s_;
  return facts;
}

}  // namespace kernel_audit::filters
