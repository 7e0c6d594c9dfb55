#include "eval/candidate/party.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <chrono>
#include <memory>
#include <utility>

#include "auditor/worker/device.h"
#include "auditor/worker/interpreter.h"
#include "auditor/worker/tensor.h"
#include "eval/candidate/callee.h"
#include "eval/candidate/setup.h"
#include "eval/candidate/windows.h"
#include "eval/wire.h"

namespace kernel_audit::eval {
namespace {

using candidate::Callee;
using candidate::Setup;
using candidate::WindowAnswer;
using candidate::Windows;

// A blocking read can wake up to 100 µs late, so on a GPU the next message is polled for this long first.
constexpr std::chrono::milliseconds kPoll{50};

Json error_json(const Error& error) { return {{"kind", to_string(error.kind)}, {"message", error.describe()}}; }

Json answer_json(const char* kind, const Status& status) {
  Json json = {{"kind", kind}, {"ok", status.ok()}};
  if (!status) json["error"] = error_json(status.error());
  return json;
}

// Read-only view of a memfd's bytes.
class Mapping {
 public:
  static Result<Mapping> of(const process::Fd& fd, std::uint64_t bytes) {
    struct stat info{};
    if (::fstat(fd.get(), &info) != 0 || static_cast<std::uint64_t>(info.st_size) < bytes) {
      return Error{ErrorKind::kProtocol, "The values are shorter than was said.", "weights", "", ""};
    }
    void* data = bytes == 0 ? nullptr : ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd.get(), 0);
    if (data == MAP_FAILED) return Error{ErrorKind::kTool, "The values could not be mapped.", "weights", "", ""};
    return Mapping(data, bytes);
  }
  Mapping(Mapping&& other) noexcept : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}
  Mapping& operator=(Mapping&&) = delete;
  ~Mapping() {
    if (data_ != nullptr) ::munmap(data_, bytes_);
  }
  char* data() const { return static_cast<char*>(data_); }

 private:
  Mapping(void* data, std::uint64_t bytes) : data_(data), bytes_(bytes) {}
  void* data_;
  std::uint64_t bytes_;
};

class PartySession {
 public:
  explicit PartySession(process::Channel& referee) : referee_(referee) {}

  Status serve() {
    for (;;) {
      auto message = next();
      if (!message) return message.error();
      if (windows_ && packet_magic(message->bytes) == kRunMagic) {
        auto packet = read_run(message->bytes, windows_->tensors_per_call());
        if (!packet) return packet.error();
        if (const Status told = tell(windows_->run(*packet)); !told) return told;
      } else if (windows_ && packet_magic(message->bytes) == kRecheckMagic) {
        auto packet = read_recheck(message->bytes, windows_->outputs_per_call());
        if (!packet) return packet.error();
        if (const Status told = tell(windows_->recheck(*packet)); !told) return told;
      } else {
        const auto json = parse_json(message->bytes, "message of the referee");
        if (!json) return json.error();
        const std::string kind = json->is_object() ? json->value("kind", std::string()) : "";
        if (kind == "finish") return Ok{};
        if (const Status done = control(kind, *json, std::move(message->fds)); !done) return done;
      }
    }
  }

 private:
  Result<process::Message> next() {
    const worker::ReleaseGil released;
    if (device_ && std::string(device_->kind()) == "cuda") {
      auto message = referee_.receive(kPoll, /*spin=*/true);
      if (message || message.error().kind != ErrorKind::kTimeout) return message;
    }
    return referee_.receive(std::chrono::milliseconds(-1));
  }

  Status tell(const Result<WindowAnswer>& answer) {
    if (!answer) return answer.error();
    if (const Status sent = referee_.send(pack(answer->done)); !sent) return sent;
    if (answer->done.header.status == CallStatus::kOk) return Ok{};
    return referee_.send_json({{"kind", "fault"}, {"call", answer->fault_call}, {"message", answer->fault_message}});
  }

  Status control(const std::string& kind, const Json& message, std::vector<process::Fd> fds) {
    if (kind == "setup" && !callee_) return referee_.send_json(load(message));
    if (kind == "attach" && windows_)
      return referee_.send_json(answer_json("attached", attach(message, std::move(fds))));
    if (kind == "weights" && callee_) {
      return referee_.send_json(answer_json("weights-set", set_weights(message, fds)));
    }
    return Error{ErrorKind::kProtocol, "The referee's message '" + kind + "' comes out of order.", "", "", ""};
  }

