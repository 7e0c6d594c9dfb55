#include "eval/referee/peer.h"

#include <algorithm>
#include <cstring>
#include <thread>

#include "eval/timing/timed_window.h"

namespace kernel_audit::eval {
namespace {

constexpr std::size_t kMaxText = 2000;  // of a party's message in a fault

std::string text_at(const Json& json, const char* field, const std::string& fallback) {
  const auto found = json.find(field);
  if (found == json.end() || !found->is_string()) return fallback;
  return found->get<std::string>().substr(0, kMaxText);
}

// The error that a party reports of itself ("ok": false), with a kind of ours.
Error reported_error(const Json& answer) {
  const auto error = answer.find("error");
  Error result{ErrorKind::kExit, "It gave no reason.", "", "", ""};
  if (error == answer.end() || !error->is_object()) return result;
  result.message = text_at(*error, "message", result.message);
  const std::string kind = text_at(*error, "kind", "");
  for (const ErrorKind known : {ErrorKind::kTimeout, ErrorKind::kMemory}) {
    if (kind == to_string(known)) result.kind = known;
  }
  return result;
}

}  // namespace

// Arena ⇄ private memory for one window. The null worker reads no input, so nothing is written for it.
struct Peer::Content {
  Peer& peer;
  const WindowPlan& plan;

