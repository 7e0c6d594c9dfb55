#include "eval/wire.h"

#include <gtest/gtest.h>

#include <cstring>

namespace kernel_audit::eval {
namespace {

RunPacket run_packet(std::uint32_t calls, int tensors) {
  RunPacket packet;
  packet.header.window = 7;
  packet.header.calls = calls;
  packet.header.mode = CallMode::kWindow;
  for (std::uint32_t i = 0; i < calls * static_cast<std::uint32_t>(tensors); ++i)
    packet.offsets.push_back(std::uint64_t{i} * 512);
  return packet;
}

TEST(Wire, RunsComeBackAsTheyWere) {
  const RunPacket packet = run_packet(5, 3);
  const auto read = read_run(pack(packet), 3);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->header.window, 7u);
  EXPECT_EQ(read->header.mode, CallMode::kWindow);
  EXPECT_EQ(read->offsets, packet.offsets);
  EXPECT_EQ(packet_magic(pack(packet)), kRunMagic);
}

TEST(Wire, DonesAndRechecksComeBackAsTheyWere) {
  DonePacket done;
  done.header.calls = 2;
  done.header.status = CallStatus::kShape;
  done.times = {{1, 2, 3}, {4, 5, 6}};
  const auto read = read_done(pack(done));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->header.status, CallStatus::kShape);
  EXPECT_EQ(read->times[1].host_ns, 6);
  RecheckPacket recheck;
  recheck.header.calls = 2;
  recheck.offsets = {512, 1024};
  const auto again = read_recheck(pack(recheck), 1);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->offsets, recheck.offsets);
}

TEST(Wire, EveryCutAndEveryFlippedLengthIsRefused) {
  const std::string good = pack(run_packet(4, 2));
  for (std::size_t length = 0; length < good.size(); ++length) {
    EXPECT_FALSE(read_run(std::string_view(good).substr(0, length), 2).ok()) << length;
  }
  EXPECT_FALSE(read_run(good + "x", 2).ok());
  EXPECT_FALSE(read_run(good, 3).ok());
  EXPECT_FALSE(read_done(good).ok());
}

TEST(Wire, UnknownEnumeratorsAndExcessiveCountsAreRefused) {
  DonePacket done;
  done.header.status = static_cast<CallStatus>(99);
  EXPECT_FALSE(read_done(pack(done)).ok());
  DonePacket many;
  many.header.calls = 0xffffffffu;
  EXPECT_FALSE(read_done(pack(many)).ok());
  RunPacket run = run_packet(1, 1);
  run.header.mode = static_cast<CallMode>(3);
  EXPECT_FALSE(read_run(pack(run), 1).ok());
}

TEST(Wire, TheLargestWindowFitsAMessage) {
  for (const int tensors : {1, 2, 7, 2 * kMaxTensors}) {
    const int calls = max_calls(tensors);
    ASSERT_GE(calls, 1);
    EXPECT_LE(pack(run_packet(static_cast<std::uint32_t>(calls), tensors)).size(), 128u * 1024u) << tensors;
  }
  EXPECT_EQ(max_calls(2), kMaxCallsPerWindow);
}

}  // namespace
}  // namespace kernel_audit::eval
