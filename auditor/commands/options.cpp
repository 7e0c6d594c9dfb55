#include "auditor/commands/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include "auditor/commands/rule_catalogue.h"
#include "auditor/commands/rule_selection.h"
#include "auditor/core/repeated_key.h"
#include "auditor/executor/paths.h"
#include "eval/thresholds.h"
#include "filters/presets.h"
#include "reports/registry.h"
#include "tasks/loaders/text_file.h"

namespace kernel_audit::commands {
namespace {

namespace po = boost::program_options;

Status fill_load_options(Options& options) {
  for (const std::string& level : options.levels) {
    int number = 0;
    const auto [end, problem] = std::from_chars(level.data(), level.data() + level.size(), number);
    if (problem != std::errc() || end != level.data() + level.size() || number < 1) {
      return Error{ErrorKind::kUsage, "'" + level + "' is not a level", "", "--level",
                   "give a whole number, e.g. --level 1"};
    }
    options.load.levels.push_back(number);
  }
  for (const std::string& list : options.ids) {
    std::istringstream stream(list);
    for (std::string id; std::getline(stream, id, ',');) {
      if (!id.empty()) options.load.ids.push_back(id);
    }
  }
  for (const std::string& field : options.fields) {
    const auto equals = field.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == field.size()) {
      return Error{ErrorKind::kUsage, "'" + field + "' is not NAME=FIELD", "", "--field",
                   "for example --field code=my_code"};
    }
    options.load.fields[field.substr(0, equals)] = field.substr(equals + 1);
  }
  if (const std::string& kind = options.load.configurations; kind != "single" && kind != "multi" && kind != "all") {
    return Error{ErrorKind::kUsage, "'" + kind + "' is no choice of configurations", "", "--configurations",
                 "use single, multi or all"};
  }
  return Ok{};
}

// Settings that a policy knows by name go to the policy, the others are thresholds of the filter, where there is one.
void part_settings(Options& options, bool filter) {
  std::vector<std::string> others;
  for (std::string& setting : options.assignments) {
    std::string name = setting.substr(0, setting.find_first_of("=."));
    for (char& c : name) c = c == '-' ? '_' : c;
    const bool of_policy = topic_from_string(name).has_value() || name == "effects" || name == "thresholds";
    (of_policy || !filter ? options.policy_settings : others).push_back(std::move(setting));
  }
  options.assignments = std::move(others);
}

Status check_filter_options(Options& options, const po::variables_map& values) {
  executor::MeasureOptions& measure = options.measure;
  if (values.count("seeds") != 0 && measure.seeds < 2) {
    return Error{ErrorKind::kUsage, "at least 2 seeds are needed for a spread", "", "--seeds", "use 5 or more"};
  }
  for (const auto& [name, target] : {std::pair("atol", &measure.atol), std::pair("rtol", &measure.rtol)}) {
    if (values.count(name) == 0) continue;
    const double value = values[name].as<double>();
    if (!(value >= 0) || !std::isfinite(value)) {
      return Error{ErrorKind::kUsage, "a tolerance is a number of 0 or more", "", std::string("--") + name,
                   "for example 1e-4"};
    }
    *target = value;
  }
  std::istringstream baselines(options.baselines);
  for (std::string name; std::getline(baselines, name, ',');) {
    if (name != "compile" && name != "graph") {
      return Error{ErrorKind::kUsage, "'" + name + "' is no baseline", "", "--baselines", "use compile, graph or both"};
    }
    measure.baselines.push_back(name);
  }
  for (const std::string& assignment : options.assignments) {
    if (Status status = filters::set_threshold(assignment, measure.thresholds); !status) return status;
  }
  return Ok{};
}

std::string policy_names() {
  std::string names;
  for (const std::string& name : policy_presets()) names += (names.empty() ? "" : ", ") + name;
  return names;
}

po::options_description describe(const OptionGroups& groups, Options& options) {
  po::options_description all("Options", 110, 60);
  auto add = all.add_options();
  if (groups.tasks) {
    add("tasks,t", po::value(&options.tasks)->value_name("PATH"),
        "tasks: KernelBench checkout, JSON or JSONL, .py file, folder");
  }
  if (groups.candidates) {
    add("candidates,c", po::value(&options.candidates)->value_name("PATH")->composing(),
        "candidates: .py, .cu, folder (what defines ModelNew, Model or a kernel), KernelBench run folder, JSON or "
        "JSONL; lint takes patterns too, in which ** is any number of folders");
  }
  if (groups.selection) {
    add("level", po::value(&options.levels)->value_name("N")->composing(), "only this level (repeatable)");
    add("ids", po::value(&options.ids)->value_name("LIST")->composing(), "only these, e.g. 1/9,2/66 or names");
    add("field", po::value(&options.fields)->value_name("NAME=FIELD")->composing(),
        "field of a record that holds NAME: code, ref (reference code), level, id, name, claim (claimed speedup), "
        "language "
        "or sample");
    add("configurations",
        po::value(&options.load.configurations)->value_name("KIND")->default_value(options.load.configurations),
        "of robust-kbench tasks: single, multi or all");
  }
  if (groups.output) {
    add("out,o", po::value(&options.out)->value_name("DIR"), "folder for journal.jsonl, results.json and report.md");
    add("fresh", po::bool_switch(&options.fresh), "start over; the old journal is kept beside the new one");
    add("retry", po::bool_switch(&options.retry), "attempt again what ended in a fault");
    add("policy", po::value(&options.policy)->value_name("NAME|FILE")->default_value(options.policy),
        ("what the benchmark allows: " + policy_names() + " or a JSON file").c_str());
  }
  if (groups.measuring) {
    add("device", po::value(&options.device)->value_name("auto|cpu|cuda")->default_value(options.device),
        "where tasks and candidates run");
    add("compat", po::value(&options.measure.compat)->value_name("NAME")->default_value(options.measure.compat),
        "whose tolerances: kernelbench, kernelbench-v0 or robust-kbench");
    add("time-limit",
        po::value(&options.measure.time_limit_s)->value_name("SECONDS")->default_value(options.measure.time_limit_s),
        "per task in filter, per call in eval");
    add("build-limit",
        po::value(&options.measure.build_limit_s)->value_name("SECONDS")->default_value(options.measure.build_limit_s),
        "per build of a candidate, and per load of one");
    add("memory-limit", po::value(&options.memory_limit)->value_name("BYTES"),
        "resident memory per worker, e.g. 8G (default: 80 % of what is free)");
    add("budget",
        po::value(&options.measure.eval_budget_s)->value_name("SECONDS")->default_value(options.measure.eval_budget_s),
        "timing budget per candidate");
    add("attempts", po::value(&options.measure.attempts)->value_name("N")->default_value(options.measure.attempts),
        "evaluations of a candidate at most: another one, with twice the budget, follows one that decided nothing and "
        "in "
        "which the baseline's times show a disturbed machine; the last counts, all are kept");
    add("replay-seed", po::value<std::uint64_t>()->value_name("N"), "reproduce a recorded evaluation; never confirmed");
  }
  if (groups.filter) {
    add("preset", po::value(&options.measure.preset)->value_name("NAME")->default_value(options.measure.preset),
        "filter definitions: default, metr or robust-kbench");
    add("seeds", po::value(&options.measure.seeds)->value_name("N"),
        "input and weight seeds at most; the default preset starts with 5 and draws more only while a verdict is near "
        "its "
        "threshold (default: the preset's, 100 there)");
    add("baselines", po::value(&options.baselines)->value_name("LIST"),
        "what the filter times beside eager execution: compile, graph");
    add("atol", po::value<double>()->value_name("X"), "absolute tolerance, in place of the benchmark's");
    add("rtol", po::value<double>()->value_name("X"), "relative tolerance, in place of the benchmark's");
  }
  if (groups.emit) {
    add("emit-tree", po::value(&options.emit_tree)->value_name("DIR"), "copy the kept tasks there, byte for byte");
    add("emit-ids", po::value(&options.emit_ids)->value_name("FILE"),
        "write the numbers of the kept tasks by level, as KernelBench's subset(problem_ids=...) takes them");
    add("keep-review", po::bool_switch(&options.keep_review), "tasks for review count as kept in both");
  }
  if (groups.lint) {
    add("select", po::value(&options.select)->value_name("CODES")->composing(),
        "only these rules: codes or their beginnings, e.g. KA2,KA301, or slugs, in any case; those of stage analysis "
        "in kernel-audit rules");
    add("ignore", po::value(&options.ignore)->value_name("CODES")->composing(), "all but these rules");
    add("only-candidates", po::bool_switch(&options.only_candidates),
        "of the source files named, lint the candidates that they are part of, as a folder would give them, and leave "
        "out the others (for hooks)");
    add("baseline", po::value(&options.baseline)->value_name("FILE"), "leave out the findings that FILE holds");
    add("write-baseline", po::value(&options.write_baseline)->value_name("FILE"),
        "write to FILE what is found and not set aside by comments or selection, and leave it out from then on");
    add("cache", po::value(&options.cache)->value_name("DIR"), "keep results there by content (not with --out)");
    add("stdin", po::bool_switch(&options.from_stdin), "read one candidate from standard input");
    add("stdin-filename", po::value(&options.stdin_filename)->value_name("NAME")->default_value(options.stdin_filename),
        "its name in reports; the ending tells the language");
  }
  if (groups.output || groups.filter) {
    add("set", po::value(&options.assignments)->value_name("NAME=VALUE")->composing(),
        groups.filter ? "one setting: of the policy (vendor_libraries=forbid) or a threshold of the filter "
                        "(seed-std.drop_tolerance=2; see filter presets); repeatable"
                      : "one setting on top of the policy, e.g. vendor_libraries=forbid; repeatable");
  }
  add("python", po::value(&options.python)->value_name("PATH"),
      "interpreter whose ast parses candidates (default: python3)");
  add("jobs,j", po::value(&options.jobs)->value_name("N"),
      groups.emit ? "tasks at once (default: 1), each on its share of the cores and, without --memory-limit, of the "
                    "memory; times are taken one after another, also beside other filters on the same device"
                  : "parallel extractors (default: one per core)");
  add("format,f", po::value(&options.format)->value_name("FORMAT")->default_value(options.format),
      ("what stdout gets: " + format_names()).c_str());
  add("json", po::bool_switch(&options.json), "the same as --format json");
  add("quiet,q", po::bool_switch(&options.quiet), "no progress on stderr");
  add("help,h", "this text");
  return all;
}

// "filter merge" of "filter merge A B … --out FILE [OPTIONS]".
std::string command_of(const HelpText& help) {
  std::istringstream words(help.usage);
  std::string command = "kernel-audit";
  for (std::string word; words >> word && word.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos;)
    command += " " + word;
  return command;
}

}  // namespace

