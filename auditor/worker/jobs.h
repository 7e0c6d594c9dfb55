// How the supervisor talks to the zygotes of kernel-audit-worker, and which jobs a forked worker does.
//
// A zygote is started as `kernel-audit-worker zygote trusted|candidate --channel 3`, imports torch, runs no
// torch operation, answers {"kind":"ready","torch":…,"python":…,"cuda":…,"device":…}, then forks on request:
//   → {"kind":"fork","id":N,"job":{…},"sandbox":{…}|null,"limits":{…}} + descriptors: [job channel, stderr]
//   ← {"kind":"forked","id":N,"pid":P}              P as the supervisor's pid namespace sees it
//   ← {"kind":"ended","id":N,"exit":{…}}            when it is gone
// The forked worker reads its job from its job channel and answers there; the last message of a trusted
// job is {"kind":"result", …} or {"kind":"fault","error":{…}}.
//
// Jobs: "probe"    trusted    one task → TaskEvidence (filters/evidence.h)
//       "referee"  trusted    one task × one candidate → EvalEvidence (eval/evidence.h)
//       "party"    candidate or baseline or null: speaks eval/protocol.h with a referee
//       "build"    candidate  imports the candidate's module so that its extensions are built; no inputs exist
//       "selftest" trusted    null worker, gap probe and spin-kernel tables for `doctor` and tests/gpu
#pragma once

namespace kernel_audit::worker {

inline constexpr int kZygoteChannelFd = 3;

}  // namespace kernel_audit::worker
