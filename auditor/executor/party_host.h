// Runs a referee and starts the timed parties that it asks for (schema: eval/referee/job.h), each sandboxed, in a
// process of its own, with a private tmp. Parties are killed with their trees when the host goes.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "auditor/executor/plan.h"
#include "auditor/executor/session.h"
#include "auditor/executor/workspace.h"
#include "auditor/executor/zygote.h"

namespace kernel_audit::executor {

// What the parties load; empty for parties of ours (null worker, spin).
struct PartyFiles {
  std::string task;              // path of the reference
  std::string candidate;         // path of the candidate's entry file
  std::string candidate_folder;  // all of its own that it may read
  std::string build_folder;      // private folder of its build: build files name paths in it
  std::string build_snapshot;    // what the build left there; each process gets a copy of it at build_folder
};

class PartyHost {
 public:
  PartyHost(ZygotePair& zygotes, const Workspace& workspace, const MeasureOptions& options, PartyFiles files);
  ~PartyHost();  // also removes what the parties wrote
  PartyHost(const PartyHost&) = delete;
  PartyHost& operator=(const PartyHost&) = delete;

  // Sandbox of a process that may read `folder` and write `private_tmp`.
  sandbox::SandboxPolicy policy(const Json& hello, const std::string& folder, const std::string& private_tmp) const;

  // Forks a trusted worker for `job` and serves it until its last message; `progress` hears what it does.
  using ProgressFunction = std::function<void(const std::string&)>;
  Result<Json> serve(Json job, const ProgressFunction& progress);

 private:
  Status answer_need(process::Channel& referee, const std::string& party);
  Result<Worker> start_party(const std::string& party, process::Channel channel);

  ZygotePair& zygotes_;
  const Workspace& workspace_;
  const MeasureOptions& options_;
  PartyFiles files_;
  std::vector<std::string> sandbox_missing_;
  std::map<std::string, Worker> parties_;
  std::vector<std::string> private_folders_;
};

// An error with the last that the worker wrote to standard error.
Error with_standard_error(Error error, const Worker& worker);

}  // namespace kernel_audit::executor
