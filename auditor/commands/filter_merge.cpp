// filter merge: the manifests of a benchmark that was filtered in parts, as one.
#include <iostream>

#include "auditor/commands/filter.h"
#include "auditor/commands/options.h"
#include "tasks/manifest_merge.h"

namespace kernel_audit::commands {
namespace {

namespace po = boost::program_options;

}  // namespace

int filter_merge_command(const Arguments& arguments) {
  std::vector<std::string> paths;
  std::string out, source;
  po::options_description all("Options", 110, 60);
  all.add_options()("manifests", po::value(&paths)->value_name("A B …"),
                    "manifest.json files, or the folders that hold them; later ones go before earlier ones")(
      "out,o", po::value(&out)->value_name("FILE"), "where the merged manifest is written")(
      "source", po::value(&source)->value_name("TEXT"),
      "what it calls the benchmark, in place of the path that it was read from")("help,h", "this text");
  const HelpText help{
      "filter merge A B … --out FILE [OPTIONS]",
      "One manifest of several with equal settings: of each task the last decision that rests on a run.",
      "  kernel-audit filter merge out-1 out-2 --source KernelBench --out tasks/manifests/v0.json\n"};
  po::variables_map values;
  const Result<bool> go_on = read_arguments(arguments, all, "manifests", -1, help, values);
  if (!go_on) return usage_error(go_on.error());
  if (!*go_on) return 0;
  if (paths.empty() || out.empty()) {
    return usage_error({ErrorKind::kUsage, paths.empty() ? "no manifest was named" : "no file to write was named", "",
                        paths.empty() ? "A B …" : "--out", "see kernel-audit filter merge --help"});
  }
  std::vector<std::pair<std::string, tasks::Manifest>> parts;
  for (const std::string& path : paths) {
    Result<tasks::Manifest> part = tasks::read_manifest(path);
    if (!part) return usage_error(part.error());
    parts.emplace_back(path, std::move(*part));
  }
  Result<tasks::Manifest> merged = tasks::merge_manifests(parts, source);
  if (!merged) return usage_error(merged.error());
  if (Status written = tasks::write_manifest(out, *merged); !written) return usage_error(written.error());
  std::cout << out << ": " << merged->tasks.size() << " tasks";
  for (const auto& [decision, count] : tasks::count_decisions(*merged))
    std::cout << ", " << count << " " << to_string(decision);
  std::cout << "\n";
  return 0;
}

}  // namespace kernel_audit::commands
