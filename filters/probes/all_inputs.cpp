#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "filters/probes/guard.h"
#include "filters/probes/influence.h"
#include "filters/probes/tensor_statistics.h"

namespace kernel_audit::filters {
namespace {

struct Spread {
  std::string output;
  std::optional<double> max;
  std::int64_t undefined = 0;
};

// The output that moves most stands for all.
Influence summarize(const std::vector<Spread>& spreads, const TaskEvidence& evidence) {
  Influence result;
  result.kind = "all-inputs";
  result.variation = "resample";
  for (std::size_t i = 0; i < spreads.size(); ++i) {
    if (spreads[i].undefined > 0) {
      result.seed_std_max.reset();
      result.missing = kUndefinedSpread;
      return result;
    }
    if (!spreads[i].max || (result.seed_std_max && *spreads[i].max <= *result.seed_std_max)) continue;
    result.seed_std_max = spreads[i].max;
    result.output = spreads[i].output;
    result.output_scale = evidence.outputs[i].mean_absolute;
  }
  if (!result.seed_std_max) result.missing = "the outputs have no element";
  return result;
}

// More seeds than those to start with answer other questions.
int passes_of(TaskSession& session, const TaskEvidence& evidence) {
  return std::min(evidence.seeds, session.request().seeds);
}

Result<Influence> measure(TaskSession& session, const Stopwatch& watch, const TaskEvidence& evidence) {
  auto model = session.build(kFirstSeed);
  if (!model) return model.error();
  std::vector<std::unique_ptr<TensorSpread>> spreads;
  const int passes = passes_of(session, evidence);
  std::optional<std::uint64_t> forward_seed;
  if (!session.request().fixed_seeds) forward_seed = kForwardSeed;
  for (int seed = 0; seed < passes; ++seed) {
    if (seed > 0 && watch.remaining_s() <= 0) {
      return Error{ErrorKind::kTimeout,
                   "the time limit was reached after " + std::to_string(seed) + " of " + std::to_string(passes) +
                       " forward passes",
                   "", "", ""};
    }
    auto inputs = session.draw_inputs(session.request().first_input_seed() + static_cast<std::uint64_t>(seed));
    if (!inputs) return inputs.error();
    auto result = session.forward(**model, *inputs, forward_seed);
    if (!result) return result.error();
    if (spreads.empty()) {
      std::uint64_t bytes = 0;
      for (const at::Tensor& output : result->outputs) bytes += TensorSpread::host_bytes(output);
      if (const auto refusal = session.budget().refuses(bytes, "the spread over redrawn inputs")) {
        return Error{ErrorKind::kMemory, *refusal, "", "", ""};
      }
      for (const at::Tensor& output : result->outputs) {
        spreads.push_back(std::make_unique<TensorSpread>(output, session.budget()));
      }
    }
    if (result->outputs.size() != evidence.outputs.size()) {
      return Error{ErrorKind::kUsage, "the number of outputs varies with the seed", "", "", ""};
    }
    for (std::size_t i = 0; i < spreads.size(); ++i) {
      if (result->outputs[i].numel() != evidence.outputs[i].elements) {
        return Error{ErrorKind::kUsage, "the shape of the output varies with the seed", "", "", ""};
      }
      spreads[i]->add(result->outputs[i]);
    }
  }
  std::vector<Spread> found;
  for (std::size_t i = 0; i < spreads.size(); ++i) {
    const SeedSpread::Result result = spreads[i]->finish();
    found.push_back({evidence.outputs[i].name, result.max, result.undefined});
  }
  return summarize(found, evidence);
}

}  // namespace

void run_all_inputs_influence(TaskSession& session, const Stopwatch& watch, const SeedsOutcome& seeds,
                              TaskEvidence& evidence) {
  if (!seeds.weights_drawn && !seeds.random_forward) {
    std::vector<Spread> found;
    for (const OutputStatistics& output : evidence.outputs) {
      found.push_back({output.name, output.seed_std_max, output.seed_std_undefined});
    }
    evidence.influences.push_back(summarize(found, evidence));
    return;
  }
  const double needed = seeds.seconds_per_seed * passes_of(session, evidence);
  if (needed > watch.remaining_s() * 1.5) {  // a turn of this pass does less than a turn of the seeds probe
    evidence.missing[kInfluenceProbe] = std::to_string(passes_of(session, evidence)) + " more passes need about " +
                                        format_seconds(needed) + " of the " + format_seconds(watch.limit_s()) +
                                        watch.of_what() + " that the time limit allows, and " +
                                        format_seconds(std::max(0.0, watch.remaining_s())) + " are left";
    return;
  }
  const auto influence = guarded([&] { return measure(session, watch, evidence); });
  if (influence) {
    evidence.influences.push_back(*influence);
  } else {
    evidence.missing[kInfluenceProbe] = session.explain(influence.error());
  }
}

}  // namespace kernel_audit::filters
