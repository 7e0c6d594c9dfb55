// Job "spin-table": proven time against spun time. No task and no torch: the content is one small tensor.
#include <algorithm>
#include <memory>

#include "eval/derive.h"
#include "eval/referee/job.h"
#include "eval/referee/layout.h"
#include "eval/referee/peer.h"
#include "eval/referee/process_party.h"
#include "eval/referee/secrets.h"

namespace kernel_audit::eval {
namespace {

constexpr std::uint64_t kTensorBytes = 4096;

// One input and one output of 4 KiB in an arena of its own that is never sent to anybody.
class BlankReference : public Reference {
 public:
  BlankReference(worker::Device& device, worker::Arena memory) : device_(device), memory_(std::move(memory)) {
    const TensorSpec spec{"float32", {1024}, {1}, kTensorBytes};
    ArgumentSpec input;
    input.tensor = spec;
    input.python_type = "Tensor";
    inputs_ = {input};
    outputs_ = {spec};
  }
  ~BlankReference() override { device_.release_arena(memory_); }
  const std::vector<ArgumentSpec>& inputs() const override { return inputs_; }
  const std::vector<TensorSpec>& outputs() const override { return outputs_; }
  const std::vector<StateDigest>& state() const override { return state_; }
  Result<std::pair<Json, process::Fd>> weights(const std::vector<std::string>&) override { return nothing(); }
  Status draw(const Draw&) override { return Ok{}; }
  void remember(int) override {}
  const void* input(int, int) const override { return at(0); }
  const void* poison(int) const override { return at(1); }
  void* received(int, int) override { return at(2); }
  void* rechecked(int) override { return at(3); }
  Result<CheckResult> compare(int, int, bool) override { return nothing(); }
  Result<RecheckResult> compare_recheck(int, int) override { return nothing(); }

  static constexpr std::uint64_t kBytes = 4 * kTensorBytes;

 private:
  static Error nothing() { return Error{ErrorKind::kTool, "A spin table has nothing to compare.", "", "", ""}; }
  char* at(std::uint64_t index) const { return static_cast<char*>(memory_.data) + index * kTensorBytes; }
  worker::Device& device_;
  worker::Arena memory_;
  std::vector<ArgumentSpec> inputs_;
  std::vector<TensorSpec> outputs_;
  std::vector<StateDigest> state_;
};

struct Order {
  std::vector<std::uint64_t> spin_ns;
  std::vector<int> calls;
  int windows = 20;
};

Result<Order> read_order(const Json& job) {
  const Error bad{ErrorKind::kProtocol, "A spin table needs spin_ns and calls of equal length, and at least 3 windows.",
                  "", "job", ""};
  try {
    Order order;
    order.spin_ns = job.at("spin_ns").get<std::vector<std::uint64_t>>();
    order.calls = job.at("calls").get<std::vector<int>>();
    order.windows = job.value("windows", 20);
    bool good = order.spin_ns.size() == order.calls.size() && order.windows >= 3 && order.windows <= 10000;
    for (const int calls : order.calls) good = good && calls >= 1 && calls <= max_calls(2);
    if (!good) return bad;
    return order;
  } catch (const Json::exception&) {
    return bad;
  }
}

Json distribution(const std::vector<double>& values) {
  return Json{{"mean_ns", mean(values)},
              {"p05_ns", quantile(values, 0.05)},
              {"p50_ns", quantile(values, 0.5)},
              {"p95_ns", quantile(values, 0.95)}};
}

class Table {
 public:
  Table(const Order& order, worker::Device& device, PartySource& source, Reference& reference, Secrets& secrets,
        process::DeviceTurns& turns)
      : order_(order), device_(device), source_(source), reference_(reference), secrets_(secrets), turns_(turns) {}
  ~Table() {
    null_.reset();
    spinner_.reset();
    if (arena_.data != nullptr) device_.release_arena(arena_);
  }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  Result<Json> run() {
    int most = 1;
    for (const int calls : order_.calls) most = std::max(most, calls);
    Result<worker::Arena> arena = device_.create_arena(arena_bytes({kTensorBytes, kTensorBytes}, most));
    if (!arena) return arena.error();
    arena_ = std::move(*arena);
    if (!start(null_, Party::kNull, "null") || !start(spinner_, Party::kCandidate, "spin")) return failure();
    const process::DeviceTurns::Alone alone(turns_);
    Json rows = Json::array();
    std::vector<double> single_null;
    for (std::size_t i = 0; i < order_.calls.size(); ++i) {
      Result<Json> row = measure_row(order_.spin_ns[i], order_.calls[i], single_null);
      if (!row) return row.error();
      rows.push_back(std::move(*row));
      source_.progress(static_cast<int>(i + 1), static_cast<int>(order_.calls.size()), "spin table");
    }
    Json table = {{"rows", std::move(rows)}, {"gap_probe", probe()}};
    table["null"] = single_null.empty() ? Json(nullptr) : distribution(single_null);
    if (alone.missing()) table["not_alone"] = process::kNotAlone + *alone.missing();
    table["freeze_method"] = null_->link().freeze_method();
    return table;
  }

 private:
  bool start(std::unique_ptr<Peer>& peer, Party party, const char* role) {
    Result<Arrival> arrival = source_.need(party);
    if (!arrival) {
      error_ = arrival.error();
      return false;
    }
    peer = std::make_unique<Peer>(party, std::move(*arrival), source_, device_, reference_, clock_, Timeouts{});
    const Json message = {{"kind", "setup"},
                          {"role", role},
                          {"device", device_.kind()},
                          {"weight_seed", 0},
                          {"mode", "eval"},
                          {"init_args", Json::array()},
                          {"flags", {{"threads", 1}, {"seed_rng", false}}},
                          {"inputs", Json::array({to_message(reference_.inputs()[0])})},
                          {"outputs", Json::array({to_message(reference_.outputs()[0])})}};
    return peer->setup(message) && peer->attach(arena_);
  }

