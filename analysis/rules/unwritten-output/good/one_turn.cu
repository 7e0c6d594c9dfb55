// verdict: clean
// near: 57
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

struct Plan {
  int turns = 0;
};

// Filled in by way of a reference, and by a pointer.
static void count(Plan& plan, int n) { plan.turns = n > 0 ? 1 : 0; }
static void ask(int* devices) { cudaGetDeviceCount(devices); }

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  Plan plan;
  count(plan, n);
  int devices = 0;
  ask(&devices);
  TORCH_CHECK(devices > 0);
  for (int turn = 0; turn < plan.turns; ++turn) {
    twice_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  }
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
