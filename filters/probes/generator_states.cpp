#include "filters/probes/generator_states.h"

#include <ATen/Context.h>
#include <ATen/core/Generator.h>

#include <cstring>
#include <mutex>

namespace kernel_audit::filters {
namespace {

std::vector<at::Device> devices_of(const std::string& device) {
  std::vector<at::Device> devices = {at::Device(at::kCPU)};
  if (device == "cuda") devices.emplace_back(at::kCUDA, 0);
  return devices;
}

}  // namespace

std::vector<at::Tensor> generator_states(const std::string& device) {
  std::vector<at::Tensor> states;
  for (const at::Device& where : devices_of(device)) {
    at::Generator generator = at::globalContext().defaultGenerator(where);
    const std::lock_guard<std::mutex> lock(generator.mutex());
    states.push_back(generator.get_state());
  }
  return states;
}

bool same_states(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].nbytes() != b[i].nbytes() ||
        std::memcmp(a[i].const_data_ptr(), b[i].const_data_ptr(), a[i].nbytes()) != 0) {
      return false;
    }
  }
  return true;
}

void set_generator_states(const std::string& device, const std::vector<at::Tensor>& states) {
  const std::vector<at::Device> devices = devices_of(device);
  for (std::size_t i = 0; i < devices.size() && i < states.size(); ++i) {
    at::Generator generator = at::globalContext().defaultGenerator(devices[i]);
    const std::lock_guard<std::mutex> lock(generator.mutex());
    generator.set_state(states[i]);
  }
}

}  // namespace kernel_audit::filters
