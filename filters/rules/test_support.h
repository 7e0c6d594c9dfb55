// Hand-made evidence for rule tests: one sound task (a varying output of scale 1, an input that matters,
// no accepted trivial answer) that each test spoils in one way.
#pragma once

#include "filters/evidence.h"
#include "filters/presets.h"

namespace kernel_audit::filters {

inline OutputStatistics sound_output() {
  OutputStatistics output;
  output.name = "output";
  output.dtype = "float32";
  output.shape = {16, 32};
  output.elements = 512;
  output.minimum = -4.0;
  output.maximum = 4.0;
  output.mean = 0.0;
  output.mean_absolute = 0.8;
  output.seed_std_max = 2.0;
  output.seed_std_mean = 1.0;
  output.axis_std_max = {2.0, 1.4, 1.3};
  return output;
}

inline Influence influence(const std::string& kind, const std::string& name, const std::string& variation,
                           double max_change) {
  Influence result;
  result.kind = kind;
  result.name = name;
  result.variation = variation;
  result.output = "output";
  result.output_scale = 0.8;
  result.max_change = max_change;
  return result;
}

inline TaskEvidence sound_evidence() {
  TaskEvidence evidence;
  evidence.device = "cpu";
  evidence.torch_version = "2.11.0";
  evidence.compat = "kernelbench";
  evidence.preset = "default";
  evidence.atol = evidence.rtol = 1e-4;
  evidence.seeds = 5;
  evidence.outputs = {sound_output()};
  Influence all = influence("all-inputs", "", "resample", 0);
  all.max_change.reset();
  all.seed_std_max = 2.0;
  evidence.influences = {all, influence("input", "0", "resample", 3.0), influence("input", "0", "shift", 0.0),
                         influence("parameter", "weight", "resample", 1.0)};
  evidence.trivial_answers = {{"zeros", false, 0, 5, 4.0, "", "zeros"},
                              {"input 0", false, 0, 0, std::nullopt, "shape", "input"}};
  evidence.forward_ms = 1.5;
  evidence.input_bytes = 2048;
  return evidence;
}

inline Policy default_policy() { return find_preset("default").value().policy; }
inline Policy published_policy() { return find_preset("robust-kbench").value().policy; }

}  // namespace kernel_audit::filters
