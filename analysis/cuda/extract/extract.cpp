#include "analysis/cuda/extract/extract.h"

#include <clang/Basic/Version.h>
#include <pthread.h>

#include "analysis/cuda/extract/lowering.h"
#include "auditor/core/digest.h"

namespace kernel_audit::analysis::cuda {
namespace {

// Clang and this lowering recurse on what they read; a thread of its own gives hostile nesting room to
// run into the limits on depth before it runs into the end of the stack.
constexpr std::size_t kStackBytes = std::size_t{512} << 20U;

template <typename Work>
bool run_on_large_stack(Work work) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_t thread{};
  const auto start = [](void* argument) -> void* {
    (*static_cast<Work*>(argument))();
    return nullptr;
  };
  const bool started = pthread_attr_setstacksize(&attributes, kStackBytes) == 0 &&
                       pthread_create(&thread, &attributes, start, &work) == 0;
  pthread_attr_destroy(&attributes);
  return started && pthread_join(thread, nullptr) == 0;
}

SourceSpan span_of(const ParseError& error, const split::SourceUnit& unit,
                   const std::vector<split::VirtualFile>& neighbours) {
  SourceSpan span;
  if (error.begin < 0) return span;
  if (error.path == unit_path(unit)) return unit.map.resolve(error.begin, error.end);
  for (const split::VirtualFile& file : neighbours) {
    if (neighbour_path(file) != error.path) continue;
    span.file = file.file;
    span.begin = error.begin;
    span.end = error.end;
  }
  return span;
}

// Errors inside one function are one problem: the first says most.
void report_errors(const ParseOutcome& parsed, const split::SourceUnit& unit,
                   const std::vector<split::VirtualFile>& neighbours, facts::Facts& facts, Id unit_id) {
  std::vector<Id> seen;
  for (const ParseError& error : parsed.errors) {
    const SourceSpan span = span_of(error, unit, neighbours);
    Id inside = kNone;
    for (std::size_t i = 0; i < facts.functions.size(); ++i) {
      const facts::Function& function = facts.functions[i];
      if (function.unit == unit_id && span.begin >= 0 && function.span.file == span.file &&
          function.span.begin <= span.begin && span.end <= function.span.end) {
        inside = static_cast<Id>(i);
      }
    }
    if (std::find(seen.begin(), seen.end(), inside) != seen.end() && inside != kNone) continue;
    seen.push_back(inside);
    facts::Problem problem;
    problem.kind = "syntax-error";
    problem.unit = unit_id;
    problem.span = span;
    const bool device = inside != kNone && facts.functions[static_cast<std::size_t>(inside)].is_device;
    problem.message =
        "Clang reports '" + error.message + "'" +
        (inside != kNone ? " in '" + facts.functions[static_cast<std::size_t>(inside)].qualified_name + "'." : ".");
    problem.blocks_clean = !device;  // a kernel is a kernel; what its host code does is still seen
    facts.problems.push_back(std::move(problem));
  }
}

}  // namespace

Status lower_cuda(const split::SourceUnit& unit, const std::vector<split::VirtualFile>& neighbours, facts::Facts& facts,
                  const Limits& limits) {
  Id unit_id = unit.facts_unit;
  if (unit_id == kNone) {
    facts::Unit added;
    added.name = unit.name;
    added.language = unit.language;
    added.build_flags = unit.build_flags;
    facts.units.push_back(std::move(added));
    unit_id = static_cast<Id>(facts.units.size()) - 1;
  } else if (unit_id < 0 || static_cast<std::size_t>(unit_id) >= facts.units.size()) {
    return Error{ErrorKind::kTool, "The unit's index in the Facts is out of range.", unit.name, "facts_unit", ""};
  }
  facts.clang_version = CLANG_VERSION_STRING;
  facts.units[static_cast<std::size_t>(unit_id)].sha256 = sha256_hex(unit.text);
  facts.units[static_cast<std::size_t>(unit_id)].extension = unit.extension;

  Budget budget(limits);
  Result<ParseOutcome> parsed = Error{};
  const bool ran = run_on_large_stack([&] {
    parsed = parse_unit(unit, neighbours, budget, [&](clang::CompilerInstance& compiler, const ParseOutcome& outcome) {
      Lowering(compiler, unit, neighbours, outcome, budget, facts, unit_id).run();
    });
  });
  if (!ran)
    return Error{ErrorKind::kTool, "No thread with a large stack could be started.", unit.name, "",
                 "raise the limit on memory"};
  if (!parsed.ok()) return parsed.error();

  facts::Unit& entry = facts.units[static_cast<std::size_t>(unit_id)];
  entry.includes = parsed->includes;
  entry.missing_includes = parsed->missing_includes;
  entry.parsed = !budget.exhausted();
  report_errors(*parsed, unit, neighbours, facts, unit_id);
  for (const std::string& name : parsed->missing_includes) {
    facts.problems.push_back(
        {"missing-include", "The header '" + name + "' is not known, and was read as empty.", unit_id, {}, false});
  }
  for (const std::string& name : parsed->undeclared_values) {
    // A number that a library is told is none of the candidate's.
    facts.problems.push_back({"syntax-error",
                              "Nothing declares '" + name + "'; its value is taken as unknown.",
                              unit_id,
                              {},
                              !names_cuda_library(name)});
  }
  for (const std::string& name : parsed->options) {
    facts.problems.push_back({"unfoldable-flags",
                              "Only the build's options can define '" + name + "'; what it is is not known.",
                              unit_id,
                              {},
                              false});
  }
  if (budget.exhausted()) {
    facts.problems.push_back(
        {"limit", "Reading '" + unit.name + "' was given up because " + budget.reason() + ".", unit_id, {}, true});
  }
  if (parsed->device_only_code) {
    facts.problems.push_back(
        {"dynamic-call", "Code that only exists when __CUDA_ARCH__ is defined is not covered.", unit_id, {}, false});
  }
  return Ok{};
}

}  // namespace kernel_audit::analysis::cuda
