#include "analysis/rules/catalogue.h"

#include <charconv>
#include <sstream>

#include "auditor/core/embedded_text.h"
#include "auditor/core/json.h"

namespace kernel_audit {
const std::vector<EmbeddedText>& analysis_catalogue_texts();
}

namespace kernel_audit::analysis::rules {
namespace {

std::string_view text_ending_with(std::string_view name) {
  for (const EmbeddedText& text : analysis_catalogue_texts()) {
    if (text.name.ends_with(name)) return text.text;
  }
  return {};
}

std::vector<CatalogueNumber> read_catalogue() {
  std::vector<CatalogueNumber> numbers;
  const Result<Json> json = parse_json(text_ending_with("catalogue.json"), "catalogue.json");
  if (!json) return numbers;
  for (const Json& row : (*json)["catalogue"]) {
    numbers.push_back({row["number"].get<int>(), row["cheat"].get<std::string>(),
                       row.value("without_rule", std::string()), row.value("written_in", std::vector<std::string>())});
  }
  return numbers;
}

// One line of the generated list: "slug/bad/name.py" or "slug/bad/name.py|13, 14, hidden by getattr".
ShownBy read_line(const std::string& line) {
  ShownBy fixture;
  const auto bar = line.find('|');
  const std::string path = line.substr(0, bar);
  fixture.slug = path.substr(0, path.find('/'));
  fixture.name = path.substr(path.rfind('/') + 1);
  fixture.bad = path.find("/bad/") != std::string::npos;
  fixture.language = fixture.name.ends_with(".py") ? "python" : "c++";
  if (bar == std::string::npos) return fixture;
  std::stringstream words(line.substr(bar + 1));
  for (std::string word; std::getline(words, word, ',');) {
    word.erase(0, word.find_first_not_of(' '));
    int number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error == std::errc() && end == word.data() + word.size()) {
      fixture.numbers.push_back(number);
    } else {
      static constexpr std::string_view kHidden = "hidden by ";
      fixture.hidden_by = word.starts_with(kHidden) ? word.substr(kHidden.size()) : word;
    }
  }
  return fixture;
}

std::vector<ShownBy> read_fixtures() {
  std::vector<ShownBy> fixtures;
  std::istringstream lines{std::string(text_ending_with("fixtures.txt"))};
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) fixtures.push_back(read_line(line));
  }
  return fixtures;
}

}  // namespace

const std::vector<CatalogueNumber>& catalogue() {
  static const std::vector<CatalogueNumber> numbers = read_catalogue();
  return numbers;
}

const std::vector<ShownBy>& shown_by() {
  static const std::vector<ShownBy> fixtures = read_fixtures();
  return fixtures;
}

}  // namespace kernel_audit::analysis::rules
