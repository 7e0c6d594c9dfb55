// One party in conversation with the referee: setting up, attaching an arena, weights, timed windows and
// rechecks. Every answer is checked against what was asked; the first thing that goes wrong becomes a Fault,
// and the peer is dead from then on (its tree killed when it could still run).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "auditor/worker/device.h"
#include "eval/evidence.h"
#include "eval/referee/party.h"
#include "eval/referee/reference.h"
#include "eval/wire.h"

namespace kernel_audit::eval {

struct Timeouts {
  std::chrono::milliseconds load{120'000};
  std::chrono::milliseconds call{60'000};
};

struct WindowPlan {
  int round = 0;
  CallMode mode = CallMode::kSingle;
  int calls = 1;
  bool warmup = false, solo = false;
  bool probe_before = false, probe_after = false;
  std::uint64_t rng_seed = 0;
  std::vector<std::uint64_t> offsets;  // call-major: inputs, then outputs
};

struct WindowResult {
  ProvenWindow window;
  DonePacket done;
};

class Peer {
 public:
  Peer(Party party, Arrival arrival, PartySource& source, worker::Device& device, Reference& reference, Clock& clock,
       Timeouts timeouts);
  ~Peer();  // kills the party's tree

  Party party() const { return party_; }
  const PartyLink& link() const { return *arrival_.link; }
  const std::vector<std::string>& sandbox_missing() const { return arrival_.sandbox_missing; }
  bool alive() const { return !fault_.has_value(); }
  const std::optional<Fault>& fault() const { return fault_; }

  // Sends Setup, returns the Loaded message, checked for its schema.
  std::optional<Json> setup(const Json& message);
  bool attach(const worker::Arena& arena);  // the party is frozen afterwards
  bool send_weights(const Json& message, const process::Fd& values);
  // Runs one window on the content that the reference has drawn. With `device_fault` a party's report that the
  // device refused (a graph that cannot be captured) is put there and is no Fault.
  std::optional<WindowResult> run(const WindowPlan& plan, std::string* device_fault = nullptr);
  // For measuring the probe itself: starts a window, freezes the party after some milliseconds, probes the device,
  // and lets the window end.
  std::optional<worker::GapProbe> probe_while_running(const WindowPlan& plan);
  // Copies the outputs of one call of the last window once more, into Reference::rechecked.
  bool recheck(int call, int calls, const std::vector<std::uint64_t>& offsets);

 private:
  struct Content;
  struct Hot;
  bool fail(const char* phase, const Error& error);
  bool fail_step(const char* step, bool by_party, const Error& error);
  std::string pack_run(const WindowPlan& plan);
  bool check_done(const WindowPlan& plan, const DonePacket& done, std::string* device_fault);
  std::optional<Json> ask(const char* phase, const Json& message, const std::vector<int>& descriptors,
                          const char* answer_kind, std::chrono::milliseconds timeout);
  std::size_t tensors_per_call() const { return tensor_inputs_.size() + reference_.outputs().size(); }

  Party party_;
  Arrival arrival_;
  PartySource& source_;
  worker::Device& device_;
  Reference& reference_;
  Clock& clock_;
  Timeouts timeouts_;
  std::vector<std::uint64_t> tensor_inputs_;  // bytes of each tensor input
  char* arena_ = nullptr;
  std::uint64_t arena_bytes_ = 0;
  std::uint32_t next_window_ = 0;
  std::optional<Fault> fault_;
};

}  // namespace kernel_audit::eval
