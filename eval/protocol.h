// What referee and timed party (candidate, baseline, null worker) say to each other, and what the
// supervisor says to workers. Control messages are JSON with a fixed schema; the hot path (Run, Done)
// is fixed-size structs of this header, sent as raw packets (eval/wire.h packs and checks them). The
// party is never trusted: every field of a Done is checked against what was asked, and nothing in it
// can acquit (ARCHITECTURE: proof).
//
// Order, as the party sees it (→ from referee, ← to referee):
//   → Setup   {"kind":"setup", "role":"candidate|baseline|null|spin", "device":"cpu|cuda", "module":path,
//              "class":"ModelNew", "fallback_class":"Model"|absent, "init_args":[Argument…], "weight_seed":N,
//              "mode":"train|eval", "flags":{"threads":N, "seed_rng":bool}, "inputs":[Argument…], "outputs":[Tensor…]}
//   ← Loaded  {"kind":"loaded", "ok":bool, "error":{…}, "state":[{"name","dtype","shape","sha256"}…], "init_ns":N}
//   → Attach  {"kind":"attach", "bytes":N, "handle":"memfd|cumem|ipc"} + descriptor: the exchange arena.
//             It may come again: the new arena then replaces the old one, which is unmapped.
//   ← Attached {"kind":"attached", "ok":bool, "error":{…}}
//   → Weights {"kind":"weights", "bytes":N, "state":[{"name","dtype","shape","offset","bytes"}…]} + memfd with the
//             values, in host memory; only when values of equal names differ. Copied in place through torch.
//   ← WeightsSet {"kind":"weights-set", "ok":bool, "error":{…}}
//   → RunHeader packet (+ offsets)   ← DoneHeader packet (+ per-call times)       many times
//   → RecheckHeader packet (+ offsets): copy the held outputs of the last window once more, to these
//             offsets                                                       ← DoneHeader without times, calls = 0
//   → Finish  {"kind":"finish"}; no answer, the party leaves. The referee may kill it instead.
// After a DoneHeader whose status is not kOk:  ← Fault {"kind":"fault", "call":N, "message":text}. The party goes on.
//
// Tensor:   {"dtype":"float32", "shape":[…], "strides":[…], "bytes":N}. Inputs are dense in memory in the order that
//           the strides (in elements) say; outputs lie contiguous in the arena. dtype names are torch's, without
//           "torch.".
// Argument: {"tensor":Tensor} or {"plain":JSON, "python_type":"float"}. Only tensors have an offset in a run.
//
// Roles. null: our code; loads no module, and for each call copies held private memory into every output, as a
// candidate's outputs are copied, and nothing else. spin: like null, but each call first spins on the device for
// RunHeader::rng_seed nanoseconds. A party keeps every output of the last window alive (they are held for a recheck).
#pragma once

#include <cstdint>

namespace kernel_audit::eval {

inline constexpr int kProtocolVersion =
    2;  // raised by hand when a change of protocol or timing makes old evidence incomparable
inline constexpr int kMaxCallsPerWindow = 1024;
inline constexpr int kMaxTensors = 64;       // inputs, and outputs, of one call
inline constexpr int kArenaAlignment = 512;  // of every offset, as the allocators of torch align
inline constexpr std::uint32_t kRunMagic = 0x4b415201, kDoneMagic = 0x4b415202, kRecheckMagic = 0x4b415203;

enum class CallMode : std::uint32_t {
  kSingle = 0,  // device-wide sync after each call, then outputs are copied; event, sync and host times recorded
  kWindow = 1,  // K calls back to back, outputs copied on the caller's stream after each, one sync at the end
  kGraph = 2,   // K calls captured as one graph when the offsets are new, else the captured graph is replayed
};

struct RunHeader {
  std::uint32_t magic = kRunMagic;
  std::uint32_t window = 0;  // running number
  CallMode mode = CallMode::kSingle;
  std::uint32_t calls = 0;
  std::uint64_t rng_seed = 0;  // with "seed_rng": every generator is seeded with it before the window's first call
  // followed by calls × (inputs + outputs) std::uint64_t offsets into the arena
};

struct RecheckHeader {
  std::uint32_t magic = kRecheckMagic;
  std::uint32_t window = 0;  // of the run whose outputs are held
  std::uint32_t calls = 0;
  std::uint32_t reserved = 0;
  // followed by calls × outputs std::uint64_t offsets into the arena
};

struct CallTimes {       // nanoseconds; negative: not measured
  double event_ns = -1;  // device events on the current stream
  double sync_ns = -1;   // host clock from before the call to after a device-wide sync
  double host_ns = -1;   // host clock from before the call to its return
};

enum class CallStatus : std::uint32_t {
  kOk = 0,
  kException = 1,
  kShape = 2,
  kDtype = 3,
  kCount = 4,
  kNotTensor = 5,
  kDevice = 6
};

struct DoneHeader {
  std::uint32_t magic = kDoneMagic;
  std::uint32_t window = 0;
  std::uint32_t calls = 0;
  CallStatus status = CallStatus::kOk;  // first fault; text follows in a JSON Fault message when not kOk
  std::uint32_t aliased_outputs = 0;    // returned tensors that share storage with another call's or with an input
  std::uint32_t subclass_outputs = 0;   // returned objects whose exact type is not torch.Tensor
  // followed by calls × CallTimes
};

}  // namespace kernel_audit::eval
