#include "tests/support/golden.h"

#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>

namespace kernel_audit::testing_support {
namespace {

std::string pattern_of(const std::string& line) {
  static const std::pair<const char*, const char*> holes[] = {
      {"%float", "[-+]?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?"}, {"%int", "[0-9]+"}, {"%any", ".*"}};
  std::string pattern;
  for (std::size_t at = 0; at < line.size();) {
    bool hole = false;
    for (const auto& [name, expression] : holes) {
      if (line.compare(at, std::string(name).size(), name) == 0) {
        pattern += expression;
        at += std::string(name).size();
        hole = true;
        break;
      }
    }
    if (hole) continue;
    if (std::string("\\^$.|?*+()[]{}").find(line[at]) != std::string::npos) pattern += '\\';
    pattern += line[at++];
  }
  return pattern;
}

}  // namespace

std::string golden_difference(const std::string& expected, const std::string& actual) {
  std::istringstream expected_lines(expected), actual_lines(actual);
  std::string want, got;
  for (int number = 1;; ++number) {
    const bool more_wanted = static_cast<bool>(std::getline(expected_lines, want));
    const bool more_got = static_cast<bool>(std::getline(actual_lines, got));
    if (!more_wanted && !more_got) return "";
    const std::string where = "line " + std::to_string(number) + ":\n";
    if (!more_wanted) return where + "  unexpected: " + got;
    if (!more_got) return where + "  missing: " + want;
    if (!std::regex_match(got, std::regex(pattern_of(want))))
      return where + "  expected: " + want + "\n  actual:   " + got;
  }
}

std::string golden_file_difference(const std::string& path, const std::string& actual) {
  if (std::getenv("KERNEL_AUDIT_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << actual;
    return path +
           " was rewritten; read the change, put the holes back, and run again without KERNEL_AUDIT_UPDATE_GOLDEN";
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return "there is no " + path;
  std::ostringstream text;
  text << file.rdbuf();
  const std::string difference = golden_difference(text.str(), actual);
  return difference.empty() ? "" : path + ", " + difference;
}

}  // namespace kernel_audit::testing_support
