// Drives the built kernel-audit-worker as the supervisor does. One zygote serves all cases.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>

#include "auditor/process/channel.h"
#include "auditor/process/child.h"
#include "auditor/worker/jobs.h"

namespace kernel_audit::worker {
namespace {

using process::Channel;
using process::Child;
using process::Fd;
using std::chrono::milliseconds;
using ::testing::HasSubstr;

constexpr milliseconds kStartLimit{120'000};
constexpr milliseconds kAnswerLimit{60'000};

struct ForkedJob {
  int id = 0;
  int pid = -1;
  Channel channel;
  Fd standard_error;

  Json answer() {
    auto message = channel.receive_json(kAnswerLimit);
    EXPECT_TRUE(message) << message.error().describe();
    return message ? std::move(message->first) : Json::object();
  }
};

class ZygoteTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto ends = Channel::make_pair();
    ASSERT_TRUE(ends);
    process::SpawnOptions options;
    options.argv = {std::string(KA_BINARY_DIR) + "/bin/kernel-audit-worker", "zygote", "trusted", "--channel",
                    std::to_string(kZygoteChannelFd)};
    options.descriptors = {{ends->second.fd(), kZygoteChannelFd}};
    auto child = Child::spawn(options);
    ASSERT_TRUE(child) << child.error().describe();
    child_ = new Child(std::move(*child));
    control_ = new Channel(std::move(ends->first));
    ends->second.close();
    auto ready = control_->receive_json(kStartLimit);
    ASSERT_TRUE(ready) << ready.error().describe();
    ready_ = new Json(std::move(ready->first));
  }

  static void TearDownTestSuite() {
    delete control_;
    control_ = nullptr;
    if (child_ != nullptr) {
      const auto exit = child_->wait(milliseconds(10'000));
      EXPECT_TRUE(exit && exit->ok()) << "a zygote leaves when its supervisor closes the channel";
    }
    delete child_;
    delete ready_;
  }

  static Json control_message(const char* kind, int id) {
    for (;;) {
      auto message = control_->receive_json(kAnswerLimit);
      if (!message) return Json{{"kind", "none"}, {"why", message.error().describe()}};
      if (message->first.value("kind", "") == kind && message->first.value("id", -1) == id) return message->first;
      kept_.push_back(std::move(message->first));
    }
  }

  static ForkedJob fork(Json job, const Json& extra = Json::object()) {
    ForkedJob forked;
    forked.id = next_id_++;
    auto ends = Channel::make_pair();
    forked.channel = std::move(ends->first);
    forked.standard_error = Fd(::memfd_create("stderr", MFD_CLOEXEC));
    Json request = {{"kind", "fork"}, {"id", forked.id}, {"job", std::move(job)}, {"sandbox", nullptr}};
    request.update(extra);
    EXPECT_TRUE(control_->send_json(request, {ends->second.fd(), forked.standard_error.get()}));
    ends->second.close();
    forked.pid = control_message("forked", forked.id).value("pid", -1);
    EXPECT_GT(forked.pid, 0);
    return forked;
  }

  static std::string write_module(const std::string& name, const std::string& text) {
    const auto path = std::filesystem::temp_directory_path() / (name + std::to_string(::getpid()) + ".py");
    std::ofstream(path) << text;
    return path.string();
  }

  static inline Child* child_ = nullptr;
  static inline Channel* control_ = nullptr;
  static inline Json* ready_ = nullptr;
  static inline std::vector<Json> kept_;
  static inline int next_id_ = 1;
};

TEST_F(ZygoteTest, TellsWhatItRunsAndHasOneThread) {
  EXPECT_EQ(ready_->value("kind", ""), "ready");
  EXPECT_THAT(ready_->value("torch", ""), HasSubstr("."));
  EXPECT_THAT(ready_->value("python", ""), HasSubstr("3."));
  EXPECT_EQ(ready_->value("threads", 0), 1) << "forking is safe with one thread only";
  EXPECT_TRUE(ready_->contains("cuda_usable"));
}

TEST_F(ZygoteTest, AnUnknownJobIsAFaultAndTheWorkerEnds) {
  ForkedJob forked = fork({{"kind", "no-such-job"}});
  const Json answer = forked.answer();
  EXPECT_EQ(answer.value("kind", ""), "fault");
  EXPECT_THAT(answer["error"].value("message", ""), HasSubstr("no-such-job"));
  const Json ended = control_message("ended", forked.id);
  EXPECT_EQ(ended["exit"], (Json{{"reason", "exited"}, {"code", 0}}));
  EXPECT_EQ(ended["pid"], forked.pid);
}

TEST_F(ZygoteTest, BuildsAModuleAndTellsWhatItDefines) {
  const std::string path = write_module("good", "class ModelNew: pass\n");
  ForkedJob forked = fork({{"kind", "build"}, {"module", path}, {"threads", 1}});
  const Json answer = forked.answer();
  EXPECT_EQ(answer.value("kind", ""), "result") << answer;
  EXPECT_EQ(answer["evidence"]["defines"], Json::array({"ModelNew"}));
  std::filesystem::remove(path);
}

TEST_F(ZygoteTest, TheModuleSeesThePrivateFolder) {
  const std::string path = write_module("env", R"(
import os, tempfile
assert os.environ["TORCH_EXTENSIONS_DIR"].startswith("/tmp/private"), os.environ["TORCH_EXTENSIONS_DIR"]
os.makedirs("/tmp/private", exist_ok=True)
assert tempfile.gettempdir() == "/tmp/private"
print("said on the standard error")
)");
  ForkedJob forked = fork({{"kind", "build"}, {"module", path}, {"private_tmp", "/tmp/private"}});
  const Json answer = forked.answer();
  EXPECT_EQ(answer.value("kind", ""), "result") << answer;
  control_message("ended", forked.id);
  char text[100] = {};
  EXPECT_GT(::pread(forked.standard_error.get(), text, sizeof(text) - 1, 0), 0);
  EXPECT_THAT(text, HasSubstr("said on the standard error"));
  std::filesystem::remove(path);
}

TEST_F(ZygoteTest, ACrashIsTheEndOfOneWorkerOnly) {
  const std::string path = write_module("crash", "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n");
  ForkedJob forked = fork({{"kind", "build"}, {"module", path}});
  EXPECT_EQ(control_message("ended", forked.id)["exit"], (Json{{"reason", "signalled"}, {"signal", SIGSEGV}}));
  auto message = forked.channel.receive_json(kAnswerLimit);
  ASSERT_FALSE(message);
  EXPECT_EQ(message.error().kind, ErrorKind::kExit) << "no descriptor of a dead worker stays open in the zygote";
  std::filesystem::remove(path);

  const std::string leaving = write_module("leave", "import os\nos._exit(7)\n");
  ForkedJob other = fork({{"kind", "build"}, {"module", leaving}});
  EXPECT_EQ(control_message("ended", other.id)["exit"], (Json{{"reason", "exited"}, {"code", 7}}));
  std::filesystem::remove(leaving);
}

TEST_F(ZygoteTest, ARequestWithoutDescriptorsIsRefused) {
  EXPECT_TRUE(control_->send_json({{"kind", "fork"}, {"id", 900}, {"job", Json::object()}}));
  const Json answer = control_message("forked", 900);
  EXPECT_EQ(answer.value("pid", 0), -1);
  EXPECT_FALSE(answer.value("error", "").empty());
}

TEST_F(ZygoteTest, TheSelfTestRunsOnTheCpu) {
  ForkedJob forked = fork({{"kind", "selftest"}, {"device", "cpu"}, {"repeats", 2}});
  const Json answer = forked.answer();
  ASSERT_EQ(answer.value("kind", ""), "result") << answer;
  EXPECT_EQ(answer["selftest"]["arena"], "memfd");
  EXPECT_EQ(answer["selftest"]["gap_probe"]["idle"].size(), 2U);
  EXPECT_GE(answer["selftest"]["spin"][2]["host_ns"].get<double>(), 1e6);
}

}  // namespace
}  // namespace kernel_audit::worker
