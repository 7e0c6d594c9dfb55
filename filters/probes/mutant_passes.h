// Forward passes with one mutant each, on one draw of weights and inputs: as replays of a tape where there is one,
// else of the model in Python. Both say the same; a tape is trusted only after it gave the outputs of a pass without
// mutants and those of one with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "auditor/core/json.h"
#include "filters/evidence.h"
#include "filters/probes/fixed_draw.h"
#include "filters/probes/module_paths.h"
#include "filters/probes/mutants.h"
#include "filters/probes/tape_replay.h"

namespace kernel_audit::filters {

// For what a tape keeps, of the memory that is free: several tasks share a device, and passes go on beside it.
std::uint64_t tape_room_bytes(TaskSession& session);

class MutantPasses {
 public:
  MutantPasses(TaskSession& session, FixedDraw& draw, const ModulePaths& paths)
      : session_(session), draw_(draw), paths_(paths), seconds_(draw.seconds()) {}

  // For so many passes in the time that is left. Recording costs two; where it does not pay, or the task cannot be
  // replayed, all goes on in Python.
  void record_tape(const TaskEvidence& evidence, int passes, double left_s);
  // Fills what the pass said. A mutant under which forward fails is noticed; one that does not fit says why in
  // `missing`.
  void run(const OperatorCall& call, Mutant& mutant);
  // The value of all elements of a call's true result, when they are equal and a mutant of it was run.
  std::optional<double> constant_of(int position) const;
  double seconds() const { return seconds_; }  // that the last run() took, the first: a pass
  // What was run how, and why not on a tape; null where none was wanted.
  Json summary() const;

 private:
  void record_into_tape();
  // True: what the pass says about the mutant is in it.
  bool replay(const OperatorCall& call, Mutant& mutant);
  void run_in_python(const OperatorCall& call, Mutant& mutant);
  MutatingObserver observer_of(const OperatorCall& call, const Mutant& mutant) const;
  void note(const OperatorCall& call, const MutatingObserver& observer, Mutant& mutant);
  void judge(const std::vector<at::Tensor>& outputs, Mutant& mutant);
  bool agree(const Mutant& a, const Mutant& b) const;
  void drop_tape(const std::string& reason);

  TaskSession& session_;
  FixedDraw& draw_;
  const ModulePaths& paths_;
  std::optional<TapeReplay> tape_;
  std::string no_tape_;
  bool trusted_ = false;  // it agreed with passes in Python
  int unnoticed_trials_ = 0;
  std::unordered_map<int, std::optional<double>> constants_;
  double seconds_;
  int replays_ = 0, passes_ = 0;
  double replay_s_ = 0, pass_s_ = 0;
  Json tape_facts_ = Json::object();
};

}  // namespace kernel_audit::filters
