// A task from its statements, with the evidence of the mutation probe.
#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "filters/evidence.h"
#include "filters/probes/job.h"
#include "filters/probes/temporary_tasks.h"

namespace kernel_audit::filters {

class OpMutation : public ::testing::Test {
 protected:
  // `init` and `forward` are statements, indented here. Mutants are run in Python and on a tape, and must say the same.
  TaskEvidence run(const std::string& init, const std::string& forward,
                   const std::string& inputs = "[torch.randn(16, 32)]", const std::string& preface = "") {
    const auto indented = [](const std::string& lines) {
      std::string text = "        ";
      for (const char c : lines) text += c == '\n' ? std::string("\n        ") : std::string(1, c);
      return text + "\n";
    };
    const std::string path = tasks_.write(
        "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n" + preface +
        "\nclass Model(nn.Module):\n    def __init__(self):\n        super().__init__()\n" + indented(init) +
        "    def forward(self, x, *more):\n" + indented(forward) + "\ndef get_inputs():\n    return " + inputs + "\n");
    const TaskEvidence in_python = probed(path, std::numeric_limits<int>::max());
    const TaskEvidence on_tape = probed(path, 1);
    EXPECT_EQ(Json(on_tape.calls).dump(1), Json(in_python.calls).dump(1));
    EXPECT_EQ(Json(*on_tape.mutation).dump(1), Json(*in_python.mutation).dump(1));
    passes = on_tape.extra.value("mutant_passes", Json::array());
    return in_python;
  }

  Json options = Json::object();  // of the jobs
  Json passes;                    // MutantPasses::summary() of the last run that was allowed a tape, one for each draw

  static const OperatorCall& call(const TaskEvidence& evidence, const std::string& op, int which = 0) {
    static const OperatorCall none;
    for (const OperatorCall& candidate : evidence.calls) {
      if (candidate.op.rfind("aten::" + op, 0) == 0 && which-- == 0) return candidate;
    }
    ADD_FAILURE() << "no call of " << op << " in " << Json(evidence.calls).dump();
    return none;
  }

  static std::string verdict(const TaskEvidence& evidence, const std::string& op, int which = 0) {
    const OperatorCall& found = call(evidence, op, which);
    return found.verdict + (found.why.empty() ? "" : ": " + found.why);
  }

 private:
  TaskEvidence probed(const std::string& path, int tape_from_calls) const {
    Json job = options;
    job["task"] = {{"path", path}};
    job["tape_from_calls"] = tape_from_calls;
    const auto result = run_probe_job(job);
    EXPECT_TRUE(result.ok()) << result.error().describe();
    const auto evidence = read_json<TaskEvidence>(*result, "evidence");
    EXPECT_TRUE(evidence.ok()) << evidence.error().describe();
    EXPECT_FALSE(evidence->missing.contains(kMutationProbe)) << Json(evidence->missing).dump();
    EXPECT_TRUE(evidence->mutation.has_value());
    return *evidence;
  }

  TemporaryTasks tasks_;
};

}  // namespace kernel_audit::filters
