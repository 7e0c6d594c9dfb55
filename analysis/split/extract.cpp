#include "analysis/split/extract.h"

#include <pthread.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <map>

#include "analysis/python/lower.h"
#include "analysis/split/build_faults.h"
#include "analysis/split/directives.h"
#include "analysis/split/link.h"
#include "analysis/split/locator.h"
#include "analysis/split/programs.h"
#include "analysis/split/unit.h"
#include "auditor/core/digest.h"
#ifdef KA_HAVE_CUDA_EXTRACTOR
#include "analysis/cuda/extract/extract.h"
#endif

namespace kernel_audit::analysis::split {
namespace {

using facts::Id;
using facts::kNone;

constexpr std::size_t kMaxUnits = 64;
constexpr std::size_t kStackBytes = std::size_t{512} << 20;  // reserved, touched only by deeply nested sources

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::string language_of(const CandidateFile& file) {
  if (!file.language.empty()) return file.language;
  if (ends_with(file.path, ".py")) return "python";
  return ends_with(file.path, ".cu") || ends_with(file.path, ".cuh") ? "cuda" : "cpp";
}

// Runs `work` on a thread with a large stack: hostile sources nest deeply.
void on_large_stack(const std::function<void()>& work) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  const auto start = [](void* argument) -> void* {
    (*static_cast<const std::function<void()>*>(argument))();
    return nullptr;
  };
  const int failed = pthread_create(&thread, &attributes, start, const_cast<std::function<void()>*>(&work));
  pthread_attr_destroy(&attributes);
  if (failed != 0)
    work();
  else
    pthread_join(thread, nullptr);
}

void add_problem(facts::Facts& facts, std::string kind, std::string message, Id unit, SourceSpan span) {
  facts::Problem problem;
  problem.kind = std::move(kind);
  problem.message = std::move(message);
  problem.unit = unit;
  problem.span = std::move(span);
  facts.problems.push_back(std::move(problem));
}

class Extraction {
 public:
  Extraction(const std::vector<CandidateFile>& files, const ExtractOptions& options)
      : files_(files), options_(options) {}

  facts::Facts run() {
    std::vector<python::PythonFile> python_files;
    std::vector<VirtualFile> others;
    for (const CandidateFile& file : files_) {
      locator_.add(file.file, file.text);
      if (language_of(file) == "python")
        python_files.push_back({file.file, file.path, file.text});
      else
        others.push_back({file.path, file.file, file.text});
    }
    const bool starts_with_python = !files_.empty() && language_of(files_.front()) == "python";
    if (starts_with_python) {
      python::LowerResult lowered = python::lower_python(python_files, others, *options_.interpreter, locator_);
      facts_ = std::move(lowered.facts);
      for (const python::EmbeddedSource& source : lowered.sources) add_source(source);
    } else if (!files_.empty()) {
      add_bare();
    }
    lower_units(others);
    for (const VirtualFile& header : others)
      note_directives({header.text, OffsetMap::identity(header.file, static_cast<std::int64_t>(header.text.size()))});
    link_border(facts_, extension_of_unit_);
    if (!starts_with_python) choose_bare_entry();
    locate_everything();
    return std::move(facts_);
  }

