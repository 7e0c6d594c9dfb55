#include "auditor/process/channel.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <random>
#include <thread>

namespace kernel_audit::process {
namespace {

using namespace std::chrono_literals;

struct Ends {
  Channel left, right;
};
Ends make_ends() {
  auto pair = Channel::make_pair();
  EXPECT_TRUE(pair.ok());
  return {std::move(pair->first), std::move(pair->second)};
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

// Sends a packet that Channel::send would refuse.
void send_raw(const Channel& channel, const std::string& bytes, const std::vector<int>& fds) {
  iovec part{const_cast<char*>(bytes.data()), bytes.size()};
  std::vector<char> control(CMSG_SPACE(fds.size() * sizeof(int)));
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  if (!fds.empty()) {
    header.msg_control = control.data();
    header.msg_controllen = control.size();
    cmsghdr* rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(fds.size() * sizeof(int));
    std::memcpy(CMSG_DATA(rights), fds.data(), fds.size() * sizeof(int));
  }
  ASSERT_EQ(::sendmsg(channel.fd(), &header, 0), static_cast<ssize_t>(bytes.size()));
}

TEST(Channel, CarriesBytesAndDescriptorsCloseOnExec) {
  Ends ends = make_ends();
  int pipe_ends[2];
  ASSERT_EQ(::pipe(pipe_ends), 0);
  const Fd reader(pipe_ends[0]);
  Fd writer(pipe_ends[1]);
  ASSERT_TRUE(ends.left.send(std::string_view("a\0b", 3), {writer.get()}).ok());
  writer.reset();
  auto message = ends.right.receive(1s);
  ASSERT_TRUE(message.ok()) << message.error().describe();
  EXPECT_EQ(message->bytes, std::string("a\0b", 3));
  ASSERT_EQ(message->fds.size(), 1U);
  EXPECT_NE(::fcntl(message->fds[0].get(), F_GETFD) & FD_CLOEXEC, 0);
  ASSERT_EQ(::write(message->fds[0].get(), "x", 1), 1);
  char byte = 0;
  ASSERT_EQ(::read(reader.get(), &byte, 1), 1);
  EXPECT_EQ(byte, 'x');
}

TEST(Channel, LargestMessageFitsAndLargerOnesAreRefused) {
  Ends ends = make_ends();
  const std::string largest(kMaxMessageBytes, 'y');
  ASSERT_TRUE(ends.left.send(largest).ok());
  auto message = ends.right.receive(1s);
  ASSERT_TRUE(message.ok());
  EXPECT_EQ(message->bytes, largest);
  EXPECT_EQ(ends.left.send(largest + "y").error().kind, ErrorKind::kProtocol);
  EXPECT_EQ(ends.left.send("").error().kind, ErrorKind::kProtocol);
  EXPECT_EQ(ends.left.send("x", std::vector<int>(kMaxMessageFds + 1, 0)).error().kind, ErrorKind::kProtocol);
  ASSERT_TRUE(ends.left.send("x", std::vector<int>(kMaxMessageFds, 0)).ok());
  EXPECT_EQ(ends.right.receive(1s)->fds.size(), kMaxMessageFds);
}

TEST(Channel, OversizedPacketsAndTooManyDescriptorsAreProtocolErrorsAndLeakNothing) {
  Ends ends = make_ends();
  (void)ends.right.receive(0ms);  // its buffer exists before we count
  const std::size_t before = open_descriptors();
  send_raw(ends.left, std::string(kMaxMessageBytes + 1, 'z'), {0, 0});
  EXPECT_EQ(ends.right.receive(1s).error().kind, ErrorKind::kProtocol);
  send_raw(ends.left, "x", std::vector<int>(40, 0));
  EXPECT_EQ(ends.right.receive(1s).error().kind, ErrorKind::kProtocol);
  send_raw(ends.left, "", {});
  EXPECT_EQ(ends.right.receive(1s).error().kind, ErrorKind::kProtocol);
  send_raw(ends.left, "not json", {0, 0, 0});
  EXPECT_EQ(ends.right.receive_json(1s).error().kind, ErrorKind::kProtocol);
  ASSERT_TRUE(ends.left.send_json(Json{{"a", 1}}, {0, 0}).ok());
  {
    EXPECT_EQ(ends.right.receive_json(1s)->second.size(), 2U);
  }
  EXPECT_EQ(open_descriptors(), before);
  ASSERT_TRUE(ends.left.send("still usable").ok());
  EXPECT_TRUE(ends.right.receive(1s).ok());
}

TEST(Channel, WaitsAndTimesOutAndSeesTheEnd) {
  Ends ends = make_ends();
  for (const bool spin : {false, true}) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(ends.right.receive(30ms, spin).error().kind, ErrorKind::kTimeout);
    EXPECT_GE(std::chrono::steady_clock::now() - start, 30ms);
    std::thread sender([&] {
      std::this_thread::sleep_for(20ms);
      (void)ends.left.send("late");
    });
    const auto late = ends.right.receive(spin ? std::chrono::milliseconds(5000) : std::chrono::milliseconds(-1), spin);
    sender.join();
    ASSERT_TRUE(late.ok());
    EXPECT_EQ(late->bytes, "late");
  }
  ASSERT_TRUE(ends.left.send("last").ok());
  ends.left.close();
  EXPECT_EQ(ends.right.receive(1s)->bytes, "last");
  EXPECT_EQ(ends.right.receive(1s).error().kind, ErrorKind::kExit);
  EXPECT_EQ(ends.right.receive(1s, true).error().kind, ErrorKind::kExit);
  EXPECT_EQ(ends.right.send("x").error().kind, ErrorKind::kExit);
  EXPECT_FALSE(Channel().send("x").ok());
}

TEST(Channel, LargeJsonGoesThroughASealedMemfd) {
  Ends ends = make_ends();
  const Json large = {{"text", std::string(3 << 20, 'q')}, {"n", 7}};
  ASSERT_TRUE(ends.left.send_json(large, {0}).ok());
  auto received = ends.right.receive_json(5s);
  ASSERT_TRUE(received.ok()) << received.error().describe();
  EXPECT_EQ(received->first, large);
  EXPECT_EQ(received->second.size(), 1U);
  ASSERT_TRUE(ends.left.send_json(large).ok());
  EXPECT_EQ(ends.right.receive_json(5s, 1 << 20).error().kind, ErrorKind::kProtocol) << "over the receiver's limit";
}

TEST(Channel, RefusesSpilledMessagesThatAreNotWhatTheySay) {
  Ends ends = make_ends();
  const std::string text = "{\"a\":1}";
  const auto offer = [&](int fd, Json size) {
    EXPECT_TRUE(ends.left
                    .send(dump_json(Json{{"kernel-audit-spilled-bytes", std::move(size)}}),
                          fd < 0 ? std::vector<int>{} : std::vector<int>{fd})
                    .ok());
    return ends.right.receive_json(1s);
  };
  const auto memfd = [&](const std::string& content, int seals) {
    Fd fd(::memfd_create("t", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    EXPECT_EQ(::write(fd.get(), content.data(), content.size()), static_cast<ssize_t>(content.size()));
    EXPECT_EQ(::fcntl(fd.get(), F_ADD_SEALS, seals), 0);
    return fd;
  };
  constexpr int kAllSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
  ASSERT_TRUE(offer(memfd(text, kAllSeals).get(), 7).ok());
  const Fd pipe_like(::open("/dev/null", O_RDWR | O_CLOEXEC));
  char path[] = "/tmp/ka_channel_XXXXXX";
  const Fd file(::mkstemp(path));
  ::unlink(path);
  ASSERT_EQ(::write(file.get(), text.data(), text.size()), 7);
  EXPECT_EQ(offer(-1, 7).error().kind, ErrorKind::kProtocol);
  EXPECT_EQ(offer(pipe_like.get(), 7).error().kind, ErrorKind::kProtocol);
  EXPECT_EQ(offer(file.get(), 7).error().kind, ErrorKind::kProtocol);
  EXPECT_EQ(offer(memfd(text, F_SEAL_SHRINK | F_SEAL_GROW).get(), 7).error().kind, ErrorKind::kProtocol);
  EXPECT_EQ(offer(memfd(text, F_SEAL_WRITE).get(), 7).error().kind, ErrorKind::kProtocol);
  for (const Json& size : {Json(8), Json(6), Json(-7), Json("7"), Json(nullptr), Json(7.0), Json::array()}) {
    EXPECT_EQ(offer(memfd(text, kAllSeals).get(), size).error().kind, ErrorKind::kProtocol) << size;
  }
  EXPECT_EQ(offer(memfd("{\"a\":", kAllSeals).get(), 5).error().kind, ErrorKind::kProtocol);
}

// Whatever bytes arrive, the answer is a value or a kProtocol error, and no descriptor stays open.
TEST(Channel, SurvivesRandomPackets) {
  Ends ends = make_ends();
  (void)ends.right.receive(0ms);
  const std::size_t before = open_descriptors();
  std::mt19937 random(7);
  const std::string seed = "{\"kernel-audit-spilled-bytes\": 12, \"a\": [1, {\"b\": \"\\u0041\"}]}";
  for (int round = 0; round < 3000; ++round) {
    std::string bytes = seed;
    const auto mutations = random() % 6;
    for (unsigned i = 0; i < mutations; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
    bytes.resize(random() % 3 == 0 ? random() % (bytes.size() + 1) : bytes.size());
    send_raw(ends.left, bytes, std::vector<int>(random() % 12, 0));
    const auto received = ends.right.receive_json(1s);
    if (!received) {
      ASSERT_EQ(received.error().kind, ErrorKind::kProtocol) << received.error().describe();
    }
  }
  EXPECT_EQ(open_descriptors(), before);
}

}  // namespace
}  // namespace kernel_audit::process
