// The timed protocol of one window, spelled in its order. It is the only place that thaws a party and reads
// the clock. Everything it touches is a seam, so a recording fake can check the order and every way to fail:
//   Device   gap_probe(), flush_cache(), synchronize()                     auditor/worker/device.h
//   Party    freeze(), thaw(), kill(), send(bytes), receive()              eval/referee/party.h
//   Content  write_inputs(), poison_outputs(), copy_out()                  arena ⇄ private memory
//   Clock    now_ns()
// A party is frozen outside of run(). When a step fails before the party was thawed, it stays frozen as a
// whole; when one fails later, its state is unknown and its tree is killed. It never stays half frozen.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "auditor/core/result.h"
#include "auditor/worker/device.h"

namespace kernel_audit::eval {

struct WindowOrder {
  std::string_view run;       // the packed RunPacket
  bool probe_before = false;  // first windows: work from loading could still be on the device
  bool probe_after = false;
};

struct WindowOutcome {
  double wall_ns = 0;  // t1 − t0
  std::string reply;   // what the party answered, unread
  std::optional<worker::GapProbe> before, after;
  bool still_busy = false;  // the device did not become idle again within kProbeTries probes
};

// A step that failed, with the party's part in it: by_party is false when a facility of ours failed.
struct WindowFailure {
  const char* step = "";
  bool by_party = false;
  Error error;
};

inline constexpr int kProbeTries = 100;  // about 0.3 s

template <typename DeviceT, typename PartyT, typename ContentT, typename ClockT>
class TimedWindow {
 public:
  TimedWindow(DeviceT& device, PartyT& party, ContentT& content, ClockT& clock)
      : device_(device), party_(party), content_(content), clock_(clock) {}

  TimedWindow(const TimedWindow&) = delete;
  TimedWindow& operator=(const TimedWindow&) = delete;
  ~TimedWindow() { disarm(); }

  // False when a step failed; failure() says which. The outcome is whole only when it is true.
  bool run(const WindowOrder& order, WindowOutcome& outcome) {
    // Nobody but us runs, and nothing of the party is on the device: only then may the next input be written.
    if (!step("freeze", kOurs, party_.freeze())) return give_up();
    if (order.probe_before && !probe("gap probe before", outcome.before, outcome.still_busy)) return give_up();
    if (outcome.still_busy) return true;
    if (!step("write inputs", kOurs, content_.write_inputs())) return give_up();
    if (!step("poison outputs", kOurs, content_.poison_outputs())) return give_up();
    // From our context, so that nothing the party left in the cache, or pinned there, survives.
    if (!step("flush", kOurs, device_.flush_cache())) return give_up();
    if (!step("synchronize", kOurs, device_.synchronize())) return give_up();

    armed_ = true;  // before the thaw that it undoes
    const double t0 = clock_.now_ns();
    if (!step("thaw", kOurs, party_.thaw())) return give_up();
    if (!step("send", kParty, party_.send(order.run))) return give_up();
    Result<std::string> reply = party_.receive();
    if (!step("receive", kParty, reply)) return give_up();
    // What the party does after this moment no longer counts: the private copy is what is compared.
    if (!step("copy out", kOurs, content_.copy_out())) return give_up();
    if (!step("synchronize copy", kOurs, device_.synchronize())) return give_up();
    const double t1 = clock_.now_ns();
    if (!step("freeze after", kOurs, party_.freeze())) return give_up();
    armed_ = false;

    outcome.wall_ns = t1 - t0;
    outcome.reply = std::move(*reply);
    return !order.probe_after || probe("gap probe after", outcome.after, outcome.still_busy) || give_up();
  }

  const WindowFailure& failure() const { return failure_; }

 private:
  static constexpr bool kOurs = false, kParty = true;

  template <typename R>
  bool step(const char* name, bool by_party, const R& result) {
    if (result.ok()) return true;
    failure_ = {name, by_party, result.error()};
    return false;
  }

  // Keeps the first probe's finding, then waits for the device to become idle.
  bool probe(const char* name, std::optional<worker::GapProbe>& first, bool& still_busy) {
    for (int i = 0; i < kProbeTries; ++i) {
      Result<worker::GapProbe> found = device_.gap_probe();
      if (!step(name, kOurs, found)) return false;
      if (!first) first = *found;
      still_busy = !found->idle;
      if (found->idle) break;
    }
    return true;
  }

  bool give_up() {
    disarm();
    return false;
  }

  void disarm() {
    if (!armed_) return;
    armed_ = false;
    party_.kill();
  }

  DeviceT& device_;
  PartyT& party_;
  ContentT& content_;
  ClockT& clock_;
  bool armed_ = false;
  WindowFailure failure_;
};

}  // namespace kernel_audit::eval
