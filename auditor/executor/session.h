// One measuring command from start to end: its output folder and journal, its workspace and zygotes, its
// progress line. A session opened on the folder of an earlier run resumes it: items with a record of the
// same key are not measured again. Nothing recorded is ever lost: --fresh moves the old journal aside.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "auditor/core/environment.h"
#include "auditor/core/result.h"
#include "auditor/executor/plan.h"
#include "auditor/executor/workspace.h"
#include "auditor/executor/zygote.h"
#include "auditor/journal/journal.h"
#include "auditor/terminal/progress.h"

namespace kernel_audit::executor {

struct SessionOptions {
  std::string out;  // empty: nothing is kept, the journal lives in the workspace
  bool fresh = false;
  bool retry = false;
  bool quiet = false;
};

// What one stage measured for one item.
struct StageRecord {
  std::string status = "ok";  // or the kind of a typed fault
  Json evidence;
  Json seeds;  // written after the evidence, null when there are none
};
// A stage that could not measure: the typed fault as a record.
StageRecord fault_record(const Error& error);

class Session {
 public:
  static Result<std::unique_ptr<Session>> open(const SessionOptions& options);

  // "auto" becomes "cuda" when the worker can use a GPU here, else "cpu"; fills the environment. Starts a zygote.
  Result<std::string> resolve_device(const std::string& wanted);
  Status begin(const Plan& plan);
  // Is there a record for `key` already (and not to be attempted again)?
  bool done(Stage stage, const Key& key) const;
  Status record(Stage stage, const Key& key, StageRecord record);
  Status note(Json evidence);

  Environment environment;
  ZygotePair zygotes;
  Workspace& workspace() { return *workspace_; }
  terminal::Progress& progress() { return *progress_; }
  const journal::Journal& journal() const { return *journal_; }
  const std::string& out() const { return options_.out; }

 private:
  explicit Session(SessionOptions options) : options_(std::move(options)) {}
  SessionOptions options_;
  std::optional<journal::Journal> journal_;
  std::optional<Workspace> workspace_;
  std::unique_ptr<terminal::Progress> progress_;
};

}  // namespace kernel_audit::executor
