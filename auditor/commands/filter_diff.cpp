// filter diff: two manifests against each other. filter presets: what each preset judges by, and why.
#include <iostream>

#include "auditor/commands/filter.h"
#include "auditor/commands/options.h"
#include "filters/presets.h"
#include "filters/rules/rule.h"
#include "tasks/manifest_diff.h"

namespace kernel_audit::commands {
namespace {

namespace po = boost::program_options;

bool asks_for_help(const Arguments& arguments) {
  return !arguments.empty() && (arguments[0] == "--help" || arguments[0] == "-h");
}

void print_preset(const filters::Preset& preset, bool sources) {
  std::cout << preset.name << " (" << preset.seeds
            << (preset.max_seeds > preset.seeds ? " to " + std::to_string(preset.max_seeds) : "")
            << " seeds): " << preset.summary << "\n";
  for (const filters::Rule& rule : filters::registry()) {
    if (!filters::rule_enabled(preset.policy, rule.info.slug)) std::cout << "  not judged: " << rule.info.slug << "\n";
  }
  for (const filters::Threshold& threshold : preset.thresholds) {
    std::cout << "  " << threshold.id.substr(8) << " = " << dump_json(Json(threshold.value)) << " " << threshold.unit
              << "\n";
    if (sources) std::cout << "      " << threshold.source << "\n";
  }
}

}  // namespace

int filter_diff_command(const Arguments& arguments) {
  std::vector<std::string> paths;
  std::string format = "text";
  po::options_description all("Options", 110, 60);
  all.add_options()("manifests", po::value(&paths)->value_name("A B"),
                    "two manifest.json, or the folders that hold them")(
      "format,f", po::value(&format)->value_name("FORMAT")->default_value(format), "text, markdown or json")(
      "help,h", "this text");
  const HelpText help{"filter diff A B [OPTIONS]",
                      "Which tasks were added, removed, or are judged otherwise in manifest B than in manifest A, with "
                      "the reasons.\nExit code 0 no difference, 1 some, 2 unreadable.",
                      "  kernel-audit filter diff tasks/manifests/v0.json out/manifest.json\n"};
  po::variables_map values;
  const Result<bool> go_on = read_arguments(arguments, all, "manifests", -1, help, values);
  if (!go_on) return usage_error(go_on.error());
  if (!*go_on) return 0;
  if (paths.size() != 2) {
    return usage_error({ErrorKind::kUsage, std::to_string(paths.size()) + " manifests were named, not 2", "", "A B",
                        "see kernel-audit filter diff --help"});
  }
  if (format != "text" && format != "markdown" && format != "json") {
    return usage_error(
        {ErrorKind::kUsage, "'" + format + "' is not a format", "", "--format", "use text, markdown or json"});
  }
  const Result<tasks::Manifest> before = tasks::read_manifest(paths[0]);
  if (!before) return usage_error(before.error());
  const Result<tasks::Manifest> after = tasks::read_manifest(paths[1]);
  if (!after) return usage_error(after.error());
  const tasks::ManifestDiff diff = tasks::diff_manifests(*before, *after);
  std::cout << tasks::render_diff(diff, format == "json"       ? tasks::DiffFormat::kJson
                                        : format == "markdown" ? tasks::DiffFormat::kMarkdown
                                                               : tasks::DiffFormat::kText);
  return diff.empty() ? 0 : 1;
}

int filter_presets_command(const Arguments& arguments) {
  if (asks_for_help(arguments) || arguments.size() > 1) {
    (asks_for_help(arguments) ? std::cout : std::cerr)
        << "usage: kernel-audit filter presets [NAME]\n\nThe thresholds of each preset with their units; with NAME, "
           "of that one, each with its source.\nAny of them can be set: kernel-audit filter TASKS --set NAME=VALUE\n";
    return asks_for_help(arguments) ? 0 : 2;
  }
  if (arguments.size() == 1) {
    const Result<filters::Preset> preset = filters::find_preset(arguments[0]);
    if (!preset) return usage_error(preset.error());
    print_preset(*preset, true);
    return 0;
  }
  for (const filters::Preset& preset : filters::presets()) print_preset(preset, false);
  return 0;
}

}  // namespace kernel_audit::commands
