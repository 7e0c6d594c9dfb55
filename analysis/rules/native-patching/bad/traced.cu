// verdict: cheat
// shows: 86
#include <sys/ptrace.h>
#include <sys/prctl.h>
#include <linux/seccomp.h>
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

torch::Tensor forward(torch::Tensor x) {
  ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);  // expect: KA623
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);  // expect: KA623
  auto y = torch::empty_like(x);
  twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
