// Append-only JSONL of evidence, the only hand-over between stages. Each line carries the SHA-256 of
// the line before it, so an edited, deleted or reordered line is found; lines cut off the end as a whole are
// found only by who knows how many there were. Half a last line (a killed writer) is dropped on opening.
// Verdicts are derived when it is read. Every attempt is kept; `last` returns the newest record of a key.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "auditor/core/finding.h"
#include "auditor/core/json.h"
#include "auditor/core/result.h"

namespace kernel_audit::journal {

inline constexpr int kFormatVersion = 1;

struct Record {
  std::uint64_t sequence = 0;
  std::string time;                        // RFC 3339, UTC
  std::string kind;                        // "header", "plan", "evidence", "seeds", "note"
  Stage stage = Stage::kFilters;           // of "evidence" and "seeds"
  std::map<std::string, std::string> key;  // task, candidate, device, versions …: what makes it the same work
  std::string status;                      // "ok" or the kind of a typed fault ("timeout", "memory", "signal", …)
  Json evidence;                           // TaskEvidence, Facts, EvalEvidence, a plan, …
};

// Text of the key with its fields in sorted order: equal work has an equal identity.
std::string identity(Stage stage, const std::map<std::string, std::string>& key);

class Journal {
 public:
  // Opens for appending, creating it when absent; verifies the chain while reading. Takes an exclusive lock: a second
  // writer is a usage error, and so are a broken chain and another format.
  static Result<Journal> open(const std::string& path);
  Journal(Journal&&) noexcept;
  Journal& operator=(Journal&&) noexcept;
  ~Journal();

  // Fills sequence and time. Durable (fdatasync) when it returns.
  Status append(Record record);
  const std::vector<Record>& records() const;
  const Record* last(Stage stage, const std::map<std::string, std::string>& key) const;
  int attempts(Stage stage, const std::map<std::string, std::string>& key) const;
  std::uint64_t dropped_bytes() const;  // of a half-written last line

 private:
  struct State;
  explicit Journal(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

struct VerifyReport {
  bool intact = false;
  std::uint64_t records = 0;         // good ones from the start
  std::uint64_t first_bad_line = 0;  // 1-based, 0 when intact
  std::uint64_t dropped_bytes = 0;   // half a last line
  std::string problem;
  std::string digest;  // of the last good line: what a later change of the journal's end can be told by
};
Result<VerifyReport> verify(const std::string& path);
Result<std::vector<Record>> read(const std::string& path);  // for `report`: no lock, no writing

}  // namespace kernel_audit::journal
