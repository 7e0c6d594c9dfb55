#include "auditor/process/channel.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>

namespace kernel_audit::process {
namespace {

using Clock = std::chrono::steady_clock;

// A peer that does not read must not hang the sender for ever.
constexpr std::chrono::seconds kSendTimeout{30};
// Sole member of the JSON packet that announces a message in an attached memfd; such a packet is short.
constexpr const char* kSpillField = "kernel-audit-spilled-bytes";
constexpr std::size_t kMaxAnnouncementBytes = 128;
constexpr int kRequiredSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;

Error system_error(const char* what) {
  const int code = errno;
  if (code == EPIPE || code == ECONNRESET || code == ENOTCONN) {
    return Error{ErrorKind::kExit, "The peer of the channel is gone.", "", "", ""};
  }
  return Error{ErrorKind::kTool, std::string(what) + " failed: " + std::strerror(code) + ".", "", "", ""};
}

Error protocol_error(std::string message) { return Error{ErrorKind::kProtocol, std::move(message), "", "", ""}; }

Error over_limit(std::uint64_t size, std::size_t max_bytes) {
  return protocol_error("A message of " + std::to_string(size) + " bytes is over the limit of " +
                        std::to_string(max_bytes) + ".");
}

// Milliseconds for poll(): rounded up, so that a wait never ends before its deadline.
int poll_timeout(std::chrono::milliseconds timeout, Clock::time_point deadline) {
  if (timeout.count() < 0) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1 << 30));
}

Result<Fd> sealed_copy(std::string_view text) {
  Fd fd(::memfd_create("kernel-audit-message", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (fd.get() < 0) return system_error("memfd_create");
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t got = ::write(fd.get(), text.data() + written, text.size() - written);
    if (got < 0 && errno != EINTR) return system_error("Writing a large message");
    if (got > 0) written += static_cast<std::size_t>(got);
  }
  if (::fcntl(fd.get(), F_ADD_SEALS, kRequiredSeals | F_SEAL_SEAL) != 0) return system_error("Sealing a large message");
  return fd;
}

// Reads what a peer spilled. The seals are checked before the size: afterwards neither can change.
Result<std::string> read_spilled(const Fd& fd, const Json& announced, std::size_t max_bytes) {
  const int seals = ::fcntl(fd.get(), F_GET_SEALS);
  struct stat status{};
  if (seals < 0 || (seals & kRequiredSeals) != kRequiredSeals || ::fstat(fd.get(), &status) != 0 ||
      !S_ISREG(status.st_mode)) {
    return protocol_error("A large message is not in a sealed memfd.");
  }
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > max_bytes) return over_limit(size, max_bytes);
  if (!announced.is_number_unsigned() || announced.get<std::uint64_t>() != size) {
    return protocol_error("A large message has another size than announced.");
  }
  std::string text(size, '\0');
  for (std::size_t read = 0; read < size;) {
    const ssize_t got = ::pread(fd.get(), text.data() + read, size - read, static_cast<off_t>(read));
    if (got == 0) return protocol_error("A large message ended early.");
    if (got < 0 && errno != EINTR) return system_error("Reading a large message");
    if (got > 0) read += static_cast<std::size_t>(got);
  }
  return text;
}

