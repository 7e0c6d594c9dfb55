// A bare .cu, .cuh or .cpp file with a pybind or extern "C" entry. Headers beside it come along, since it may include
// them. It is always a candidate, never a task.
#include "tasks/loaders/builders.h"
#include "tasks/loaders/formats.h"
#include "tasks/loaders/names.h"
#include "tasks/loaders/text_file.h"

namespace kernel_audit::tasks {
namespace {

bool recognises(const Place& place) {
  const auto language = language_of(place.path);
  return !place.is_directory && language && *language != Language::kPython;
}

void refuse_as_task(const Place& place, LoadContext& context, std::vector<Task>&) {
  context.problem({ErrorKind::kUsage, "is C++ or CUDA source, which can be a candidate but not a task", place.path, "",
                   "name the Python file with the reference Model"});
}

void load_source(const Place& place, LoadContext& context, std::vector<Candidate>& candidates) {
  auto source = read_source(place, context);
  if (!source) return;
  std::vector<SourceFile> files;
  files.push_back(std::move(*source));
  for (SourceFile& header : read_neighbours(place, files.front(), context)) files.push_back(std::move(header));
  const std::string name = place.relative.empty() ? place.base_name() : place.relative;
  candidates.push_back(make_candidate(name, "", std::move(files)));
}

}  // namespace

Loader bare_source_loader() {
  return {"bare-source", "one .cu, .cuh or .cpp file, with the headers beside it", 20, recognises, refuse_as_task,
          load_source};
}

}  // namespace kernel_audit::tasks
