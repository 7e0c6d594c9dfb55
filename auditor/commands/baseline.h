// Findings that were there before: `--write-baseline` notes them, `--baseline` leaves them out, so that only new ones
// count. A finding is known by rule, file and the words of its line, hence survives edits elsewhere; files are named
// relative to the baseline's folder.
#pragma once

#include <map>
#include <string>

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
  // Entries that covered nothing: what they noted is gone.
  int unused() const;
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
