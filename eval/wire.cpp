#include "eval/wire.h"

#include <algorithm>
#include <cstring>

#include "auditor/process/channel.h"

namespace kernel_audit::eval {
namespace {

Error malformed(const std::string& message) { return Error{ErrorKind::kProtocol, message, "", "", ""}; }

template <typename Header, typename Item>
std::string pack_bytes(const Header& header, const std::vector<Item>& items) {
  std::string bytes(sizeof(Header) + items.size() * sizeof(Item), '\0');
  std::memcpy(bytes.data(), &header, sizeof(Header));
  if (!items.empty()) std::memcpy(bytes.data() + sizeof(Header), items.data(), items.size() * sizeof(Item));
  return bytes;
}

template <typename Header>
Result<Header> read_header(std::string_view bytes, std::uint32_t magic, const char* what) {
  Header header;
  if (bytes.size() < sizeof(Header)) return malformed(std::string("A ") + what + " packet is shorter than its header.");
  bytes.copy(reinterpret_cast<char*>(&header), sizeof(Header));
  if (header.magic != magic) return malformed(std::string("A packet that should be a ") + what + " has another magic.");
  if (header.calls > static_cast<std::uint32_t>(kMaxCallsPerWindow)) {
    return malformed(std::string("A ") + what + " packet names more calls than a window may have.");
  }
  return header;
}

template <typename Item>
Result<std::vector<Item>> read_items(std::string_view rest, std::size_t count, const char* what) {
  if (rest.size() != count * sizeof(Item)) {
    return malformed(std::string("The size of a ") + what + " packet does not fit its number of calls.");
  }
  std::vector<Item> items(count);
  if (count > 0) std::memcpy(items.data(), rest.data(), rest.size());
  return items;
}

}  // namespace

int max_calls(int tensors) {
  const std::size_t room = process::kMaxMessageBytes - sizeof(RunHeader);
  const std::size_t per_call = std::max<std::size_t>(1, static_cast<std::size_t>(tensors)) * sizeof(std::uint64_t);
  return static_cast<int>(std::min<std::size_t>(kMaxCallsPerWindow, room / per_call));
}

std::uint32_t packet_magic(std::string_view bytes) {
  std::uint32_t magic = 0;
  if (bytes.size() >= sizeof(magic)) std::memcpy(&magic, bytes.data(), sizeof(magic));
  return magic;
}

std::string pack(const RunPacket& packet) { return pack_bytes(packet.header, packet.offsets); }
std::string pack(const RecheckPacket& packet) { return pack_bytes(packet.header, packet.offsets); }
std::string pack(const DonePacket& packet) { return pack_bytes(packet.header, packet.times); }

Result<RunPacket> read_run(std::string_view bytes, int tensors_per_call) {
  auto header = read_header<RunHeader>(bytes, kRunMagic, "run");
  if (!header) return header.error();
  if (header->mode > CallMode::kGraph) return malformed("A run packet has an unknown mode.");
  auto offsets = read_items<std::uint64_t>(
      bytes.substr(sizeof(RunHeader)), std::size_t{header->calls} * static_cast<std::size_t>(tensors_per_call), "run");
  if (!offsets) return offsets.error();
  return RunPacket{*header, std::move(*offsets)};
}

Result<RecheckPacket> read_recheck(std::string_view bytes, int outputs_per_call) {
  auto header = read_header<RecheckHeader>(bytes, kRecheckMagic, "recheck");
  if (!header) return header.error();
  auto offsets =
      read_items<std::uint64_t>(bytes.substr(sizeof(RecheckHeader)),
                                std::size_t{header->calls} * static_cast<std::size_t>(outputs_per_call), "recheck");
  if (!offsets) return offsets.error();
  return RecheckPacket{*header, std::move(*offsets)};
}

Result<DonePacket> read_done(std::string_view bytes) {
  auto header = read_header<DoneHeader>(bytes, kDoneMagic, "done");
  if (!header) return header.error();
  if (header->status > CallStatus::kDevice) return malformed("A done packet has an unknown status.");
  auto times = read_items<CallTimes>(bytes.substr(sizeof(DoneHeader)), header->calls, "done");
  if (!times) return times.error();
  return DonePacket{*header, std::move(*times)};
}

}  // namespace kernel_audit::eval
