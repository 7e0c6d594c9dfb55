#include "tasks/loaders/record_stream.h"

#include <algorithm>
#include <string_view>

#include "tasks/loaders/names.h"
#include "tasks/loaders/text_file.h"

namespace kernel_audit::tasks {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlank = " \t\r\n";

// The next line that is not blank, taken from the front of `rest`; empty at the end.
std::string_view take_line(std::string_view& rest, int& line_number) {
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    ++line_number;
    if (line.find_first_not_of(kBlank) != std::string_view::npos) return line;
  }
  return {};
}

class Splitter {
 public:
  Splitter(const Place& place, LoadContext& context, const FieldNames& names, const UseRecord& use)
      : place_(place), context_(context), names_(names), use_(use) {}

  void record(const Json& json, RecordPlace at) {
    at.number = ++count_;
    at.label = "record " + std::to_string(count_);
    if (!json.is_object()) {
      context_.problem({ErrorKind::kUsage, "is not a JSON object", place_.path, at.label,
                        "write one object per record, with its code in a field"});
      return;
    }
    use_(json, at);
  }

  // The content of a file that is one JSON value.
  void whole(const Json& json) {
    if (json.is_array()) {
      for (const Json& element : json) record(element, {});
    } else if (is_group(json)) {
      for (const auto& [key, group] : json.items()) this->group(parse_number(key), group);
    } else {
      record(json, {});
    }
  }

 private:
  // An object without any field of a record that holds nothing but records and lists of them.
  bool is_group(const Json& json) const {
    return json.is_object() && !json.empty() && !names_.any_in(json) &&
           std::all_of(json.begin(), json.end(), [](const Json& inner) { return inner.is_structured(); });
  }

  void group(std::optional<int> key, const Json& json) {
    RecordPlace at;
    if (json.is_array()) {
      at.level = key;
      for (const Json& element : json) record(element, at);
    } else if (is_group(json)) {
      at.level = key;
      for (const auto& [inner_key, element] : json.items()) {
        at.id = parse_number(inner_key);
        record(element, at);
      }
    } else {
      at.id = key;
      record(json, at);
    }
  }

  const Place& place_;
  LoadContext& context_;
  const FieldNames& names_;
  const UseRecord& use_;
  int count_ = 0;
};

void each_line(std::string_view text, const Place& place, LoadContext& context, Splitter& splitter) {
  int line_number = 0;
  while (true) {
    const std::string_view line = take_line(text, line_number);
    if (line.empty()) return;
    auto json = parse_user_json(line, place.path + ":line " + std::to_string(line_number));
    if (json) {
      RecordPlace at;
      at.line = line_number;
      splitter.record(*json, at);
    } else {
      context.problem(json.error());
    }
  }
}

bool any_line_is_object(std::string_view text) {
  int line_number = 0;
  for (int tried = 0; tried < 100; ++tried) {
    const std::string_view line = take_line(text, line_number);
    if (line.empty()) return false;
    const auto json = parse_user_json(line, "");
    if (json && json->is_object()) return true;
  }
  return false;
}

}  // namespace

bool each_record(const Place& place, LoadContext& context, const FieldNames& names, const UseRecord& use) {
  const auto bytes = read_file(place.path, context.limits.records_bytes);
  if (!bytes) {
    context.problem(bytes.error());
    return false;
  }
  std::string_view text = *bytes;
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::string_view rest = text;
  int line_number = 0;
  const std::string_view first = take_line(rest, line_number);
  if (first.empty()) {
    context.problem({ErrorKind::kUsage, "is empty", place.path, "", "name a file with JSON or JSONL records"});
    return false;
  }
  Splitter splitter(place, context, names, use);
  const auto first_value = parse_user_json(first, place.path);
  const bool more = rest.find_first_not_of(kBlank) != std::string_view::npos;
  if (first_value && !more) {
    splitter.whole(*first_value);
  } else if (first_value) {
    each_line(text, place, context, splitter);
  } else if (const auto whole = parse_user_json(text, place.path)) {
    splitter.whole(*whole);
  } else if (any_line_is_object(text)) {  // JSONL whose first line is damaged
    each_line(text, place, context, splitter);
  } else {
    Error error = whole.error();
    error.remedy = "give one JSON value, or one JSON object per line";
    context.problem(std::move(error));
    return false;
  }
  return true;
}

}  // namespace kernel_audit::tasks
