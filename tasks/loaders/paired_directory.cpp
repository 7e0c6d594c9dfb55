// <name>/ref.py (the reference) beside <name>/src.py (the candidate) and the C++ or CUDA files that it builds.
#include "tasks/loaders/builders.h"
#include "tasks/loaders/formats.h"
#include "tasks/loaders/listing.h"
#include "tasks/loaders/text_file.h"

namespace kernel_audit::tasks {
namespace {

std::string name_of(const Place& place) { return place.relative.empty() ? place.base_name() : place.relative; }

bool recognises(const Place& place) { return place.is_directory && is_file(place.child("ref.py", false).path); }

void load_reference(const Place& place, LoadContext& context, std::vector<Task>& tasks) {
  if (auto source = read_source(place.child("ref.py", false), context)) {
    tasks.push_back(make_task("paired", 0, 0, name_of(place), std::move(*source)));
  }
}

void load_source(const Place& place, LoadContext& context, std::vector<Candidate>& candidates) {
  const Place entry = place.child("src.py", false);
  if (!is_file(entry.path)) {
    candidates.push_back(make_empty_candidate(name_of(place), name_of(place), "no code: src.py is absent"));
    return;
  }
  auto source = read_source(entry, context);
  if (!source) return;
  std::vector<SourceFile> files;
  files.push_back(std::move(*source));
  for (SourceFile& neighbour : read_neighbours(entry, files.front(), context, "ref.py"))
    files.push_back(std::move(neighbour));
  candidates.push_back(make_candidate(name_of(place), name_of(place), std::move(files)));
}

}  // namespace

Loader paired_directory_loader() {
  return {"paired-directory", "a folder with ref.py (reference) and src.py (candidate)", 30, recognises, load_reference,
          load_source};
}

}  // namespace kernel_audit::tasks