std::vector<Fd> attached_descriptors(msghdr& header) {
  std::vector<Fd> fds;
  for (cmsghdr* control = CMSG_FIRSTHDR(&header); control != nullptr; control = CMSG_NXTHDR(&header, control)) {
    if (control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (control->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int number = -1;
      std::memcpy(&number, CMSG_DATA(control) + i * sizeof(int), sizeof number);
      fds.emplace_back(number);  // owned from here on: whatever happens next, none leaks
    }
  }
  return fds;
}

// The size that a packet announces, when it is an announcement.
std::optional<Json> announced_size(const std::string& packet) {
  if (packet.size() > kMaxAnnouncementBytes || packet.find(kSpillField) == std::string::npos) return std::nullopt;
  const Result<Json> json = parse_json(packet, "message");
  if (!json || !json->is_object() || json->size() != 1 || !json->contains(kSpillField)) return std::nullopt;
  return json->at(kSpillField);
}

bool peer_closed(int fd) {
  pollfd entry{fd, POLLIN | POLLRDHUP, 0};
  return ::poll(&entry, 1, 0) > 0 && (entry.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) != 0;
}

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

Result<std::pair<Channel, Channel>> Channel::make_pair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return system_error("socketpair");
  for (const int end : ends) {
    // A packet must fit whole into the send buffer; the kernel caps this at its own limit.
    const int bytes = 4 * static_cast<int>(kMaxMessageBytes);
    ::setsockopt(end, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
  }
  return std::pair(Channel(Fd(ends[0])), Channel(Fd(ends[1])));
}

Status Channel::send(std::string_view bytes, const std::vector<int>& fds) {
  // An empty packet cannot be told from a closed peer on the other side.
  if (bytes.empty()) return protocol_error("A message has at least one byte.");
  if (bytes.size() > kMaxMessageBytes) {
    return protocol_error("A message of " + std::to_string(bytes.size()) + " bytes does not fit into one packet.");
  }
  if (fds.size() > kMaxMessageFds) return protocol_error("A message carries too many descriptors.");
  iovec part{const_cast<char*>(bytes.data()), bytes.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kMaxMessageFds * sizeof(int))> control{};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  if (!fds.empty()) {
    header.msg_control = control.data();
    header.msg_controllen = CMSG_SPACE(fds.size() * sizeof(int));
    cmsghdr* rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(fds.size() * sizeof(int));
    std::memcpy(CMSG_DATA(rights), fds.data(), fds.size() * sizeof(int));
  }
  const auto deadline = Clock::now() + kSendTimeout;
  for (;;) {
    if (::sendmsg(fd_.get(), &header, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0) return Ok{};
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return system_error("sendmsg");
    if (Clock::now() >= deadline) return Error{ErrorKind::kTimeout, "The peer does not read.", "", "", ""};
    pollfd entry{fd_.get(), POLLOUT, 0};
    ::poll(&entry, 1, 10);  // short: a queue that drains does not always wake the sender
  }
}

Status Channel::send_large(std::string_view bytes, const std::vector<int>& fds) {
  if (bytes.size() <= kMaxMessageBytes) return send(bytes, fds);
  const Result<Fd> spilled = sealed_copy(bytes);
  if (!spilled) return spilled.error();
  std::vector<int> all = {spilled->get()};
  all.insert(all.end(), fds.begin(), fds.end());
  return send(dump_json(Json{{kSpillField, bytes.size()}}), all);
}

Status Channel::send_json(const Json& json, const std::vector<int>& fds) { return send_large(dump_json(json), fds); }

Result<Message> Channel::receive(std::chrono::milliseconds timeout, bool spin) {
  if (!buffer_) buffer_ = std::make_unique_for_overwrite<char[]>(kMaxMessageBytes);
  const auto deadline = Clock::now() + std::max(timeout, std::chrono::milliseconds(0));
  for (;;) {
    alignas(cmsghdr) std::array<char, CMSG_SPACE(kMaxMessageFds * sizeof(int))> control{};
    iovec part{buffer_.get(), kMaxMessageBytes};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control.data();
    header.msg_controllen = control.size();
    const ssize_t got = ::recvmsg(fd_.get(), &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (got >= 0) {
      Message message;
      message.fds = attached_descriptors(header);
      if ((header.msg_flags & MSG_TRUNC) != 0) return protocol_error("A packet is larger than a message may be.");
      if ((header.msg_flags & MSG_CTRUNC) != 0) return protocol_error("A packet carries too many descriptors.");
      if (got == 0) {
        if (message.fds.empty() && peer_closed(fd_.get())) {
          return Error{ErrorKind::kExit, "The peer closed the channel.", "", "", ""};
        }
        return protocol_error("A packet is empty.");
      }
      message.bytes.assign(buffer_.get(), static_cast<std::size_t>(got));
      return message;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return system_error("recvmsg");
    if (timeout.count() >= 0 && Clock::now() >= deadline) {
      return Error{ErrorKind::kTimeout, "No message came in time.", "", "", ""};
    }
    if (spin) {
      relax();
    } else {
      pollfd entry{fd_.get(), POLLIN, 0};
      ::poll(&entry, 1, poll_timeout(timeout, deadline));
    }
  }
}

Result<Message> Channel::receive_large(std::chrono::milliseconds timeout, std::size_t max_bytes) {
  Result<Message> message = receive(timeout);
  if (!message) return message;
  const std::optional<Json> announced = announced_size(message->bytes);
  if (!announced) {
    if (message->bytes.size() > max_bytes) return over_limit(message->bytes.size(), max_bytes);
    return message;
  }
  if (message->fds.empty()) return protocol_error("A large message comes without its memfd.");
  Result<std::string> whole = read_spilled(message->fds.front(), *announced, max_bytes);
  if (!whole) return whole.error();
  message->bytes = std::move(*whole);
  message->fds.erase(message->fds.begin());
  return message;
}

Result<std::pair<Json, std::vector<Fd>>> Channel::receive_json(std::chrono::milliseconds timeout,
                                                               std::size_t max_bytes) {
  Result<Message> message = receive_large(timeout, max_bytes);
  if (!message) return message.error();
  Result<Json> json = parse_json(message->bytes, "message", max_bytes);
  if (!json) return json.error();
  return std::pair(std::move(*json), std::move(message->fds));
}

}  // namespace kernel_audit::process
