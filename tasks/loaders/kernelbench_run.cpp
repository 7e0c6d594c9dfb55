// A KernelBench generation run: level_<L>_problem_<P>_sample_<S>_kernel.py files in one folder, or one such file.
#include <algorithm>
#include <tuple>

#include "tasks/loaders/builders.h"
#include "tasks/loaders/formats.h"
#include "tasks/loaders/listing.h"
#include "tasks/loaders/names.h"
#include "tasks/loaders/text_file.h"

namespace kernel_audit::tasks {
namespace {

bool recognises(const Place& place) {
  if (!place.is_directory) return parse_run_name(place.base_name()).has_value();
  const auto listing = list_directory(place.path);
  return listing && std::any_of(listing->files.begin(), listing->files.end(),
                                [](const std::string& name) { return parse_run_name(name).has_value(); });
}

void load_no_tasks(const Place& place, LoadContext& context, std::vector<Task>&) {
  if (!place.relative.empty()) return;  // met on the way through a directory that may hold tasks elsewhere
  context.problem({ErrorKind::kUsage, "holds candidates of a KernelBench run, no tasks", place.path, "",
                   "name the KernelBench checkout or its level folder as tasks"});
}

void load_one(const Place& file, const RunName& run, const std::string& prefix, LoadContext& context,
              std::vector<Candidate>& candidates) {
  auto source = read_source(file, context);
  if (!source) return;
  candidates.push_back(make_candidate(prefix + run.name, task_key(run.level, run.problem), std::move(*source)));
  candidates.back().sample = run.sample;
}

void load_run(const Place& place, LoadContext& context, std::vector<Candidate>& candidates) {
  if (!place.is_directory) {
    load_one(place, *parse_run_name(place.base_name()), "", context, candidates);
    return;
  }
  std::vector<std::pair<RunName, std::string>> found;
  for (const std::string& name : list_or_report(place, context).files) {
    if (auto run = parse_run_name(name)) found.emplace_back(std::move(*run), name);
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first.level, a.first.problem, a.first.sample, a.second) <
           std::tie(b.first.level, b.first.problem, b.first.sample, b.second);
  });
  const std::string prefix = (place.relative.empty() ? place.base_name() : place.relative) + "/";
  for (const auto& [run, name] : found) load_one(place.child(name, false), run, prefix, context, candidates);
}

}  // namespace

Loader kernelbench_run_loader() {
  return {"kernelbench-run",
          "a folder of level_<L>_problem_<P>_sample_<S>_kernel.py files, as generation writes it",
          50,
          recognises,
          load_no_tasks,
          load_run};
}

}  // namespace kernel_audit::tasks
