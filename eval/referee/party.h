// The referee's view of a timed party: a link (channel plus process tree) to talk over, freeze and kill, and
// the source that has the supervisor start parties. Seams: tests put doubles behind them.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "auditor/core/json.h"
#include "auditor/core/result.h"
#include "eval/evidence.h"

namespace kernel_audit::eval {

class PartyLink {
 public:
  virtual ~PartyLink() = default;
  virtual Status send(std::string_view bytes) = 0;
  virtual Status send_json(const Json& message, const std::vector<int>& descriptors) = 0;
  // Busy-polls: the answer's arrival is timed.
  virtual Result<std::string> receive(std::chrono::milliseconds timeout) = 0;
  virtual Result<Json> receive_json(std::chrono::milliseconds timeout) = 0;
  virtual Status freeze() = 0;  // the whole tree; returns when it is frozen
  virtual Status thaw() = 0;
  virtual void kill() = 0;
  virtual const char* freeze_method() const = 0;
};

struct Arrival {
  std::unique_ptr<PartyLink> link;
  std::vector<std::string> sandbox_missing;
};

class PartySource {
 public:
  virtual ~PartySource() = default;
  virtual Result<Arrival> need(Party party) = 0;
  virtual void ended(Party party) = 0;
  // What the supervisor knows of a party's end, when it has ended.
  virtual std::optional<Error> cause_of_death(Party party) = 0;
  virtual void progress(int done, int of, const std::string& what) = 0;
};

class Clock {
 public:
  virtual ~Clock() = default;
  virtual double now_ns() = 0;  // monotonic
};

}  // namespace kernel_audit::eval
