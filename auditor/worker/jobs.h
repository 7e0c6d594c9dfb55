// How the supervisor talks to the zygotes of kernel-audit-worker, and which jobs a forked worker does.
//
// A zygote is started as `kernel-audit-worker zygote trusted|candidate --channel 3`, imports torch, runs no
// torch operation, answers {"kind":"ready","torch":…,"python":…,"cuda":…,"device":…}, then forks on request:
//   → {"kind":"fork","id":N,"job":{"kind":…,"threads":N,"private_tmp":folder, …},"sandbox":{…}|null,"cgroup":directory,
//      "limits":{"file_bytes":N}} + descriptors: [job channel, stderr]
//   ← {"kind":"forked","id":N,"pid":P}              P as the supervisor's pid namespace sees it; −1 with "error"
//   ← {"kind":"sandboxed","id":N,"report":{…}}      when a sandbox was asked for: its layers (sandbox.h), from before
//                                                   any job code ran
//   ← {"kind":"ended","id":N,"pid":P,"exit":{"reason":"exited|signalled","code"|"signal":N}}    when it is gone
// "cgroup" is joined when there is no sandbox (a sandbox joins the one of its policy). "threads" are torch's,
// "processors" those it may run on; "private_tmp" is where temporary files, caches and builds go; in a sandbox it is
// the sandbox's own /tmp. The forked worker answers on its job channel; the last message of a job but "party" is
// {"kind":"result", …} or
// {"kind":"fault","error":{"kind","message"}}.
//
// Jobs: "probe"    trusted    one task → TaskEvidence: filters/probes/job.h ← {"kind":"result","evidence":{…}}
//                  on the way {"kind":"waiting"} and {"kind":"going-on"}: no limit counts between them
//       "referee"  trusted    one task × one candidate → EvalEvidence: eval/referee/job.h
//       "spin-table" trusted  proven against spun time: eval/referee/job.h
//       "party"    candidate or baseline or null: speaks eval/protocol.h with a referee on its job channel
//       "build"    candidate  imports the candidate's module so that its extensions are built; no inputs exist.
//                  {"module":path, "class":"ModelNew", "init_args":[Argument…]}: constructs it too when both are given
//                  ← {"kind":"result","evidence":{"defines":["ModelNew"|"Model"…],"seconds":S}}
//       "selftest" trusted    what this machine's device and gap probe do: selftest.h
#pragma once

namespace kernel_audit::worker {

inline constexpr int kZygoteChannelFd = 3;

}  // namespace kernel_audit::worker
