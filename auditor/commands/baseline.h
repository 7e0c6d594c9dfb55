// Findings that were there before: `--write-baseline` notes them, `--baseline` leaves them out, so that only new ones
// count. A finding is known by rule, file and the words of its line, hence survives edits elsewhere; files are named
// relative to the baseline's folder.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "auditor/core/finding.h"
#include "auditor/core/result.h"

namespace kernel_audit::commands {

class Baseline {
 public:
  using Sources = std::map<std::string, std::string>;  // SourceSpan::file → text

  explicit Baseline(const std::string& path) : path_(path) {}
  static Result<Baseline> read(const std::string& path);

  void add(const Finding& finding, const Sources& sources);
  // Whether it holds `finding`; each entry covers as many findings as were noted.
  bool take(const Finding& finding, const Sources& sources);
  // How many of the findings noted for these files and the rules that `looked_for` holds of by their code are gone:
  // none like them was taken (a file may have been read for several candidates when they were noted, and for one now).
  // Of other files and rules it cannot be told.
  int gone(const std::vector<std::string>& files, const std::function<bool(const std::string& code)>& looked_for) const;
  Status write() const;

 private:
  std::string key_of(const Finding& finding, const Sources& sources) const;
  std::string file_of(const std::string& file) const;

  struct Entry {
    std::string code, file;
    int count = 0, left = 0;
  };
  std::string path_;
  std::map<std::string, Entry> entries_;  // by fingerprint
};

}  // namespace kernel_audit::commands