  Json load(const Json& message) {
    const auto start = std::chrono::steady_clock::now();
    Json answer = answer_json("loaded", prepare(message));
    const auto took = std::chrono::steady_clock::now() - start;
    answer["init_ns"] = std::chrono::duration_cast<std::chrono::nanoseconds>(took).count();
    answer["state"] = callee_ ? state_json() : Json::array();
    return answer;
  }

  Status prepare(const Json& message) {
    auto setup = candidate::read_setup(message);
    if (!setup) return setup.error();
    setup_ = std::move(*setup);
    auto device = setup_.device == "cuda" ? worker::make_cuda_device(0)
                                          : Result<std::unique_ptr<worker::Device>>(worker::make_cpu_device());
    if (!device) return device.error();
    device_ = std::move(*device);
    auto callee = candidate::make_callee(setup_, *device_);
    if (!callee) return callee.error();
    auto windows = Windows::make(setup_, **callee, *device_);
    if (!windows) return windows.error();
    callee_ = std::move(*callee);
    windows_ = std::move(*windows);
    return Ok{};
  }

  Json state_json() {
    Json state = Json::array();
    for (const worker::StateEntry& entry : callee_->state()) {
      state.push_back({{"name", entry.name},
                       {"dtype", worker::dtype_name(entry.tensor.scalar_type())},
                       {"shape", entry.tensor.sizes().vec()},
                       {"sha256", worker::content_sha256(entry.tensor)}});
    }
    return state;
  }

  Status attach(const Json& message, std::vector<process::Fd> fds) {
    const auto bytes = message.find("bytes");
    if (fds.empty() || bytes == message.end() || !bytes->is_number_unsigned()) {
      return Error{ErrorKind::kProtocol, "An attach message has a size and a descriptor.", "attach", "", ""};
    }
    return windows_->attach(std::move(fds.front()), message.value("handle", std::string()),
                            bytes->get<std::uint64_t>());
  }

  Status set_weights(const Json& message, const std::vector<process::Fd>& fds) {
    const auto weights = candidate::read_weights(message);
    if (!weights) return weights.error();
    if (fds.empty()) return Error{ErrorKind::kProtocol, "The values are missing.", "weights", "", ""};
    const auto values = Mapping::of(fds.front(), weights->bytes);
    if (!values) return values.error();
    std::vector<worker::StateEntry> state = callee_->state();
    for (const candidate::WeightEntry& entry : weights->entries) {
      if (const Status set = set_weight(entry, values->data() + entry.offset, state); !set) return set;
    }
    return Ok{};
  }

  static Status set_weight(const candidate::WeightEntry& entry, char* value, std::vector<worker::StateEntry>& state) {
    const auto bad = [&](const std::string& why) {
      return Error{ErrorKind::kProtocol, why, "weights", entry.name, ""};
    };
    const auto type = worker::dtype_of(entry.dtype);
    if (!type) return bad("There is no such dtype.");
    for (worker::StateEntry& own : state) {
      if (own.name != entry.name) continue;
      if (own.tensor.sizes() != at::IntArrayRef(entry.shape)) return bad("The model's tensor has another shape.");
      if (own.tensor.numel() * static_cast<std::int64_t>(c10::elementSize(*type)) !=
          static_cast<std::int64_t>(entry.bytes)) {
        return bad("The bytes do not fit the shape.");
      }
      try {
        const at::Tensor given =
            worker::tensor_over(value, entry.shape, worker::contiguous_strides(entry.shape), *type, "cpu");
        own.tensor.copy_(given);  // through torch, so that the model's `_version` rises
        return Ok{};
      } catch (const std::exception& e) {
        return Error{ErrorKind::kExit, e.what(), "weights", entry.name, ""};
      }
    }
    return bad("The model has no tensor of this name.");
  }

  process::Channel& referee_;
  Setup setup_;
  std::unique_ptr<worker::Device> device_;
  std::unique_ptr<Callee> callee_;
  std::unique_ptr<Windows> windows_;
};

}  // namespace

Status run_party(process::Channel& referee) { return PartySession(referee).serve(); }

}  // namespace kernel_audit::eval
