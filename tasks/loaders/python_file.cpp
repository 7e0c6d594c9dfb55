// A single Python file: a task with Model and get_inputs, or a candidate with ModelNew. A level<N> parent folder and a
// leading number place it in its benchmark, as in level1/9_Tall_skinny_matrix_multiplication_.py.
#include "tasks/loaders/builders.h"
#include "tasks/loaders/formats.h"
#include "tasks/loaders/names.h"
#include "tasks/loaders/text_file.h"

namespace kernel_audit::tasks {
namespace {

bool recognises(const Place& place) { return !place.is_directory && has_extension(place.path, ".py"); }

int level_above(const Place& place) {
  const std::size_t slash = place.path.rfind('/');
  if (slash == std::string::npos) return 0;
  const std::string parent = place.path.substr(0, slash);
  const std::size_t before = parent.rfind('/');
  return level_of_directory(before == std::string::npos ? parent : parent.substr(before + 1)).value_or(0);
}

// Name relative to what the user named, so that files of one name in two directories differ.
std::string name_of(const Place& place) {
  if (place.relative.empty()) return stem(place.path);
  const std::size_t slash = place.relative.rfind('/');
  return (slash == std::string::npos ? "" : place.relative.substr(0, slash + 1)) + stem(place.relative);
}

void load_file_tasks(const Place& place, LoadContext& context, std::vector<Task>& tasks) {
  auto source = read_source(place, context);
  if (!source) return;
  const int level = level_above(place);
  const int id = leading_id(stem(place.path)).value_or(0);
  const bool numbered = level > 0 && id > 0;
  tasks.push_back(make_task(numbered ? "kernelbench" : "file", level, id, numbered ? stem(place.path) : name_of(place),
                            std::move(*source)));
}

void load_file_candidates(const Place& place, LoadContext& context, std::vector<Candidate>& candidates) {
  auto source = read_source(place, context);
  if (!source) return;
  const int level = level_above(place);
  const int id = leading_id(stem(place.path)).value_or(0);
  std::vector<SourceFile> files;
  files.push_back(std::move(*source));
  for (SourceFile& neighbour : read_neighbours(place, files.front(), context)) files.push_back(std::move(neighbour));
  candidates.push_back(
      make_candidate(name_of(place), level > 0 && id > 0 ? task_key(level, id) : "", std::move(files)));
}

}  // namespace

Loader python_file_loader() {
  return {"python-file",
          "one Python file: a task with Model and get_inputs, or a candidate with ModelNew",
          20,
          recognises,
          load_file_tasks,
          load_file_candidates};
}

}  // namespace kernel_audit::tasks