std::string format_names() {
  std::string names = "text";
  for (const reports::Writer& writer : reports::writers()) names += ", " + writer.name;
  return names;
}

Status check_format(const std::string& format) {
  if (format == "text" || reports::find_writer(format) != nullptr) return Ok{};
  return Error{ErrorKind::kUsage, "'" + format + "' is not a format", "", "--format", "use one of " + format_names()};
}

Result<std::uint64_t> parse_bytes(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit(end, text.data() + text.size());
  int shift = 0;
  if (unit == "K" || unit == "KiB")
    shift = 10;
  else if (unit == "M" || unit == "MiB")
    shift = 20;
  else if (unit == "G" || unit == "GiB")
    shift = 30;
  else if (!unit.empty())
    shift = -1;
  if (problem != std::errc() || shift < 0 || number == 0 || number > (UINT64_MAX >> shift)) {
    return Error{ErrorKind::kUsage, "'" + text + "' is not a size", "", "--memory-limit", "for example 8G or 512M"};
  }
  return number << shift;
}

// Given limits, budgets and counts; the defaults are positive.
Status check_positive(const Options& options, const po::variables_map& values) {
  const struct {
    const char* name;
    double value;
  } numbers[] = {{"time-limit", options.measure.time_limit_s},
                 {"build-limit", options.measure.build_limit_s},
                 {"budget", options.measure.eval_budget_s},
                 {"attempts", static_cast<double>(options.measure.attempts)},
                 {"jobs", static_cast<double>(options.jobs)}};
  for (const auto& [name, value] : numbers) {
    if (values.count(name) == 0 || values[name].defaulted() || (std::isfinite(value) && value > 0)) continue;
    return Error{ErrorKind::kUsage, "the value must be a positive number", "", "--" + std::string(name),
                 "give a number above 0, or leave the option out"};
  }
  return Ok{};
}

