// The timed party: the process that is measured, as candidate, baseline, null worker or spinning worker. It
// speaks eval/protocol.h with a referee until that says Finish or closes the channel. The same loop serves all
// roles, so that what differs between them is the called code alone.
//
// It must be right for honest code only: everything that it says can be forged by a candidate in its process.
#pragma once

#include "auditor/core/result.h"
#include "auditor/process/channel.h"

namespace kernel_audit::eval {

// Needs start_interpreter(). The calling thread holds the GIL. Errors: the referee's messages are malformed, or the
// channel broke before Finish.
Status run_party(process::Channel& referee);

}  // namespace kernel_audit::eval
