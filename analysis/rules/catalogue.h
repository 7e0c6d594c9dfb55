// The catalogue of cheats beside the fixtures that show its numbers, for the coverage table and the test that holds it.
// A fixture names its numbers in its first lines: `# shows: 13, 14, hidden by getattr` for one that must be found,
// `# near: 13` for honest code that looks like it (`//` in C++). All of it is compiled in; no file is read.
#pragma once

#include <string>
#include <vector>

namespace kernel_audit::analysis::rules {

struct CatalogueNumber {
  int number = 0;
  std::string cheat;
  std::string without_rule;             // why no rule over the source covers it; empty where one does
  std::vector<std::string> written_in;  // "python", "c++": where candidates can do it
};

struct ShownBy {
  std::string slug;      // of the rule in whose folder the fixture lies
  std::string name;      // "pointer_dict.py"
  std::string language;  // "python" or "c++", by the ending: an extension's source in a .py file is "python"
  bool bad = false;      // else a near miss
  std::vector<int> numbers;
  std::string hidden_by;  // "getattr", "macro", …; empty where the source hides nothing
};

const std::vector<CatalogueNumber>& catalogue();
const std::vector<ShownBy>& shown_by();  // every fixture, sorted by slug and name

}  // namespace kernel_audit::analysis::rules
