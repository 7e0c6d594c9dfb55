// The packets of the hot path as bytes (eval/protocol.h): packing, and reading with every field checked
// against what is allowed. Reading never trusts a length or a count of the sender.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "auditor/core/result.h"
#include "eval/protocol.h"

namespace kernel_audit::eval {

struct RunPacket {
  RunHeader header;
  std::vector<std::uint64_t> offsets;  // call-major: inputs, then outputs of call 0, of call 1, …
};
struct RecheckPacket {
  RecheckHeader header;
  std::vector<std::uint64_t> offsets;  // call-major: outputs
};
struct DonePacket {
  DoneHeader header;
  std::vector<CallTimes> times;  // one per call, none after a recheck
};

// Largest number of calls whose offsets fit one message, for calls with `tensors` tensors each.
int max_calls(int tensors);

std::uint32_t packet_magic(std::string_view bytes);  // 0 when too short to have one
std::string pack(const RunPacket& packet);
std::string pack(const RecheckPacket& packet);
std::string pack(const DonePacket& packet);
// Errors (kProtocol): wrong magic, size that does not fit the counts, counts over the limits, unknown enumerators.
Result<RunPacket> read_run(std::string_view bytes, int tensors_per_call);
Result<RecheckPacket> read_recheck(std::string_view bytes, int outputs_per_call);
Result<DonePacket> read_done(std::string_view bytes);

}  // namespace kernel_audit::eval
