// JSON and JSONL records: CUDA-L1 releases, KernelBench's data set rows, and others by --field. As tasks the reference
// code of each record counts, as candidates its submitted code with every number that came with it.
#include <algorithm>
#include <set>

#include "tasks/loaders/builders.h"
#include "tasks/loaders/formats.h"
#include "tasks/loaders/record_stream.h"
#include "tasks/loaders/text_file.h"

namespace kernel_audit::tasks {
namespace {

bool recognises(const Place& place) {
  return !place.is_directory && (has_extension(place.path, ".jsonl") || has_extension(place.path, ".json") ||
                                 has_extension(place.path, ".ndjson"));
}

// The first thirty of `names`.
template <typename Names>
std::string listed(const Names& names, const char* between) {
  std::string text;
  int count = 0;
  for (const std::string& name : names) {
    if (++count > 30) return text + " …";
    text += (text.empty() ? "" : between) + name;
  }
  return text.empty() ? "none" : text;
}

// Reads the fields of one record, turning faults into problems that name file, record and field.
class Reader {
 public:
  Reader(const Place& place, LoadContext& context, const FieldNames& names, const Json& record, const RecordPlace& at)
      : place_(place), context_(context), names_(names), record_(record), at_(at) {}

  // Level, id and name; false when one of them is damaged.
  bool read_keys() {
    return read_whole(names_.level, at_.level, level) && read_whole(names_.id, at_.id, id) && read_name();
  }

  bool known() const { return id > 0 && level > 0; }
  std::string title() const { return known() ? task_key(level, id) : !name.empty() ? name : at_.label; }

  // Source text of the first of `fields`; nothing when it is missing (`why` says how) or damaged (`why` is empty).
  std::optional<SourceFile> read_code(const std::vector<std::string>& fields, std::string& why) {
    std::string field = fields.front();
    const Json* value = find_field(record_, fields, &field);
    why = missing_code(value);
    if (!why.empty()) {
      why = field + " is " + why;
      return std::nullopt;
    }
    if (!value->is_string()) {
      report(field, "is not text", "put the source code in it as a string");
      return std::nullopt;
    }
    const auto& text = value->get_ref<const std::string&>();
    if (text.size() > context_.limits.source_bytes) {
      report(field,
             "has " + std::to_string(text.size()) + " bytes, more than the limit of " +
                 std::to_string(context_.limits.source_bytes),
             "leave the record out");
      return std::nullopt;
    }
    if (const auto fault = text_fault(text)) {
      report(field, *fault, "correct the record");
      return std::nullopt;
    }
    SourceFile source;
    source.file = place_.path + ":" + at_.label + ":" + field;
    source.text = text;
    source.language = read_language();
    return source;
  }

  // Whether the record has none of `fields` and is no task alone either, so that its code may lie under another name;
  // that is reported.
  bool code_elsewhere(const std::vector<std::string>& fields) {
    if (find_field(record_, fields, nullptr) != nullptr) return false;
    if (find_field(record_, names_.ref, nullptr) != nullptr && !has_unknown_text()) return false;
    std::set<std::string> present;
    for (const auto& [field, value] : record_.items()) present.insert(field);
    // Blank and damaged lines are no records.
    const std::string line = at_.line == 0 || at_.line == at_.number ? "" : " on line " + std::to_string(at_.line);
    context_.problem(
        {ErrorKind::kUsage, "has no field " + listed(fields, " or ") + "; its fields are " + listed(present, ", "),
         place_.path, at_.label + line, "name the field by --field code=NAME, or rename it in this record"});
    return true;
  }

  void read_claims(Candidate& candidate) {
    std::string claim_field;
    const Json* claim = find_field(record_, names_.claim, &claim_field);
    for (const auto& [field, value] : record_.items()) {
      const bool named_score = field.starts_with("score") || field == claim_field;
      if (names_.is_key(field) || !(value.is_number() || (named_score && !value.is_boolean()))) continue;
      const auto number = number_of(value);
      if (!number) {
        report(field, number.error().message, number.error().remedy);
      } else if (number->has_value()) {
        candidate.claims[field] = **number;
      }
    }
    const auto it = candidate.claims.find(claim_field);
    if (claim != nullptr && it != candidate.claims.end()) candidate.claimed_speedup = it->second;
  }

  int read_sample() {
    int sample = 0;
    read_whole(names_.sample, std::nullopt, sample);
    return sample;
  }

  std::string name;
  int level = 0, id = 0;

 private:
  // Text of several lines in a field that is known for nothing.
  bool has_unknown_text() const {
    return std::any_of(record_.items().begin(), record_.items().end(), [&](const auto& field) {
      return !names_.knows(field.key()) && field.value().is_string() &&
             field.value().template get_ref<const std::string&>().find('\n') != std::string::npos;
    });
  }

  void report(const std::string& field, const std::string& message, const std::string& remedy) {
    context_.problem({ErrorKind::kUsage, message, place_.path, at_.label + ":" + field, remedy});
  }