  Error failure() const {
    for (const auto* peer : {&null_, &spinner_}) {
      if (*peer && (*peer)->fault()) return Error{ErrorKind::kTool, (*peer)->fault()->message, "", "", ""};
    }
    return error_.value_or(Error{ErrorKind::kTool, "The spin table could not be measured.", "", "", ""});
  }

  Result<double> window(Peer& peer, std::uint64_t spin_ns, int calls) {
    WindowPlan plan;
    plan.calls = calls;
    plan.mode = calls == 1 ? CallMode::kSingle : CallMode::kWindow;
    plan.rng_seed = spin_ns;
    Random random(secrets_.next("offsets"));
    plan.offsets = draw_offsets({kTensorBytes, kTensorBytes}, calls, arena_.bytes, random);
    const auto result = peer.run(plan);
    if (!result) return failure();
    return result->window.wall_ns;
  }

  Result<Json> measure_row(std::uint64_t spin_ns, int calls, std::vector<double>& single_null) {
    std::vector<double> null_ns, wall_ns, own_single_null;
    const bool overlaps = calls > 1 && std::string(device_.kind()) != "cpu";
    for (int i = -2; i < order_.windows; ++i) {  // two rounds to warm up
      const Result<double> empty = window(*null_, 0, calls);
      if (!empty) return empty.error();
      if (overlaps) {
        const Result<double> single = window(*null_, 0, 1);
        if (!single) return single.error();
        if (i >= 0) own_single_null.push_back(*single);
      }
      const Result<double> full = window(*spinner_, spin_ns, calls);
      if (!full) return full.error();
      if (i < 0) continue;
      null_ns.push_back(*empty);
      wall_ns.push_back(*full);
      if (calls == 1) single_null.push_back(*empty);
    }
    const auto proven = proven_call_time(wall_ns, null_ns, own_single_null, calls);
    if (!proven) return Error{ErrorKind::kTool, "Too few windows were measured.", "", "", ""};
    std::vector<double> per_window;
    for (const double wall : wall_ns) per_window.push_back((wall - mean(null_ns)) / calls);
    return Json{{"spin_ns", spin_ns},
                {"calls", calls},
                {"mode", to_string(calls == 1 ? CallMode::kSingle : CallMode::kWindow)},
                {"null_ns", mean(null_ns)},
                {"proven_ns", proven->value},
                {"proven_low_ns", proven->interval.low},
                {"proven_high_ns", proven->interval.high},
                {"p05_ns", quantile(per_window, 0.05)},
                {"p50_ns", (median(wall_ns) - median(null_ns)) / calls},
                {"p95_ns", quantile(per_window, 0.95)}};
  }

  static Json probe_json(const worker::GapProbe& probe) {
    return Json{{"longest_gap_ns", probe.longest_gap_ns}, {"window_ns", probe.window_ns}, {"idle", probe.idle}};
  }

  // The probe with every party frozen, and while a kernel of the spinning party, frozen as well, is resident.
  Json probe() {
    Json result = {{"idle", nullptr}, {"resident", nullptr}};
    if (const auto idle = device_.gap_probe()) result["idle"] = probe_json(*idle);
    if (std::string(device_.kind()) != "cuda") return result;  // a frozen process has nothing resident on a CPU
    WindowPlan plan;
    plan.rng_seed = 200'000'000;
    Random random(secrets_.next("offsets"));
    plan.offsets = draw_offsets({kTensorBytes, kTensorBytes}, 1, arena_.bytes, random);
    if (const auto resident = spinner_->probe_while_running(plan)) result["resident"] = probe_json(*resident);
    return result;
  }

  const Order& order_;
  worker::Device& device_;
  PartySource& source_;
  Reference& reference_;
  Secrets& secrets_;
  process::DeviceTurns& turns_;
  SteadyClock clock_;
  worker::Arena arena_;
  std::unique_ptr<Peer> null_, spinner_;
  std::optional<Error> error_;
};

Result<Json> measure_table(const Json& job, process::Channel& supervisor) {
  Result<Order> order = read_order(job);
  if (!order) return order.error();
  std::unique_ptr<worker::Device> device = worker::make_cpu_device();
  if (job.value("device", "cpu") == "cuda") {
    auto cuda = worker::make_cuda_device(job.value("device_index", 0));
    if (!cuda) return cuda.error();
    device = std::move(*cuda);
  }
  Result<Secrets> secrets = Secrets::from_kernel();
  if (!secrets) return secrets.error();
  Result<worker::Arena> memory = device->create_arena(BlankReference::kBytes);
  if (!memory) return memory.error();
  BlankReference reference(*device, std::move(*memory));
  SupervisorSource source(supervisor, std::chrono::minutes(5), "spin");
  process::DeviceTurns turns = turns_on(device->kind(), job.value("device_index", 0), supervisor);
  Table table(*order, *device, source, reference, *secrets, turns);
  return table.run();
}

}  // namespace

Status run_spin_table_job(const Json& job, process::Channel& supervisor) {
  Result<Json> table = measure_table(job, supervisor);
  if (!table) return send_last(supervisor, table.error());
  return send_last(supervisor, Json{{"kind", "result"}, {"table", std::move(*table)}});
}

}  // namespace kernel_audit::eval
