// A scripted referee drives real parties, each a forked process of its own, over real channels and arenas.
#include "eval/candidate/party.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "auditor/worker/device.h"
#include "auditor/worker/interpreter.h"
#include "eval/wire.h"

namespace kernel_audit::eval {
namespace {

using process::Channel;
using process::Fd;
using std::chrono::milliseconds;
using ::testing::Each;
using ::testing::HasSubstr;

constexpr milliseconds kLimit{60'000};
constexpr int kElements = 6;  // of every tensor here: 2 × 3 float32
constexpr std::uint64_t kStep = kArenaAlignment;

const char* const kModel = R"(
import torch
from torch import nn
class Model(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(3))
        self.scale = scale
    def forward(self, x, shift):
        assert not torch.is_grad_enabled()
        return x * self.weight * self.scale + shift
)";

std::string forward_only(const std::string& body) {
  return "import torch\nfrom torch import nn\nclass Model(nn.Module):\n  held = None\n  def forward(self, x):\n" + body;
}

Json tensor(std::vector<int> shape = {2, 3}, std::vector<int> strides = {3, 1}) {
  return {{"dtype", "float32"}, {"shape", shape}, {"strides", strides}, {"bytes", kElements * 4}};
}

class PartyTest : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = (std::filesystem::temp_directory_path() / ("kernel-audit-party-" + std::to_string(::getpid()) + ".py"))
                .string();
    auto ends = Channel::make_pair();
    ASSERT_TRUE(ends);
    pid_ = worker::fork_interpreter();
    if (pid_ == 0) {
      ends->first.close();
      const Status ended = run_party(ends->second);
      worker::leave_process(ended ? 0 : 3);
    }
    channel_ = std::move(ends->first);
    ends->second.close();
  }

  void TearDown() override {
    channel_.close();
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    std::filesystem::remove(path_);
  }

  Json ask(const Json& message, const std::vector<int>& fds = {}) {
    EXPECT_TRUE(channel_.send_json(message, fds));
    auto answer = channel_.receive_json(kLimit);
    EXPECT_TRUE(answer) << answer.error().describe();
    return answer ? std::move(answer->first) : Json::object();
  }

  Json setup_message(const std::string& role) const {
    return {{"kind", "setup"},  {"role", role},        {"device", "cpu"},
            {"module", path_},  {"class", "ModelNew"}, {"fallback_class", "Model"},
            {"weight_seed", 5}, {"mode", "train"},     {"flags", {{"threads", 1}, {"seed_rng", true}}}};
  }

  // A model of forward(x) alone.
  void start(const std::string& code, const std::string& role = "candidate") {
    std::ofstream(path_) << code;
    Json message = setup_message(role);
    message["init_args"] = Json::array();
    message["inputs"] = {{{"tensor", tensor()}}};
    message["outputs"] = {tensor()};
    const Json loaded = ask(message);
    ASSERT_TRUE(loaded.value("ok", false)) << loaded;
    attach();
  }

  void attach() {
    auto arena = device_->create_arena(64 * kStep);
    ASSERT_TRUE(arena);
    const Json attached =
        ask({{"kind", "attach"}, {"bytes", arena->bytes}, {"handle", "memfd"}}, {arena->handle.get()});
    ASSERT_TRUE(attached.value("ok", false)) << attached;
    arena_ = std::move(*arena);
  }

  float* at(std::uint64_t offset) { return reinterpret_cast<float*>(static_cast<char*>(arena_.data) + offset); }
  std::vector<float> values(std::uint64_t offset) { return {at(offset), at(offset) + kElements}; }
  void put(std::uint64_t offset, float first) {
    for (int i = 0; i < kElements; ++i) at(offset)[i] = first + static_cast<float>(i);
  }

  // Calls with input 2k and output 2k + 1, in steps of the arena.
  DonePacket run(int calls, CallMode mode = CallMode::kWindow, std::uint64_t rng_seed = 1) {
    RunPacket packet;
    packet.header.window = ++window_;
    packet.header.mode = mode;
    packet.header.calls = static_cast<std::uint32_t>(calls);
    packet.header.rng_seed = rng_seed;
    for (int i = 0; i < 2 * calls; ++i) packet.offsets.push_back(static_cast<std::uint64_t>(i) * kStep);
    EXPECT_TRUE(channel_.send(pack(packet)));
    return done();
  }

  DonePacket recheck(int calls, std::uint64_t first_step) {
    RecheckPacket packet;
    packet.header.window = window_;
    packet.header.calls = static_cast<std::uint32_t>(calls);
    for (int i = 0; i < calls; ++i) packet.offsets.push_back((first_step + static_cast<std::uint64_t>(i)) * kStep);
    EXPECT_TRUE(channel_.send(pack(packet)));
    return done();
  }

