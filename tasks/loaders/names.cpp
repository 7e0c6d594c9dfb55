#include "tasks/loaders/names.h"

#include <charconv>

#include "tasks/loaders/text_file.h"

namespace kernel_audit::tasks {
namespace {

// Takes `prefix` and the number after it from the front of `text`.
std::optional<int> take_number(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  std::size_t end = prefix.size();
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  const auto number = parse_number(text.substr(prefix.size(), end - prefix.size()));
  if (number) text.remove_prefix(end);
  return number;
}

}  // namespace

std::optional<int> parse_number(std::string_view text) {
  if (text.empty() || text.size() > 7) return std::nullopt;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0 || text[0] == '-') return std::nullopt;
  return value;
}

std::optional<int> leading_id(std::string_view name) {
  const std::size_t underscore = name.find('_');
  if (underscore == std::string_view::npos) return std::nullopt;
  return parse_number(name.substr(0, underscore));
}

std::optional<int> level_of_directory(std::string_view name) {
  if (!name.starts_with("level") && !name.starts_with("Level")) return std::nullopt;
  name.remove_prefix(5);
  if (name.starts_with('_')) name.remove_prefix(1);
  return parse_number(name);
}

std::optional<RunName> parse_run_name(std::string_view file_name) {
  const auto language = language_of(file_name);
  if (!language || is_header(file_name)) return std::nullopt;
  const std::string whole = stem(file_name);
  std::string_view rest = whole;
  const auto level = take_number(rest, "level_");
  const auto problem = level ? take_number(rest, "_problem_") : std::nullopt;
  const auto sample = problem ? take_number(rest, "_sample_") : std::nullopt;
  if (!sample || rest != "_kernel") return std::nullopt;
  return RunName{*level, *problem, *sample, whole.substr(0, whole.size() - rest.size())};
}

}  // namespace kernel_audit::tasks
