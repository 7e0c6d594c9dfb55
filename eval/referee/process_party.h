// Parties as real processes: PartyLink over a Channel and a ProcessTree, and the PartySource that asks the
// supervisor for them over the job channel (schema in eval/referee/job.h). No torch.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "auditor/process/channel.h"
#include "auditor/process/tree.h"
#include "eval/referee/party.h"

namespace kernel_audit::eval {

class SteadyClock : public Clock {
 public:
  double now_ns() override;
};

class ProcessParty : public PartyLink {
 public:
  ProcessParty(process::Channel channel, process::ProcessTree tree);
  Status send(std::string_view bytes) override { return channel_.send(bytes); }
  Status send_json(const Json& message, const std::vector<int>& descriptors) override {
    return channel_.send_json(message, descriptors);
  }
  Result<std::string> receive(std::chrono::milliseconds timeout) override;
  Result<Json> receive_json(std::chrono::milliseconds timeout) override;
  Status freeze() override { return tree_.freeze(); }
  Status thaw() override { return tree_.thaw(); }
  void kill() override { tree_.kill(); }
  const char* freeze_method() const override { return tree_.method(); }

 private:
  process::Channel channel_;
  process::ProcessTree tree_;
  bool spin_;  // busy-polling needs a core that the party does not
};

class SupervisorSource : public PartySource {
 public:
  // `candidate_name`: what the party in the candidate's place is called in messages ("candidate", "spin").
  SupervisorSource(process::Channel& supervisor, std::chrono::milliseconds start_timeout,
                   std::string candidate_name = "candidate");
  Result<Arrival> need(Party party) override;
  void ended(Party party) override;
  std::optional<Error> cause_of_death(Party party) override;
  void progress(int done, int of, const std::string& what) override;

 private:
  std::string name_of(Party party) const;
  // Keeps a "party-died" message and says whether it was one.
  bool keep_death(const Json& message);

  process::Channel& supervisor_;
  std::chrono::milliseconds start_timeout_;
  std::string candidate_name_;
  std::map<std::string, Error> deaths_;
};

}  // namespace kernel_audit::eval