  template <typename Visit>
  Status each(bool outputs, Visit visit) {
    const std::size_t inputs = peer.tensor_inputs_.size(), per_call = peer.tensors_per_call();
    for (int call = 0; call < plan.calls; ++call) {
      const std::size_t first = outputs ? inputs : 0, last = outputs ? per_call : inputs;
      for (std::size_t i = first; i < last; ++i) {
        char* place = peer.arena_ + plan.offsets[static_cast<std::size_t>(call) * per_call + i];
        if (Status status = visit(call, static_cast<int>(i - first), place); !status) return status;
      }
    }
    return Ok{};
  }
  Status write_inputs() {
    if (peer.party_ == Party::kNull) return Ok{};
    return each(false, [this](int call, int input, char* place) {
      return peer.device_.copy(place, peer.reference_.input(call, input),
                               peer.tensor_inputs_[static_cast<std::size_t>(input)]);
    });
  }
  Status poison_outputs() {
    if (Status staged = stage_copies_out(); !staged || peer.party_ == Party::kNull) return staged;
    return each(true, [this](int, int output, char* place) {
      return peer.device_.copy(place, peer.reference_.poison(output), bytes(output));
    });
  }
  Status stage_copies_out() {
    std::vector<worker::CopyItem> items;
    static_cast<void>(each(true, [&](int call, int output, char* place) -> Status {
      items.push_back({peer.reference_.received(call, output), place, bytes(output)});
      return Ok{};
    }));
    return peer.device_.stage_copies(std::move(items));
  }
  Status copy_out() { return peer.device_.copy_staged(); }
  std::uint64_t bytes(int output) const { return peer.reference_.outputs()[static_cast<std::size_t>(output)].bytes; }
};

// The link as the timed window sees it.
struct Peer::Hot {
  PartyLink& link;
  std::chrono::milliseconds timeout;
  Status freeze() { return link.freeze(); }
  Status thaw() { return link.thaw(); }
  void kill() { link.kill(); }
  Status send(std::string_view bytes) { return link.send(bytes); }
  Result<std::string> receive() { return link.receive(timeout); }
};

Peer::Peer(Party party, Arrival arrival, PartySource& source, worker::Device& device, Reference& reference,
           Clock& clock, Timeouts timeouts)
    : party_(party),
      arrival_(std::move(arrival)),
      source_(source),
      device_(device),
      reference_(reference),
      clock_(clock),
      timeouts_(timeouts) {
  for (const ArgumentSpec& input : reference.inputs()) {
    if (input.tensor) tensor_inputs_.push_back(input.tensor->bytes);
  }
}

Peer::~Peer() { arrival_.link->kill(); }

bool Peer::fail(const char* phase, const Error& error) {
  if (fault_) return false;
  Error known = error;
  // A closed channel is what we see of a death; the supervisor knows its cause.
  if (error.kind == ErrorKind::kExit || error.kind == ErrorKind::kTool) {
    if (const auto cause = source_.cause_of_death(party_)) known = *cause;
  }
  fault_ = Fault{party_, phase, to_string(known.kind), known.message};
  arrival_.link->kill();
  return false;
}

bool Peer::fail_step(const char* step, bool by_party, const Error& error) {
  Error named = error;
  if (!by_party) {
    named.kind = ErrorKind::kTool;
    named.message = std::string("Step \"") + step + "\" of the timed protocol failed: " + error.message;
  }
  return fail("run", named);
}

std::optional<Json> Peer::ask(const char* phase, const Json& message, const std::vector<int>& descriptors,
                              const char* answer_kind, std::chrono::milliseconds timeout) {
  if (!alive()) return std::nullopt;
  if (Status sent = arrival_.link->send_json(message, descriptors); !sent) {
    fail(phase, sent.error());
    return std::nullopt;
  }
  Result<Json> answer = arrival_.link->receive_json(timeout);
  if (!answer) {
    fail(phase, answer.error());
    return std::nullopt;
  }
  const bool well_formed = answer->is_object() && text_at(*answer, "kind", "") == answer_kind &&
                           answer->contains("ok") && (*answer)["ok"].is_boolean();
  if (!well_formed) {
    fail(phase, Error{ErrorKind::kProtocol, std::string("An answer of kind \"") + answer_kind + "\" was expected.", "",
                      "", ""});
    return std::nullopt;
  }
  if (!(*answer)["ok"].get<bool>()) {
    fail(phase, reported_error(*answer));
    return std::nullopt;
  }
  return std::move(*answer);
}

std::optional<Json> Peer::setup(const Json& message) { return ask("load", message, {}, "loaded", timeouts_.load); }

bool Peer::attach(const worker::Arena& arena) {
  if (!alive()) return false;
  if (Status thawed = arrival_.link->thaw(); !thawed) return fail("load", thawed.error());
  const Json message = {{"kind", "attach"}, {"bytes", arena.bytes}, {"handle", arena.handle_kind}};
  if (!ask("load", message, {arena.handle.get()}, "attached", timeouts_.load)) return false;
  arena_ = static_cast<char*>(arena.data);
  arena_bytes_ = arena.bytes;
  if (Status frozen = arrival_.link->freeze(); !frozen) return fail("load", frozen.error());
  return true;
}

bool Peer::send_weights(const Json& message, const process::Fd& values) {
  return ask("load", message, {values.get()}, "weights-set", timeouts_.load).has_value();
}

bool Peer::check_done(const WindowPlan& plan, const DonePacket& done, std::string* device_fault) {
  const auto malformed = [this](const char* message) {
    return fail("run", Error{ErrorKind::kProtocol, message, "", "", ""});
  };
  if (done.header.window != next_window_)
    return malformed("A done packet names another window than the one asked for.");
  if (done.header.status != CallStatus::kOk) {
    Status thawed = arrival_.link->thaw();
    Result<Json> text = arrival_.link->receive_json(std::chrono::milliseconds(5000));
    if (!thawed || !text || !text->is_object() || text_at(*text, "kind", "") != "fault") {
      return malformed("A done packet with a fault was not followed by a fault message.");
    }
    const std::string message = text_at(*text, "message", "It gave no reason.");
    if (device_fault != nullptr && done.header.status == CallStatus::kDevice) {
      *device_fault = message;
      if (Status frozen = arrival_.link->freeze(); !frozen) return fail("run", frozen.error());
      return false;
    }
    fault_ = Fault{party_, "run", to_string(done.header.status), message};
    arrival_.link->kill();
    return false;
  }
  if (done.header.calls != static_cast<std::uint32_t>(plan.calls)) {
    return malformed("A done packet has another number of calls than was asked for.");
  }
  return true;
}

std::string Peer::pack_run(const WindowPlan& plan) {
  RunPacket packet;
  packet.header.window = ++next_window_;
  packet.header.mode = plan.mode;
  packet.header.calls = static_cast<std::uint32_t>(plan.calls);
  packet.header.rng_seed = plan.rng_seed;
  packet.offsets = plan.offsets;
  return pack(packet);
}

std::optional<worker::GapProbe> Peer::probe_while_running(const WindowPlan& plan) {
  if (!alive() || !arrival_.link->thaw() || !arrival_.link->send(pack_run(plan))) return std::nullopt;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const Status frozen = arrival_.link->freeze();
  const Result<worker::GapProbe> found = device_.gap_probe();
  const bool ended =
      frozen && arrival_.link->thaw() && arrival_.link->receive(timeouts_.call) && arrival_.link->freeze();
  if (!ended) arrival_.link->kill();
  if (!ended || !found) return std::nullopt;
  return *found;
}

std::optional<WindowResult> Peer::run(const WindowPlan& plan, std::string* device_fault) {
  if (!alive()) return std::nullopt;
  const std::string bytes = pack_run(plan);
  Content content{*this, plan};
  Hot hot{*arrival_.link, timeouts_.call};
  WindowOutcome outcome;
  TimedWindow window(device_, hot, content, clock_);
  if (!window.run({bytes, plan.probe_before, plan.probe_after}, outcome)) {
    fail_step(window.failure().step, window.failure().by_party, window.failure().error);
    return std::nullopt;
  }
  WindowResult result;
  if (outcome.still_busy) {
    fail("run", Error{ErrorKind::kTimeout, "The device stayed busy although the party was frozen.", "", "", ""});
    return std::nullopt;
  }
  Result<DonePacket> done = read_done(outcome.reply);
  if (!done) {
    fail("run", done.error());
    return std::nullopt;
  }
  if (!check_done(plan, *done, device_fault)) return std::nullopt;
  result.done = std::move(*done);
  result.window = ProvenWindow{party_,      plan.round, plan.calls,      plan.mode,
                               plan.warmup, plan.solo,  outcome.wall_ns, outcome.before || outcome.after,
                               true};
  for (const auto& probe : {outcome.before, outcome.after}) {
    if (probe && !probe->idle) result.window.device_idle = false;
  }
  return result;
}

bool Peer::recheck(int call, int calls, const std::vector<std::uint64_t>& offsets) {
  if (!alive()) return false;
  const std::size_t outputs = reference_.outputs().size();
  RecheckPacket packet;
  packet.header.window = next_window_;
  packet.header.calls = static_cast<std::uint32_t>(calls);
  packet.offsets = offsets;
  const auto place = [&](std::size_t output) {
    return arena_ + offsets[static_cast<std::size_t>(call) * outputs + output];
  };
  for (std::size_t i = 0; i < outputs; ++i) {
    const Status status = device_.copy(place(i), reference_.poison(static_cast<int>(i)), reference_.outputs()[i].bytes);
    if (!status) return fail_step("poison for recheck", false, status.error());
  }
  if (Status status = device_.synchronize(); !status) return fail_step("synchronize", false, status.error());
  if (Status status = arrival_.link->thaw(); !status) return fail_step("thaw", false, status.error());
  if (Status status = arrival_.link->send(pack(packet)); !status) return fail("recheck", status.error());
  Result<std::string> reply = arrival_.link->receive(timeouts_.call);
  if (!reply) return fail("recheck", reply.error());
  if (Status status = arrival_.link->freeze(); !status) return fail_step("freeze", false, status.error());
  Result<DonePacket> done = read_done(*reply);
  if (!done) return fail("recheck", done.error());
  if (done->header.window != next_window_ || done->header.status != CallStatus::kOk || done->header.calls != 0) {
    return fail("recheck",
                Error{ErrorKind::kProtocol, "The answer to a recheck is not that of its window.", "", "", ""});
  }
  for (std::size_t i = 0; i < outputs; ++i) {
    const Status status =
        device_.copy(reference_.rechecked(static_cast<int>(i)), place(i), reference_.outputs()[i].bytes);
    if (!status) return fail_step("copy out recheck", false, status.error());
  }
  if (Status status = device_.synchronize(); !status) return fail_step("synchronize", false, status.error());
  return true;
}

}  // namespace kernel_audit::eval