 private:
  void add_source(const python::EmbeddedSource& source) {
    const facts::Unit* parent = source.unit == kNone ? nullptr : &facts_.units[static_cast<std::size_t>(source.unit)];
    const std::string base = parent == nullptr ? std::string() : parent->name;
    if (source.value.unknown || source.value.atoms.empty()) {
      add_problem(facts_, "unfoldable-source",
                  "The source given as '" + source.what + "' could not be folded: " +
                      (source.value.reason.empty() ? "its value is not known" : source.value.reason) + ".",
                  source.unit, source.span);
    }
    for (const python::AtomPtr& atom : source.value.atoms) {
      if (atom->kind == python::AtomKind::kConstant && atom->constant.is_null()) continue;  // None: no such source
      if (atom->kind != python::AtomKind::kText) {
        add_problem(facts_, "unfoldable-source",
                    "The source given as '" + source.what + "' is not a text that could be folded.", source.unit,
                    source.span);
        continue;
      }
      if (atom->partial) {
        add_problem(facts_, "unfoldable-source",
                    "A part of the source given as '" + source.what + "' could not be folded; the rest of it was read.",
                    source.unit, source.span);
      }
      SourceUnit unit;
      unit.language = source.language;
      unit.text = atom->text->bytes;
      unit.map = atom->text->map;
      unit.extension = source.extension;
      unit.bound_functions = source.bound_functions;
      unit.build_flags = source.build_flags;
      unit.bare_kernel_source = source.bare_kernel_source;
      unit.name = base + ":" + source.what;
      add_unit(std::move(unit), source.unit);
    }
  }

  void add_unit(SourceUnit unit, Id parent) {
    for (const SourceUnit& other : units_) {
      if (other.extension == unit.extension && other.text == unit.text && other.language == unit.language) return;
    }
    if (units_.size() >= kMaxUnits) {
      add_problem(facts_, "limit", "The candidate embeds more than " + std::to_string(kMaxUnits) + " sources.", parent,
                  {});
      return;
    }
    int same_name = 1;
    const std::string plain = unit.name;
    const auto taken = [&] {
      return std::any_of(units_.begin(), units_.end(),
                         [&](const SourceUnit& other) { return other.name == unit.name; });
    };
    while (taken()) unit.name = plain + "#" + std::to_string(++same_name);
    unit.facts_unit = static_cast<Id>(facts_.units.size());
    facts::Unit& entry = facts_.units.emplace_back();
    entry.name = unit.name;
    entry.language = unit.language;
    entry.parent = parent;
    entry.sha256 = sha256_hex(unit.text);
    entry.build_flags = unit.build_flags;
    units_.push_back(std::move(unit));
  }

  void add_bare() {
    const CandidateFile& file = files_.front();
    SourceUnit unit;
    unit.name = file.path;
    unit.language = language_of(file) == "cuda" ? facts::UnitLanguage::kCuda : facts::UnitLanguage::kCpp;
    unit.text = file.text;
    unit.map = OffsetMap::identity(file.file, static_cast<std::int64_t>(file.text.size()));
    unit.extension = "ext:candidate";
    add_unit(std::move(unit), kNone);
    for (std::size_t i = 1; i < files_.size(); ++i) {  // further translation units of the directory, not headers
      const CandidateFile& other = files_[i];
      if (!ends_with(other.path, ".cu") && !ends_with(other.path, ".cpp") && !ends_with(other.path, ".cc")) continue;
      SourceUnit more;
      more.name = other.path;
      more.language = language_of(other) == "cuda" ? facts::UnitLanguage::kCuda : facts::UnitLanguage::kCpp;
      more.text = other.text;
      more.map = OffsetMap::identity(other.file, static_cast<std::int64_t>(other.text.size()));
      more.extension = "ext:candidate";
      add_unit(std::move(more), kNone);
    }
  }

  void lower_unit(const SourceUnit& unit, [[maybe_unused]] const std::vector<VirtualFile>& neighbours) {
    note_directives({unit.text, unit.map});
#ifdef KA_HAVE_CUDA_EXTRACTOR
    cuda::Limits limits;
    limits.seconds = options_.unit_seconds;
    const Status done = cuda::lower_cuda(unit, neighbours, facts_, limits);
    if (!done)
      add_problem(facts_, "limit", "A unit could not be lowered: " + done.error().message, unit.facts_unit, {});
#else
    add_problem(facts_, "unparsed-unit", "This build reads no C++: unit '" + unit.name + "' was not parsed.",
                unit.facts_unit, unit.map.resolve(0, unit.map.size()));
#endif
  }

