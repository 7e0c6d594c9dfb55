// What a device is called among all processes of this machine, however devices are numbered there: by this name they
// share it (auditor/process/device_lock.h).
#pragma once

#include <string>

namespace kernel_audit::worker {

// The UUID of CUDA device `index`, or "cpu". Starts CUDA in this process.
std::string device_identity(const std::string& device, int index = 0);

}  // namespace kernel_audit::worker
