#include "eval/referee/session.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>

#include "eval/derive.h"
#include "eval/referee/checker.h"
#include "eval/referee/layout.h"
#include "eval/referee/plan.h"
#include "eval/referee/weights.h"

namespace kernel_audit::eval {
namespace {

constexpr int kSingles = 4;  // single calls of each side before the rounds, all probed
constexpr int kSoloWarmups = 1, kSoloWindows = 6;
constexpr std::uint64_t kProbeOneIn = 4, kRecheckOneIn = 4, kCheckBaselineOneIn = 4, kAddressAgainOneIn = 3;
constexpr std::uint64_t kRefusedEnough = 64;  // outputs
// A candidate that is much slower than the baseline is cut off here; what it got through counts as a loss only.
constexpr double kDeadlineBudgets = 4;
constexpr double kHostShare = 0.7;  // of a call's time up to a device-wide sync, spent before it returns
constexpr int kRoundsAnyway = 3;    // the fewest windows that a mean with an interval can be made of

class Session {
 public:
  Session(const SessionOptions& options, SessionSeams seams, EvalEvidence evidence)
      : options_(options), seams_(seams), evidence_(std::move(evidence)), checker_(seams.reference, evidence_) {
    for (const ArgumentSpec& input : seams.reference.inputs()) {
      if (input.tensor) tensor_bytes_.push_back(input.tensor->bytes);
    }
    for (const TensorSpec& output : seams.reference.outputs()) tensor_bytes_.push_back(output.bytes);
  }
  ~Session() {
    for (worker::Arena* arena : {&own_arena_, &candidate_arena_}) {
      if (arena->data != nullptr) seams_.device.release_arena(*arena);
    }
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Result<EvalEvidence> run() {
    // Each phase returns false when the evaluation cannot go on: a party's fault, or an error of ours.
    const struct {
      const char* name;
      bool (Session::*run)();
      bool timed;
    } phases[] = {{"start null worker and baseline", &Session::start_own_parties, false},
                  {"single calls of the baseline", &Session::measure_baseline_calls, true},
                  {"baseline alone", &Session::measure_baseline_alone, true},
                  {"start candidate", &Session::start_candidate, false},
                  {"single calls of the candidate", &Session::measure_candidate_calls, true},
                  {"rounds", &Session::measure_rounds, true},
                  {"graph replays", &Session::measure_graphs, true}};
    bool going = evidence_.not_comparable.empty();
    for (const auto& phase : phases) {
      if (!going) break;
      if (phase.timed) {
        take_device();
      } else {
        leave_device();
      }
      const double start = seams_.clock.now_ns();
      going = (this->*phase.run)();
      evidence_.phases.push_back({phase.name, seams_.clock.now_ns() - start});
    }
    leave_device();
    keep_faults();
    derive_times(evidence_);
    if (error_) return *error_;
    return std::move(evidence_);
  }

 private:
  // --- the device, which other processes of ours use as well ---

  // Once for all that is timed in a row.
  void take_device() {
    if (alone_) return;
    const double before_s = seams_.turns.waited_s();
    alone_.emplace(seams_.turns);
    evidence_.phases.push_back({"wait for the device", 1e9 * (seams_.turns.waited_s() - before_s)});
    if (alone_->missing()) evidence_.phases.push_back({process::kNotAlone + *alone_->missing(), 0});
  }

  void leave_device() {
    alone_.reset();
    seams_.turns.rest();
  }

  // --- parties ---

  bool start(std::unique_ptr<Peer>& peer, Party party, const Json& module) {
    seams_.parties.progress(done_, planned_, std::string("starting the ") + to_string(party));
    Result<Arrival> arrival = seams_.parties.need(party);
    if (!arrival) {
      evidence_.faults.push_back({party, "build", to_string(arrival.error().kind), arrival.error().message});
      return false;
    }
    peer = std::make_unique<Peer>(party, std::move(*arrival), seams_.parties, seams_.device, seams_.reference,
                                  seams_.clock, options_.timeouts);
    Json message = options_.common_setup;
    message.update(module);
    message["kind"] = "setup";
    message["role"] = to_string(party);
    message["weight_seed"] = options_.weight_seed;
    message["flags"]["seed_rng"] = evidence_.outputs_vary_for_equal_input;
    message["inputs"] = Json::array();
    message["outputs"] = Json::array();
    for (const ArgumentSpec& input : seams_.reference.inputs()) message["inputs"].push_back(to_message(input));
    for (const TensorSpec& output : seams_.reference.outputs()) message["outputs"].push_back(to_message(output));
    const std::optional<Json> loaded = peer->setup(message);
    return loaded && give_weights(*peer, *loaded);
  }

  bool give_weights(Peer& peer, const Json& loaded) {
    if (peer.party() == Party::kNull) return true;
    const StateComparison state = compare_state(seams_.reference.state(), loaded.value("state", Json::array()));
    if (peer.party() == Party::kCandidate) {
      evidence_.state_note = state.note;
      evidence_.weights_copied = !state.to_copy.empty();
    }
    if (state.to_copy.empty()) return true;
    auto weights = seams_.reference.weights(state.to_copy);
    if (!weights) return fail(weights.error());
    return peer.send_weights(weights->first, weights->second);
  }

  bool start_own_parties() {
    evidence_.rounds_planned = evidence_.rounds_done = 0;
    if (!start(null_, Party::kNull, Json::object()) || !start(baseline_, Party::kBaseline, options_.baseline_setup)) {
      return false;
    }
    const bool attached = renew_arena(own_arena_, 1) && null_->attach(own_arena_) && baseline_->attach(own_arena_);
    evidence_.freeze_method = null_->link().freeze_method();  // decided by the first freeze
    return attached;
  }

  bool start_candidate() {
    if (!start(candidate_, Party::kCandidate, options_.candidate_setup)) return false;
    evidence_.sandbox_missing = candidate_->sandbox_missing();
    return renew_arena(candidate_arena_, calls_) && candidate_->attach(candidate_arena_);
  }

  bool renew_arena(worker::Arena& arena, int calls) {
    if (arena.data != nullptr) seams_.device.release_arena(arena);
    arena = worker::Arena{};
    Result<worker::Arena> made = seams_.device.create_arena(arena_bytes(tensor_bytes_, calls));
    if (!made) return fail(made.error());
    arena = std::move(*made);
    evidence_.arena_kind = arena.handle_kind;
    return true;
  }

  // --- one window ---

  bool draw(int calls) {
    Draw draw;
    for (int i = 0; i < calls; ++i) draw.input_seeds.push_back(seams_.secrets.next("input"));
    draw.rng_seed = rng_seed_ = seams_.secrets.next("public generator");
    draw.poison_seed = seams_.secrets.next("poison");
    const double start = seams_.clock.now_ns();
    Status drawn = seams_.reference.draw(draw);
    draw_ns_ = (seams_.clock.now_ns() - start) / calls;
    return drawn ? true : fail(drawn.error());
  }

  WindowPlan plan(const Peer& peer, int round, CallMode mode, int calls) {
    WindowPlan plan;
    plan.round = round;
    plan.mode = mode;
    plan.calls = calls;
    plan.rng_seed = rng_seed_;
    const worker::Arena& arena = peer.party() == Party::kCandidate ? candidate_arena_ : own_arena_;
    // Mostly addresses of its own; at times those of an earlier window with other content, which a result that is
    // remembered by address does not survive.
    std::vector<std::uint64_t>& earlier = earlier_offsets_[{peer.party(), calls, arena.bytes}];
    if (earlier.empty() || !seams_.secrets.sample("address again", kAddressAgainOneIn)) {
      Random random(seams_.secrets.next("offsets"));
      earlier = draw_offsets(tensor_bytes_, calls, arena.bytes, random);
    }
    plan.offsets = earlier;
    plan.probe_before = plan.probe_after = seams_.secrets.sample("probe", kProbeOneIn);
    return plan;
  }

  // Runs a window of one party on the content drawn last, and checks its outputs.
  bool measure(Peer& peer, const WindowPlan& plan, bool check) {
    const std::optional<WindowResult> result = peer.run(plan);
    if (!result) return false;
    evidence_.windows.push_back(result->window);
    if (plan.mode == CallMode::kSingle) keep_claims(peer.party(), plan.round, *result);
    if (peer.party() == Party::kCandidate) {
      evidence_.aliased_outputs += result->done.header.aliased_outputs;
      evidence_.subclass_outputs += result->done.header.subclass_outputs;
    } else {
      evidence_.baseline_aliased_outputs += result->done.header.aliased_outputs;
    }
    last_wall_ns_ = result->window.wall_ns;
    if (!check || peer.party() == Party::kNull) return true;
    if (peer.party() == Party::kCandidate && plan.mode == CallMode::kSingle) seams_.reference.remember(0);
    const bool oracle = evidence_.oracle_checks == 0 || seams_.secrets.sample("oracle", 16);
    const int oracle_call =
        oracle ? static_cast<int>(seams_.secrets.next("oracle call") % static_cast<std::uint64_t>(plan.calls)) : -1;
    if (Status checked = checker_.check_window(result->window, oracle_call); !checked) return fail(checked.error());
    if (peer.party() != Party::kCandidate || plan.mode == CallMode::kGraph) return true;
    const bool first = rechecked_calls_.insert(plan.calls).second;  // of single calls, and of longer windows
    return first || seams_.secrets.sample("recheck", kRecheckOneIn) ? recheck(peer, plan, result->window) : true;
  }

  // At the places of the window's own outputs, which have been compared: what a candidate returned that lies in its
  // input, as it may, must not be overwritten by us.
  bool recheck(Peer& peer, const WindowPlan& plan, const ProvenWindow& window) {
    const std::size_t per_call = tensor_bytes_.size(), outputs = seams_.reference.outputs().size();
    std::vector<std::uint64_t> offsets;
    for (std::size_t i = 0; i < plan.offsets.size(); ++i) {
      if (i % per_call >= per_call - outputs) offsets.push_back(plan.offsets[i]);
    }
    // Not the last call: what a later call of the window overwrote is what is looked for.
    const auto choices = static_cast<std::uint64_t>(std::max(1, window.calls - 1));
    const int call = static_cast<int>(seams_.secrets.next("recheck call") % choices);
    if (!peer.recheck(call, window.calls, offsets)) return false;
    Status checked = checker_.check_again(window, call);
    return checked ? true : fail(checked.error());
  }

  // Times that no clock could have shown are dropped and counted.
  void keep_claims(Party party, int round, const WindowResult& result) {
    if (party == Party::kNull) return;
    auto& list = party == Party::kCandidate ? evidence_.claimed : evidence_.claimed_baseline;
    for (std::size_t call = 0; call < result.done.times.size(); ++call) {
      CallTimes times = result.done.times[call];
      for (double* value : {&times.event_ns, &times.sync_ns, &times.host_ns}) {
        const bool possible = *value == -1 || (*value >= 0 && *value <= result.window.wall_ns);
        if (possible) continue;
        if (party == Party::kCandidate) ++evidence_.impossible_claims;
        *value = -1;
      }
      list.push_back({round, static_cast<int>(call), times});
    }
  }

  // --- phases ---

  // Single calls of the baseline and the null worker: how long is a call?
  bool measure_baseline_calls() {
    const int total = kSingles + 2;
    for (int i = 0; i < total; ++i) {
      if (!draw(1)) return false;
      for (Peer* peer : {null_.get(), baseline_.get()}) {
        WindowPlan single = plan(*peer, next_round_, CallMode::kSingle, 1);
        single.solo = single.probe_before = single.probe_after = true;
        single.warmup = i < 2;
        if (!measure(*peer, single, true)) return false;
      }
      ++next_round_;
    }
    const auto alone = walls(evidence_, Party::kBaseline, CallMode::kSingle, 1, true);
    const auto empty = walls(evidence_, Party::kNull, CallMode::kSingle, 1, true);
    WindowLimits& limits = limits_;
    limits.null_spread_ns = robust_deviation(empty);
    if (std::string(seams_.device.kind()) == "cuda") limits.window_ns = kDeviceWindowNs;
    single_ns_ = std::max(0.0, median(alone) - median(empty));
    // Stalls of a busy machine make calls look long; the baseline's own clock is good enough to plan with, it is our
    // code on the reference, and there is no candidate yet.
    const auto own = claimed_median(evidence_.claimed_baseline, &CallTimes::sync_ns);
    if (own && (*own < single_ns_ || single_ns_ <= 0)) single_ns_ = *own;
    limits.message_calls = max_calls(static_cast<int>(tensor_bytes_.size()));
    for (const std::uint64_t bytes : tensor_bytes_) limits.call_bytes += bytes;
    limits.memory_bytes = options_.memory_budget_bytes;
    limits.draw_ns = draw_ns_;
    limits.budget_ns = options_.time_budget_ns;
    Random random(seams_.secrets.next("calls"));
    set_calls(choose_calls(single_ns_, limits, random));
    return true;
  }

  void set_calls(int calls) {
    calls_ = evidence_.calls_per_window = calls;
    evidence_.measured_mode = mode_ = calls == 1 ? CallMode::kSingle : CallMode::kWindow;
  }

  // Windows of the baseline alone: the figure a candidate cannot spoil, and the noise that decides on rounds.
  bool measure_baseline_alone() {
    for (int growths = 0;; ++growths) {
      if (!measure_baseline_windows()) return false;
      const auto more = more_calls(calls_, walls(evidence_, Party::kBaseline, mode_, calls_, true),
                                   walls(evidence_, Party::kNull, mode_, calls_, true), limits_);
      if (!more || growths == kMostGrowths) return true;
      set_calls(*more);
    }
  }

  bool measure_baseline_windows() {
    if (calls_ > 1 &&
        !(renew_arena(own_arena_, calls_) && null_->attach(own_arena_) && baseline_->attach(own_arena_))) {
      return false;
    }
    double rounds_ns = 0;
    for (int i = 0; i < kSoloWarmups + kSoloWindows; ++i) {
      const double start = seams_.clock.now_ns();
      if (!draw(calls_)) return false;
      for (Peer* peer : {null_.get(), baseline_.get()}) {
        WindowPlan window = plan(*peer, next_round_, mode_, calls_);
        window.solo = true;
        window.warmup = i < kSoloWarmups;
        if (!measure(*peer, window, true)) return false;
      }
      ++next_round_;
      if (i >= kSoloWarmups) rounds_ns += seams_.clock.now_ns() - start;
    }
    RoundCosts costs;
    costs.round_ns = rounds_ns / kSoloWindows;
    costs.window_ns = last_wall_ns_;
    costs.budget_ns = options_.time_budget_ns;
    evidence_.rounds_planned = choose_rounds(walls(evidence_, Party::kBaseline, mode_, calls_, true), costs);
    planned_ = evidence_.rounds_planned;
    return true;
  }

  // First calls of the candidate: claimed times, every output, every probe. They warm it up and prove no time.
  bool measure_candidate_calls() {
    started_ns_ = seams_.clock.now_ns();
    for (int i = 0; i < kSingles; ++i) {
      if (!draw(1)) return false;
      WindowPlan single = plan(*candidate_, next_round_++, CallMode::kSingle, 1);
      single.warmup = single.probe_before = single.probe_after = true;
      if (!measure(*candidate_, single, true)) return false;
    }
    return true;
  }

  bool measure_rounds() {
    const int warmups = calls_ > 1 ? 1 : 0;
    for (int i = 0; i < warmups + evidence_.rounds_planned; ++i) {
      const bool late = seams_.clock.now_ns() - started_ns_ > kDeadlineBudgets * options_.time_budget_ns;
      // Refused for good: more rounds would only cost time, and no speedup can come of them.
      const bool refused = evidence_.checks_total - evidence_.checks_accepted >= kRefusedEnough;
      // A few rounds in any case: how long its calls take belongs to what is said of a candidate, wrong ones too.
      if ((late || refused) && evidence_.rounds_done >= kRoundsAnyway) return true;
      const bool warmup = i < warmups;
      seams_.parties.progress(done_, planned_, "measuring");
      if (!measure_round(mode_, warmup)) return false;
      if (!warmup) done_ = ++evidence_.rounds_done;
    }
    return true;
  }

  // All three parties on the same content, in random order, each with the others frozen.
  bool measure_round(CallMode mode, bool warmup) {
    if (!draw(calls_)) return false;
    std::vector<Peer*> order = {null_.get(), baseline_.get(), candidate_.get()};
    Random random(seams_.secrets.next("order"));
    random.shuffle(order);
    for (Peer* peer : order) {
      WindowPlan window = plan(*peer, next_round_, mode, calls_);
      window.warmup = warmup;
      if (warmup) window.probe_before = window.probe_after = true;
      const bool check =
          peer->party() == Party::kCandidate || seams_.secrets.sample("baseline check", kCheckBaselineOneIn);
      if (!measure(*peer, window, check)) return false;
    }
    ++next_round_;
    return true;
  }

  // The windows are mostly launches: both sides are then proven as graph replays, at the same addresses (a captured
  // graph has them built in) with fresh content.
  bool measure_graphs() {
    if (evidence_.checks_accepted < evidence_.checks_total || !host_bound()) return true;
    Peer* const parties[] = {null_.get(), baseline_.get(), candidate_.get()};
    std::vector<WindowPlan> plans;
    for (Peer* peer : parties) plans.push_back(plan(*peer, next_round_, CallMode::kGraph, calls_));
    for (int i = 0; i < 1 + evidence_.rounds_planned; ++i) {
      if (seams_.clock.now_ns() - started_ns_ > 2 * kDeadlineBudgets * options_.time_budget_ns) {
        evidence_.graph_missing = "The time given was over before the graph replays were measured.";
        drop_graph_windows();
        return true;
      }
      if (!draw(calls_)) return false;
      std::vector<std::size_t> order = {0, 1, 2};
      Random random(seams_.secrets.next("order"));
      random.shuffle(order);
      for (const std::size_t index : order) {
        if (!measure_graph(*parties[index], plans[index], i == 0))
          return evidence_.graph_missing.empty() ? false : true;
      }
      ++next_round_;
    }
    return true;
  }

  bool measure_graph(Peer& peer, WindowPlan& plan, bool capture) {
    plan.round = next_round_;
    plan.warmup = capture;
    plan.rng_seed = rng_seed_;
    plan.probe_before = plan.probe_after = capture || seams_.secrets.sample("probe", kProbeOneIn);
    std::string refused;
    const std::optional<WindowResult> result = peer.run(plan, &refused);
    if (!result) {
      if (refused.empty()) return false;
      evidence_.graph_missing =
          std::string("The ") + to_string(peer.party()) + " could not be captured as a graph: " + refused;
      drop_graph_windows();
      return false;
    }
    evidence_.windows.push_back(result->window);
    if (peer.party() == Party::kNull) return true;
    Status checked = checker_.check_window(result->window, -1);
    return checked ? true : fail(checked.error());
  }

  // A call of either side that is hardly done later than it returns left the device waiting for its host. Events would
  // not tell: the time between two launches lies between them.
  bool host_bound() {
    if (std::string(seams_.device.kind()) != "cuda") return false;
    const struct {
      const std::vector<ClaimedCall>& claims;
      Party party;
    } sides[] = {{evidence_.claimed, Party::kCandidate}, {evidence_.claimed_baseline, Party::kBaseline}};
    const auto empty = walls(evidence_, Party::kNull, mode_, calls_, false);
    for (const auto& side : sides) {
      const auto host_ns = claimed_median(side.claims, &CallTimes::host_ns);
      const auto sync_ns = claimed_median(side.claims, &CallTimes::sync_ns);
      const auto proven = proven_time(walls(evidence_, side.party, mode_, calls_, false), empty, calls_);
      if (host_ns && sync_ns && proven && *host_ns > kHostShare * *sync_ns && proven->value < kWindowNs) return true;
    }
    return false;
  }

  void drop_graph_windows() {
    auto& windows = evidence_.windows;
    windows.erase(std::remove_if(windows.begin(), windows.end(),
                                 [](const ProvenWindow& window) { return window.mode == CallMode::kGraph; }),
                  windows.end());
  }

  // --- endings ---

  bool fail(const Error& error) {
    if (!error_) error_ = error;
    return false;
  }

  void keep_faults() {
    for (auto* peer : {&null_, &baseline_, &candidate_}) {
      if (!*peer) continue;
      if (const auto& fault = (*peer)->fault()) evidence_.faults.push_back(*fault);
      const Party party = (*peer)->party();
      peer->reset();
      seams_.parties.ended(party);
    }
  }

  const SessionOptions& options_;
  SessionSeams seams_;
  EvalEvidence evidence_;
  Checker checker_;
  std::unique_ptr<Peer> null_, baseline_, candidate_;
  std::vector<std::uint64_t> tensor_bytes_;  // of one call: tensor inputs, then outputs
  worker::Arena own_arena_;                  // null worker and baseline: both run our code on the reference alone
  worker::Arena candidate_arena_;
  std::map<std::tuple<Party, int, std::uint64_t>, std::vector<std::uint64_t>> earlier_offsets_;
  std::set<int> rechecked_calls_;
  std::optional<process::DeviceTurns::Alone> alone_;
  std::optional<Error> error_;
  std::uint64_t rng_seed_ = 0;
  double draw_ns_ = 0, single_ns_ = 0, last_wall_ns_ = 0, started_ns_ = 0;
  int calls_ = 1, next_round_ = 0, done_ = 0, planned_ = 0;
  CallMode mode_ = CallMode::kSingle;
  WindowLimits limits_;
};

}  // namespace

Json to_message(const TensorSpec& spec) {
  return Json{{"dtype", spec.dtype}, {"shape", spec.shape}, {"strides", spec.strides}, {"bytes", spec.bytes}};
}

Json to_message(const ArgumentSpec& argument) {
  if (argument.tensor) return Json{{"tensor", to_message(*argument.tensor)}};
  return Json{{"plain", argument.plain}, {"python_type", argument.python_type}};
}

Result<EvalEvidence> run_session(const SessionOptions& options, SessionSeams seams, EvalEvidence evidence) {
  Session session(options, seams, std::move(evidence));
  return session.run();
}

}  // namespace kernel_audit::eval
