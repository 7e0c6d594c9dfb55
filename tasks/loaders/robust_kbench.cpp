// A robust-kbench task: a folder with func_forward.py (Model and get_inputs with arguments by name) and
// config_forward.json (lists of those arguments; each combination is a task). Candidates are the .cu files in it.
// A folder level_<N>/task_<id> places the task in its benchmark.
#include <algorithm>
#include <optional>
#include <utility>

#include "tasks/configuration.h"
#include "tasks/loaders/builders.h"
#include "tasks/loaders/formats.h"
#include "tasks/loaders/listing.h"
#include "tasks/loaders/names.h"
#include "tasks/loaders/record_fields.h"
#include "tasks/loaders/text_file.h"

namespace kernel_audit::tasks {
namespace {

std::string name_of(const Place& place) { return place.relative.empty() ? place.base_name() : place.relative; }

bool recognises(const Place& place) { return place.is_directory && is_file(place.child(kBoundFile, false).path); }

// Level and id of ".../level_1/task_17"; zeros for any other place.
std::pair<int, int> number_of(const Place& place) {
  const std::string folder = place.base_name();
  if (!folder.starts_with("task_")) return {0, 0};
  const auto id = parse_number(std::string_view(folder).substr(5));
  const std::size_t slash = place.path.rfind('/');
  if (!id || slash == std::string::npos) return {0, 0};
  Place parent;
  parent.path = place.path.substr(0, slash);
  const auto level = level_of_directory(parent.base_name());
  return level ? std::pair(*level, *id) : std::pair(0, 0);
}

// The configurations that were asked for; nothing when the file is at fault, which is then a problem.
std::optional<std::vector<Json>> wanted_configurations(const Place& place, LoadContext& context) {
  const std::string file = place.child(kConfigFile, false).path;
  if (!is_file(file)) return std::vector<Json>{{{"init", Json::object()}, {"inputs", Json::object()}}};
  const auto text = read_file(file, context.limits.source_bytes);
  const auto config = text ? parse_user_json(*text, file) : Result<Json>(text.error());
  if (!config) {
    context.problem(config.error());
    return std::nullopt;
  }
  std::vector<Json> wanted;
  for (const char* kind : {"single", "multi"}) {
    if (context.options.configurations != kind && context.options.configurations != "all") continue;
    auto configurations = configurations_of(*config, kind, file);
    if (!configurations) {
      context.problem(configurations.error());
      return std::nullopt;
    }
    for (Json& configuration : *configurations) {
      // The two kinds often repeat each other.
      if (std::find(wanted.begin(), wanted.end(), configuration) == wanted.end()) {
        wanted.push_back(std::move(configuration));
      }
    }
  }
  // A list of one object without arguments stands for "none given"; beside others it is not a configuration.
  if (wanted.size() > 1) {
    std::erase_if(wanted, [](const Json& one) { return one.at("init").empty() && one.at("inputs").empty(); });
  }
  return wanted;
}

// Calls `use` with the name, level and id of each run of this task and its configuration.
template <typename Use>
void each_run(const Place& place, LoadContext& context, const Use& use) {
  const auto configurations = wanted_configurations(place, context);
  if (!configurations) return;
  const auto [level, id] = number_of(place);
  if (configurations->size() == 1) {
    use(name_of(place), level, id, configurations->front());
    return;
  }
  for (std::size_t i = 0; i < configurations->size(); ++i) {
    use(name_of(place) + "@" + std::to_string(i + 1), level, 0, (*configurations)[i]);
  }
}

void load_directory_tasks(const Place& place, LoadContext& context, std::vector<Task>& tasks) {
  const auto source = read_source(place.child(kBoundFile, false), context);
  if (!source) return;
  each_run(place, context, [&](const std::string& name, int level, int id, const Json& configuration) {
    Task task = make_task("robust-kbench", level, id, name, *source);
    task.configuration = configuration;
    task.code_sha256 = configured_digest(task.code, configuration);
    tasks.push_back(std::move(task));
  });
}

void load_directory_candidates(const Place& place, LoadContext& context, std::vector<Candidate>& candidates) {
  for (const std::string& file : list_or_report(place, context).files) {
    if (!has_extension(file, ".cu") || file.starts_with("backward")) continue;
    const Place entry = place.child(file, false);
    const auto source = read_source(entry, context);
    if (!source) continue;
    std::vector<SourceFile> files = {*source};
    for (SourceFile& neighbour : read_neighbours(entry, files.front(), context)) files.push_back(std::move(neighbour));
    each_run(place, context, [&](const std::string& name, int level, int id, const Json&) {
      candidates.push_back(
          make_candidate(name + "/" + stem(file), level > 0 && id > 0 ? task_key(level, id) : name, files));
    });
  }
}

}  // namespace

Loader robust_kbench_loader() {
  return {"robust-kbench",
          "a robust-kbench task folder with func_forward.py and config_forward.json",
          35,
          recognises,
          load_directory_tasks,
          load_directory_candidates};
}

}  // namespace kernel_audit::tasks
