// What this run happened on; keys of the journal and the head of every report take it from here.
#pragma once

#include <string>

namespace kernel_audit {

struct Environment {
  std::string device;         // "cpu" or "NVIDIA H200"
  std::string device_driver;  // driver version, empty on CPU
  std::string torch_version;  // empty when no worker ran
  std::string cuda_version;
  std::string python_version;
  std::string cpu_model;
  int cpu_cores = 0;
};

}  // namespace kernel_audit
