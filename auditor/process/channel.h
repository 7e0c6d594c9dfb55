// Message channel between two of our processes: one SOCK_SEQPACKET unix socket end. A message is one
// packet of UTF-8 JSON (or raw bytes in the hot path), at most `kMaxMessageBytes`, with at most
// `kMaxMessageFds` descriptors attached (SCM_RIGHTS). Larger payloads go through a memfd that is
// attached. A peer is never trusted: oversized, truncated or malformed packets are Errors of kind
// kProtocol, a closed peer is kExit. Move-only; closes its descriptor.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "auditor/core/json.h"
#include "auditor/core/result.h"
#include "auditor/process/fd.h"

namespace kernel_audit::process {

inline constexpr std::size_t kMaxMessageBytes = std::size_t{128} * 1024;
inline constexpr std::size_t kMaxMessageFds = 8;  // a spilled message uses one of them itself
inline constexpr std::size_t kMaxSpilledBytes = std::size_t{64} << 20;

struct Message {
  std::string bytes;
  std::vector<Fd> fds;
};

class Channel {
 public:
  Channel() = default;
  explicit Channel(Fd fd) : fd_(std::move(fd)) {}

  // Two connected ends, close-on-exec.
  static Result<std::pair<Channel, Channel>> make_pair();

  Status send(std::string_view bytes, const std::vector<int>& fds = {});
  Status send_large(std::string_view bytes,
                    const std::vector<int>& fds = {});                   // spills to a memfd above the size limit
  Status send_json(const Json& json, const std::vector<int>& fds = {});  // as large as it is
  // Waits at most `timeout`; a negative timeout waits for ever. `spin` busy-polls (the referee's hot
  // path: a blocking read can wake up to 100 µs late).
  Result<Message> receive(std::chrono::milliseconds timeout, bool spin = false);
  // What `send_large` sent, in one packet or spilled. Descriptors beyond those that the caller takes out of the result
  // are closed with it. `max_bytes` bounds a spilled message too: give a small one where the peer is a candidate.
  Result<Message> receive_large(std::chrono::milliseconds timeout, std::size_t max_bytes = kMaxSpilledBytes);
  Result<std::pair<Json, std::vector<Fd>>> receive_json(std::chrono::milliseconds timeout,
                                                        std::size_t max_bytes = kMaxSpilledBytes);

  int fd() const { return fd_.get(); }
  bool open() const { return fd_.get() >= 0; }
  void close() { fd_.reset(); }

 private:
  Fd fd_;
  std::unique_ptr<char[]> buffer_;  // one packet, made on first use: no allocation in the hot path
};

}  // namespace kernel_audit::process