// Options that contradict each other, or that nothing would come of.
Status check_together(const Options& options, const OptionGroups& groups, const po::variables_map& values) {
  const auto error = [](const char* field, const char* message, const char* remedy) {
    return Error{ErrorKind::kUsage, message, "", field, remedy};
  };
  if (options.json && !values["format"].defaulted() && options.format != "json")
    return error("--json", "it is the same as --format json, and --format says otherwise", "leave out one of the two");
  if (options.fresh && options.retry)
    return error("--fresh", "what starts over has nothing to attempt again with --retry", "leave out one of the two");
  if (!groups.lint) return Ok{};
  if (options.out.empty() && (options.fresh || options.retry))
    return error(options.fresh ? "--fresh" : "--retry", "it acts on the journal of --out",
                 "give --out, or leave it out");
  if (!options.from_stdin && !values["stdin-filename"].defaulted())
    return error("--stdin-filename", "it names what --stdin reads", "give --stdin, or leave it out");
  if (options.from_stdin && !tasks::language_of(options.stdin_filename))
    return error("--stdin-filename", "the ending of the name tells no language", "use .py, .cu, .cuh, .cpp or .h");
  return Ok{};
}

// An interpreter that was named but cannot be run would leave every candidate unparsed.
Status check_python(const std::string& python) {
  if (executor::python_path(python)) return Ok{};
  return Error{ErrorKind::kUsage, "the interpreter '" + python + "' cannot be run", "", "--python",
               "name a Python 3 by its path, or leave the option out"};
}

