// Runs functions of C++ that put a text together out of numbers and texts that are known, so that names which are kept
// encoded are known as well. It gives up at whatever it does not know; it never guesses.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/facts/facts.h"

namespace kernel_audit::analysis::facts {

class TextMachine {
 public:
  explicit TextMachine(const Facts& facts) : facts_(facts) {}
  // What a function returns for these arguments: numbers, texts and arrays of numbers.
  std::optional<Json> run(Id function, const std::vector<Json>& arguments, int depth = 0);

 private:
  struct Run {
    std::map<Id, Json> variables;                          // by storage
    std::map<Id, Json> values;                             // by value
    std::map<Id, Id> read_from;                            // value → the variable that it was read from
    std::map<Id, std::pair<Json, std::size_t>> iterators;  // by value
    using Part = std::pair<Id, std::size_t>;               // of what a variable holds
    std::map<Id, Part> parts;                              // value → what it was read from
    std::map<Id, Part> references;                         // variable → the same, in a loop by reference
    std::optional<bool> more;                              // whether the loop at hand has another element
    int depth = 0;
  };
  std::optional<Json> value(const Run& run, Id id) const;
  std::optional<Json> load(Run& run, const Statement& s);
  bool store(Run& run, const Statement& s);
  static bool set_part(Run& run, Id variable, std::size_t at, const Json& stored);
  std::optional<Json> call(Run& run, const Statement& s);
  std::optional<Json> method(Run& run, const Statement& s, const std::vector<Json>& args);
  std::optional<Json> constant_of(Id storage);

  const Facts& facts_;
  int steps_ = 0;
};

}  // namespace kernel_audit::analysis::facts