  DonePacket done() {
    auto message = channel_.receive(kLimit);
    EXPECT_TRUE(message) << message.error().describe();
    if (!message) return {};
    auto packet = read_done(message->bytes);
    EXPECT_TRUE(packet) << packet.error().describe();
    if (packet && packet->header.status != CallStatus::kOk) {
      auto text = channel_.receive_json(kLimit);
      EXPECT_TRUE(text);
      if (text) fault_ = std::move(text->first);
    }
    return packet ? std::move(*packet) : DonePacket{};
  }

  int exit_code() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::unique_ptr<worker::Device> device_ = worker::make_cpu_device();
  std::string path_;
  Channel channel_;
  pid_t pid_ = -1;
  worker::Arena arena_;
  std::uint32_t window_ = 0;
  Json fault_;
};

TEST_F(PartyTest, RunsTheReferencesClassWithItsArgumentsAndWeights) {
  std::ofstream(path_) << kModel;
  Json message = setup_message("baseline");
  message["init_args"] = {{{"plain", 2.0}, {"python_type", "float"}}};
  message["inputs"] = {{{"tensor", tensor()}}, {{"plain", 0.5}, {"python_type", "float"}}};
  message["outputs"] = {tensor()};
  const Json loaded = ask(message);
  ASSERT_TRUE(loaded.value("ok", false)) << loaded;
  ASSERT_EQ(loaded["state"].size(), 1U);
  EXPECT_EQ(loaded["state"][0]["name"], "weight");
  EXPECT_EQ(loaded["state"][0]["sha256"].get<std::string>().size(), 64U);
  attach();

  // Known weights, sent as the referee sends them.
  const float weight[3] = {1, 10, 100};
  const Fd memory(::memfd_create("weights", MFD_CLOEXEC));
  ASSERT_EQ(::write(memory.get(), weight, sizeof weight), static_cast<ssize_t>(sizeof weight));
  Json entry = {{"name", "weight"}, {"dtype", "float32"}, {"shape", {3}}, {"offset", 0}, {"bytes", 12}};
  EXPECT_TRUE(ask({{"kind", "weights"}, {"bytes", 12}, {"state", {entry}}}, {memory.get()}).value("ok", false));
  entry["name"] = "no such name";
  EXPECT_FALSE(ask({{"kind", "weights"}, {"bytes", 12}, {"state", {entry}}}, {memory.get()}).value("ok", true));
  entry["offset"] = 8;
  EXPECT_FALSE(ask({{"kind", "weights"}, {"bytes", 12}, {"state", {entry}}}, {memory.get()}).value("ok", true));

  put(0, 1);
  put(2 * kStep, 11);
  const DonePacket packet = run(2);
  EXPECT_EQ(packet.header.status, CallStatus::kOk);
  EXPECT_EQ(packet.header.window, window_);
  EXPECT_EQ(packet.header.aliased_outputs, 0U);
  EXPECT_EQ(values(kStep), (std::vector<float>{2.5, 40.5, 600.5, 8.5, 100.5, 1200.5}));
  EXPECT_EQ(values(3 * kStep)[0], 22.5F);
  recheck(2, 8);
  EXPECT_EQ(values(8 * kStep), values(kStep));
  EXPECT_EQ(values(9 * kStep), values(3 * kStep));
  ASSERT_TRUE(channel_.send_json({{"kind", "finish"}}));
  EXPECT_EQ(exit_code(), 0);
}

TEST_F(PartyTest, SingleCallsAreTimed) {
  start(forward_only("    import time; time.sleep(0.002); return x + 1"));
  put(0, 1);
  const DonePacket packet = run(2, CallMode::kSingle);
  ASSERT_EQ(packet.times.size(), 2U);
  for (const CallTimes& times : packet.times) {
    EXPECT_GE(times.host_ns, 2e6);
    EXPECT_GE(times.sync_ns, times.host_ns);
    EXPECT_LT(times.event_ns, 0) << "a CPU has no events, and says so";
  }
  EXPECT_EQ(values(kStep)[0], 2.0F);
  EXPECT_LT(run(1).times.at(0).host_ns, 0) << "within a window no call is timed alone";
}

TEST_F(PartyTest, FaultsAreNamedAndThePartyGoesOn) {
  start(
      forward_only("    k = int(x[0, 0])\n"
                   "    if k == 1: return x[:1]\n"
                   "    if k == 2: return x.double()\n"
                   "    if k == 3: return x, x\n"
                   "    if k == 4: return 1.0\n"
                   "    if k == 5: raise ValueError('no')\n"
                   "    return x * 2"));
  const std::pair<int, CallStatus> cases[] = {{1, CallStatus::kShape},
                                              {2, CallStatus::kDtype},
                                              {3, CallStatus::kCount},
                                              {4, CallStatus::kNotTensor},
                                              {5, CallStatus::kException}};
  for (const auto& [what, status] : cases) {
    put(0, 7);
    put(2 * kStep, static_cast<float>(what));
    EXPECT_EQ(run(2).header.status, status) << what;
    EXPECT_EQ(fault_["call"], 1);
    EXPECT_FALSE(fault_["message"].get<std::string>().empty());
  }
  put(2 * kStep, 8);
  EXPECT_EQ(run(2).header.status, CallStatus::kOk);
  EXPECT_EQ(values(3 * kStep)[0], 16.0F);
  EXPECT_EQ(run(1, CallMode::kGraph).header.status, CallStatus::kDevice) << "no graphs on a CPU";
}