Result<bool> read_arguments(const Arguments& arguments, const po::options_description& described,
                            const char* positional, int count, const HelpText& help, po::variables_map& values) {
  po::positional_options_description words;
  if (positional != nullptr) words.add(positional, count);
  try {
    const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
    po::store(po::command_line_parser(arguments).options(described).positional(words).style(style).run(), values);
    if (values.count("help") != 0) {
      std::cout << "usage: kernel-audit " << help.usage << "\n\n"
                << help.description << "\n\n"
                << described << "\nExamples:\n"
                << help.examples;
      return false;
    }
    po::notify(values);
  } catch (const po::error& e) {
    return Error{ErrorKind::kUsage, e.what(), "", "", "see " + command_of(help) + " --help"};
  }
  return true;
}

Result<std::optional<Options>> parse_options(const Arguments& arguments, const OptionGroups& groups,
                                             const HelpText& help) {
  Options options;
  po::options_description all = describe(groups, options);
  const bool one = groups.positional != nullptr && std::string(groups.positional) == "tasks";
  po::variables_map values;
  const Result<bool> go_on = read_arguments(arguments, all, groups.positional, one ? 1 : -1, help, values);
  if (!go_on) return go_on.error();
  if (!*go_on) return std::optional<Options>();
  if (values.count("replay-seed") != 0) options.measure.replay_seed = values["replay-seed"].as<std::uint64_t>();
  if (Status status = fill_load_options(options); !status) return status.error();
  if (!options.memory_limit.empty()) {
    Result<std::uint64_t> bytes = parse_bytes(options.memory_limit);
    if (!bytes) return bytes.error();
    options.measure.memory_limit_bytes = *bytes;
  }
  if (Status sensible = check_together(options, groups, values); !sensible) return sensible.error();
  if (options.json) options.format = "json";
  if (Status known = check_format(options.format); !known) return known.error();
  if (options.device != "auto" && options.device != "cpu" && options.device != "cuda") {
    return Error{ErrorKind::kUsage, "'" + options.device + "' is not a device", "", "--device",
                 "use auto, cpu or cuda"};
  }
  if (Status positive = check_positive(options, values); !positive) return positive.error();
  if (!options.python.empty()) {
    if (Status python = check_python(options.python); !python) return python.error();
  }
  part_settings(options, groups.filter);
  if (Status settled = settle_selection(options.select, options.ignore); !settled) return settled.error();
  if (groups.filter) {
    if (Status status = check_filter_options(options, values); !status) return status.error();
  }
  return std::optional<Options>(std::move(options));
}

