// The supervisor's side of analysis/extract_protocol.h: keeps a few kernel-audit-extract processes busy,
// each with limits on time and memory per candidate, replaces one that died, hung or grew too large, and
// hands every answer to the caller as Facts or as a typed fault. Never runs a candidate's code.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analysis/facts/facts.h"
#include "auditor/core/result.h"

namespace kernel_audit::analysis {

struct ExtractFile {
  std::string file;      // as the user named it
  std::string path;      // real path or a name of its own, for includes between neighbours
  std::string language;  // "python", "cuda", "cpp"
  std::string text;
};

struct ExtractRequest {
  std::string name;
  std::vector<ExtractFile> files;  // the entry first
};

struct ExtractOptions {
  std::string binary;  // kernel-audit-extract
  std::string python;  // interpreter whose ast is used; empty: python3 on PATH
  int processes = 1;
  std::chrono::milliseconds time_limit{30000};                // per candidate
  std::uint64_t memory_limit_bytes = std::uint64_t{4} << 30;  // resident, per process
  std::function<bool()> cancelled;                            // asked all the time: true ends the process and the wait
};

// Calls `done(index, answer)` on the calling thread as answers come in, in no particular order; stops early when it
// returns false. Fails only when no extractor can be started at all.
using ExtractDone = std::function<bool(std::size_t index, Result<facts::Facts> answer)>;
Status extract_candidates(const ExtractOptions& options, const std::vector<ExtractRequest>& requests,
                          const ExtractDone& done);

// One extractor process, used by one thread: each call blocks until its answer or fault is there.
class Extractor {
 public:
  explicit Extractor(const ExtractOptions& options);
  ~Extractor();
  Extractor(const Extractor&) = delete;
  Extractor& operator=(const Extractor&) = delete;

  Status start();  // fails when no extractor can be started at all
  Result<facts::Facts> extract(const ExtractRequest& request);

 private:
  class Slot;
  std::unique_ptr<Slot> slot_;
  std::function<bool()> cancelled_;
};

}  // namespace kernel_audit::analysis