  bool read_whole(const std::vector<std::string>& fields, std::optional<int> fallback, int& target) {
    std::string field;
    const auto number = whole_number_of(find_field(record_, fields, &field));
    if (!number) {
      report(field, number.error().message, number.error().remedy);
      return false;
    }
    target = number->value_or(fallback.value_or(0));
    return true;
  }

  bool read_name() {
    std::string field;
    const Json* value = find_field(record_, names_.name, &field);
    if (value == nullptr || value->is_null()) return true;
    if (!value->is_string()) {
      report(field, "is not text", "write the name as a string");
      return false;
    }
    name = value->get<std::string>();
    return true;
  }

  Language read_language() {
    const Json* value = find_field(record_, names_.language, nullptr);
    if (value == nullptr || !value->is_string()) return Language::kPython;
    const auto& text = value->get_ref<const std::string&>();
    if (text == "cu" || text == "cuh") return Language::kCuda;
    if (text == "cpp" || text == "c++" || text == "C++") return Language::kCpp;
    return Language::kPython;  // "cuda", "triton" and their like name the backend of a Python file
  }

  const Place& place_;
  LoadContext& context_;
  const FieldNames& names_;
  const Json& record_;
  const RecordPlace& at_;
};

// Reports that no record had any of `fields`, unless the file was only met on the way through a directory.
void report_no_code(const Place& place, LoadContext& context, const std::vector<std::string>& fields,
                    const std::set<std::string>& seen, const std::string& role) {
  if (!place.relative.empty()) return;
  context.problem({ErrorKind::kUsage,
                   "no record has a field " + listed(fields, " or ") + "; the fields are " + listed(seen, ", "),
                   place.path, "", "name the field by --field " + role + "=NAME"});
}

// The shared frame of both loads: `use` returns whether the record had the code field at all.
template <typename Use>
void read_records(const Place& place, LoadContext& context, bool tasks, const Use& use) {
  const auto names = field_names(context.options);
  if (!names) {
    context.problem(names.error());
    return;
  }
  const auto& fields = tasks ? names->ref : names->code;
  std::set<std::string> seen;
  bool any = false;
  std::vector<std::pair<Json, RecordPlace>> held;  // records before the first that has code
  const auto handle = [&](const Json& record, const RecordPlace& at) {
    Reader reader(place, context, *names, record, at);
    if (reader.read_keys()) use(reader, fields, record);
  };
  const bool read = each_record(place, context, *names, [&](const Json& record, const RecordPlace& at) {
    if (!any && find_field(record, fields, nullptr) == nullptr) {
      for (const auto& [field, value] : record.items()) {
        if (seen.size() < 30) seen.insert(field);
      }
      held.emplace_back(record, at);
      return;
    }
    any = true;
    for (const auto& [earlier, where] : held) handle(earlier, where);
    held.clear();
    handle(record, at);
  });
  if (read && !any) report_no_code(place, context, fields, seen, tasks ? "ref" : "code");
}

void load_record_tasks(const Place& place, LoadContext& context, std::vector<Task>& tasks) {
  read_records(place, context, true, [&](Reader& reader, const auto& fields, const Json& record) {
    std::string why;
    auto source = reader.read_code(fields, why);
    if (!source) {
      if (!why.empty()) {
        context.problem({ErrorKind::kUsage, "has no reference code: " + why, place.path, reader.title(),
                         "supply the reference, or leave the record out"});
      }
      return;
    }
    const std::string suite = record.contains("ref_code") ? "cuda_l1"
                              : record.contains("code")   ? "kernelbench"
                                                          : "records";
    const std::string name = !reader.name.empty() ? reader.name
                             : reader.known()
                                 ? "level_" + std::to_string(reader.level) + "_problem_" + std::to_string(reader.id)
                                 : reader.title();
    tasks.push_back(make_task(suite, reader.level, reader.id, name, std::move(*source)));
  });
}

void load_record_candidates(const Place& place, LoadContext& context, std::vector<Candidate>& candidates) {
  read_records(place, context, false, [&](Reader& reader, const auto& fields, const Json&) {
    if (reader.code_elsewhere(fields)) return;
    std::string why;
    auto source = reader.read_code(fields, why);
    if (!source && why.empty()) return;
    const std::string key = reader.known() ? task_key(reader.level, reader.id) : reader.name;
    candidates.push_back(source ? make_candidate(reader.title(), key, std::move(*source))
                                : make_empty_candidate(reader.title(), key, "no code: " + why));
    candidates.back().sample = reader.read_sample();
    reader.read_claims(candidates.back());
  });
}

}  // namespace

Loader records_loader() {
  return {"records",
          "a JSON or JSONL file of records: CUDA-L1, KernelBench rows, others by --field",
          20,
          recognises,
          load_record_tasks,
          load_record_candidates};
}

}  // namespace kernel_audit::tasks