namespace {

// Slugs become codes. A rule or a threshold that there is not would decide nothing.
Status settle_names(Policy& policy, const std::string& file) {
  std::map<std::string, Effect> by_code, by_slug;
  for (const auto& [name, effect] : policy.effects) {
    const DocumentedRule* rule = find_rule(name);
    if (rule == nullptr)
      return Error{ErrorKind::kUsage, "there is no rule " + name, file, "effects." + name, "see kernel-audit rules"};
    (rule->info.code == name ? by_code : by_slug)[rule->info.code] = effect;
  }
  // A slug was written after what stands there by code, which comes from a preset or an earlier setting.
  for (const auto& [code, effect] : by_slug) by_code[code] = effect;
  policy.effects = std::move(by_code);
  std::map<std::string, double> of_filter;
  for (const auto& [id, value] : policy.thresholds) {
    const auto& of_eval = eval::kThresholds;
    if (std::find(std::begin(of_eval), std::end(of_eval), id) != std::end(of_eval)) continue;
    const Status known = id.starts_with("filters.")
                             ? filters::set_threshold(id + "=" + dump_json(Json(value)), of_filter)
                             : Status(Error{ErrorKind::kUsage, "there is no such threshold", "", "", ""});
    if (!known) {
      return Error{ErrorKind::kUsage, known.error().message, file, "thresholds." + id,
                   "for example eval.wrong.atol, or filters.seed-std.drop_tolerance"};
    }
  }
  return Ok{};
}

// The code of a rule that a policy file names by code and by slug, or in two cases.
std::optional<std::string> rule_named_twice(const Json& policy) {
  const auto effects = policy.is_object() ? policy.find("effects") : policy.end();
  if (effects == policy.end() || !effects->is_object()) return std::nullopt;
  std::set<std::string> codes;
  for (const auto& [name, effect] : effects->items()) {
    const DocumentedRule* rule = find_rule(name);
    if (rule != nullptr && !codes.insert(rule->info.code).second) return rule->info.code;
  }
  return std::nullopt;
}

}  // namespace

Result<std::string> read_text_file(const std::string& path) {
  constexpr std::size_t kMost = std::size_t{64} << 20;
  Result<std::string> text = tasks::read_file(path, kMost);
  if (!text) return text;
  if (const auto fault = tasks::text_fault(*text))
    return Error{ErrorKind::kUsage, *fault, path, "", "save it as UTF-8"};
  return text;
}

Result<Policy> load_policy(const std::string& name_or_file, const std::vector<std::string>& settings) {
  Result<Policy> policy = find_policy(name_or_file);
  if (std::error_code absent; !policy && std::filesystem::exists(name_or_file, absent)) {
    Result<std::string> text = read_text_file(name_or_file);
    if (!text) return Error{ErrorKind::kUsage, text.error().message, name_or_file, "--policy", text.error().remedy};
    Result<Json> json = parse_json(*text, name_or_file);
    if (!json) {
      return Error{ErrorKind::kUsage, json.error().message, name_or_file, "--policy",
                   R"(a policy is a JSON object, for example {"extends": "strict"})"};
    }
    if (const auto key = repeated_key(*text))
      return Error{ErrorKind::kUsage, "\"" + *key + "\" stands twice", name_or_file, *key, "leave out one of the two"};
    if (const auto rule = rule_named_twice(*json)) {
      return Error{ErrorKind::kUsage, *rule + " is named twice", name_or_file, "effects",
                   "give it one effect, by its code or by its slug"};
    }
    policy = policy_from_json(*json, name_or_file);
  }
  if (!policy) return policy;
  if (Status known = settle_names(*policy, name_or_file); !known) return known.error();
  std::string with;
  for (const std::string& setting : settings) {
    if (Status set = set_policy_option(*policy, setting); !set) return set.error();
    if (Status known = settle_names(*policy, "--set"); !known) return known.error();
    with += (with.empty() ? " with " : ", ") + setting;
  }
  policy->name += with;
  return policy;
}

int usage_error(const Error& error) {
  std::cerr << "kernel-audit: error: " << error.describe() << "\n";
  return 2;
}

}  // namespace kernel_audit::commands