TEST_F(PartyTest, SharedOutputsAreCountedAndSeenOnRecheck) {
  start(
      forward_only("    if Model.held is None: Model.held = torch.empty_like(x)\n"
                   "    Model.held.copy_(x); return Model.held"));
  put(0, 1);
  put(2 * kStep, 100);
  const DonePacket packet = run(2);
  EXPECT_EQ(packet.header.aliased_outputs, 1U);
  EXPECT_EQ(values(kStep)[0], 1.0F) << "it is right when it is returned";
  recheck(2, 8);
  EXPECT_EQ(values(8 * kStep)[0], 100.0F) << "and overwritten by the next call";
}

TEST_F(PartyTest, AReturnedInputAndASubclassAreCounted) {
  start(forward_only("    return x.as_subclass(type('Lazy', (torch.Tensor,), {}))"));
  put(0, 1);
  const DonePacket packet = run(2);
  EXPECT_EQ(packet.header.aliased_outputs, 2U);
  EXPECT_EQ(packet.header.subclass_outputs, 2U);
}

TEST_F(PartyTest, TensorObjectsAreNeverReused) {
  start(
      forward_only("    if Model.held is None: Model.held = []\n"
                   "    assert not any(x is h for h in Model.held)\n"
                   "    Model.held.append(x); return x + 1"));
  EXPECT_EQ(run(3).header.status, CallStatus::kOk) << fault_;
  EXPECT_EQ(run(3).header.status, CallStatus::kOk) << fault_;
}

TEST_F(PartyTest, EveryWindowStartsFromItsSeed) {
  start(forward_only("    return x * 0 + torch.rand(2, 3)"));
  run(1, CallMode::kWindow, 9);
  const auto first = values(kStep);
  run(1, CallMode::kWindow, 9);
  EXPECT_EQ(values(kStep), first);
  run(1, CallMode::kWindow, 10);
  EXPECT_NE(values(kStep), first);
}

TEST_F(PartyTest, AnInputKeepsItsLayout) {
  std::ofstream(path_) << forward_only("    assert x.stride() == (1, 2), x.stride(); return x + 0");
  Json message = setup_message("candidate");
  message["init_args"] = Json::array();
  message["inputs"] = {{{"tensor", tensor({2, 3}, {1, 2})}}};
  message["outputs"] = {tensor()};
  ASSERT_TRUE(ask(message).value("ok", false));
  attach();
  put(0, 0);
  EXPECT_EQ(run(1).header.status, CallStatus::kOk) << fault_;
  EXPECT_EQ(values(kStep), (std::vector<float>{0, 2, 4, 1, 3, 5}));
}

TEST_F(PartyTest, TheNullRoleCopiesAndSpinsForAsLongAsAsked) {
  start("", "null");
  put(kStep, 7);
  EXPECT_EQ(run(1, CallMode::kSingle, 20'000'000).header.status, CallStatus::kOk);
  EXPECT_THAT(values(kStep), Each(0.0F));
}

TEST_F(PartyTest, TheSpinRoleSpinsForAsLongAsAsked) {
  start("", "spin");
  const DonePacket packet = run(1, CallMode::kSingle, 3'000'000);
  EXPECT_GE(packet.times.at(0).sync_ns, 3e6);
  EXPECT_LT(packet.times.at(0).sync_ns, 300e6);
}

TEST_F(PartyTest, AModuleThatDoesNotLoadIsReported) {
  std::ofstream(path_) << "raise RuntimeError('at import')\n";
  Json message = setup_message("candidate");
  message["inputs"] = {{{"tensor", tensor()}}};
  message["outputs"] = {tensor()};
  const Json loaded = ask(message);
  EXPECT_FALSE(loaded.value("ok", true));
  EXPECT_THAT(loaded["error"].value("message", ""), HasSubstr("at import"));
}

TEST_F(PartyTest, AnotherArenaReplacesTheFirst) {
  start(forward_only("    return x + 1"));
  run(1);
  attach();
  put(0, 41);
  EXPECT_EQ(run(1).header.status, CallStatus::kOk);
  EXPECT_EQ(values(kStep)[0], 42.0F);
}

// Nothing outside of the arena is ever read or written, whoever asks.
TEST_F(PartyTest, OffsetsOutsideOfTheArenaEndTheParty) {
  start(forward_only("    return x + 1"));
  RunPacket packet;
  packet.header.calls = 1;
  packet.offsets = {0, arena_.bytes};
  ASSERT_TRUE(channel_.send(pack(packet)));
  auto answer = channel_.receive(kLimit);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, ErrorKind::kExit);
  EXPECT_EQ(exit_code(), 3);
}

}  // namespace
}  // namespace kernel_audit::eval
