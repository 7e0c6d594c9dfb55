#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "auditor/worker/device.h"

namespace kernel_audit::worker {
namespace {

// The value of "Name:   value" in a file of the driver.
std::string field_of(const std::filesystem::path& path, const std::string& name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(':');
    if (colon == std::string::npos || line.compare(0, colon, name) != 0) continue;
    const auto from = line.find_first_not_of(" \t", colon + 1);
    return from == std::string::npos ? "" : line.substr(from);
  }
  return {};
}

// "… Kernel Module  580.159.04  Release Build …": the first word that looks like a version.
std::string driver_version() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string word;
  for (int i = 0; i < 40 && file >> word; ++i) {
    if (word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos) return word;
  }
  return {};
}

}  // namespace

CudaPresence cuda_presence() {
  CudaPresence presence;
#ifdef KA_WITH_CUDA
  std::error_code ignored;
  for (const auto& gpu : std::filesystem::directory_iterator("/proc/driver/nvidia/gpus", ignored)) {
    presence.name = field_of(gpu.path() / "information", "Model");
    break;
  }
  presence.driver = driver_version();
  presence.usable = ::access("/dev/nvidiactl", R_OK | W_OK) == 0;
  if (!presence.usable) presence.missing = "no NVIDIA driver here (/dev/nvidiactl is not there)";
  if (presence.usable && presence.name.empty()) presence.name = "NVIDIA GPU";
#else
  presence.missing = "the worker was built without a CUDA toolkit";
#endif
  return presence;
}

#ifndef KA_WITH_CUDA
Result<std::unique_ptr<Device>> make_cuda_device(int) {
  return Error{ErrorKind::kTool, "the worker was built without a CUDA toolkit", "", "",
               "install CUDA 12.5 or newer and build again"};
}
#endif

}  // namespace kernel_audit::worker