  void lower_units(const std::vector<VirtualFile>& neighbours) {
    for (const SourceUnit& unit : units_) lower_unit(unit, neighbours);
    const std::size_t given = units_.size();
    for (SourceUnit& program : nvrtc_sources(facts_, files_)) add_unit(std::move(program), kNone);
    for (std::size_t i = given; i < units_.size(); ++i) lower_unit(units_[i], neighbours);
#ifdef KA_HAVE_CUDA_EXTRACTOR
    if (!units_.empty()) cuda::link_units(facts_);
    note_build_faults(units_, facts_);
#endif
    extension_of_unit_.assign(facts_.units.size(), "");
    for (const SourceUnit& unit : units_)
      extension_of_unit_[static_cast<std::size_t>(unit.facts_unit)] = unit.extension;
    for (const SourceUnit& unit : units_) {
      for (const std::string& name : unit.bound_functions) {
        const bool known = std::any_of(
            facts_.bindings.begin(), facts_.bindings.end(),
            [&](const facts::Binding& binding) { return binding.extension == unit.extension && binding.name == name; });
        if (known) continue;
        facts::Binding binding;
        binding.extension = unit.extension;
        binding.name = binding.cpp_name = name;
        facts_.bindings.push_back(std::move(binding));
      }
    }
  }

  // Comments of a Python-like unit were found by Python; these are C, C++ and CUDA.
  void note_directives(const Text& unit) {
    const std::vector<ByteRange> comments = marked_cpp_comments(unit.bytes);
    for (facts::Directive& each : directives_of(unit, comments, "//", locator_)) {
      const bool known = std::any_of(facts_.directives.begin(), facts_.directives.end(),
                                     [&](const facts::Directive& other) { return other.span == each.span; });
      if (!known) facts_.directives.push_back(std::move(each));
    }
  }

  // A bare source's entry is its bound "forward", else a host function of that name.
  void choose_bare_entry() {
    for (const facts::Binding& binding : facts_.bindings) {
      if (binding.name == "forward" && binding.function != kNone) facts_.entry_function = binding.function;
    }
    for (std::size_t i = 0; i < facts_.functions.size() && facts_.entry_function == kNone; ++i) {
      const facts::Function& function = facts_.functions[i];
      if (function.name == "forward" && !function.blocks.empty() && !function.is_kernel && !function.is_device)
        facts_.entry_function = static_cast<Id>(i);
    }
    if (facts_.entry_function == kNone) {
      add_problem(facts_, "no-entry", "The source binds and defines no function 'forward'.",
                  units_.empty() ? kNone : units_.front().facts_unit, {});
    }
  }

  void locate_everything() {
    const auto locate = [this](SourceSpan& span) {
      if (span.begin >= 0 && span.line == 0) span = locator_.locate(std::move(span));
    };
    for (facts::Value& value : facts_.values) locate(value.span);
    for (facts::Storage& storage : facts_.storages) locate(storage.span);
    for (facts::Class& each : facts_.classes) locate(each.span);
    for (facts::Binding& binding : facts_.bindings) locate(binding.span);
    for (facts::Problem& problem : facts_.problems) locate(problem.span);
    for (facts::Function& function : facts_.functions) {
      locate(function.span);
      locate(function.name_span);
      for (facts::Block& block : function.blocks) {
        for (facts::Statement& statement : block.statements) locate(statement.span);
      }
    }
  }

  const std::vector<CandidateFile>& files_;
  const ExtractOptions& options_;
  Locator locator_;
  facts::Facts facts_;
  std::vector<SourceUnit> units_;
  std::vector<std::string> extension_of_unit_;
};

}  // namespace

facts::Facts extract_candidate(const std::vector<CandidateFile>& files, const ExtractOptions& options) {
  facts::Facts result;
  on_large_stack([&] {
    try {
      result = Extraction(files, options).run();
    } catch (const std::exception& error) {  // of the JSON and standard libraries: bad_alloc, a malformed answer
      result = facts::Facts{};
      add_problem(result, "limit", std::string("Extraction failed: ") + error.what() + ".", kNone, {});
    }
  });
  return result;
}

}  // namespace kernel_audit::analysis::split
