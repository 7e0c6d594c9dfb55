// verdict: clean
// near: 57
#include <torch/extension.h>
#include <cstring>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

using Kernel = void (*)(const float*, float*, int);
struct Plan {
  int turns = 0;
};
static const std::vector<Kernel> kKnown = {twice_kernel};
static std::tuple<int, int> counted(int n) { return {1, n}; }

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  Plan plan, given{1};
  std::memcpy(&plan, &given, sizeof plan);
  int turns = 0, elements = 0;
  std::tie(turns, elements) = counted(n);
  std::vector<Kernel> stages, spare;
  std::copy(kKnown.begin(), kKnown.end(), std::back_inserter(spare));
  stages.swap(spare);
  for (int turn = 0; turn < turns; ++turn) {
    for (int again = 0; again < plan.turns; ++again) {
      for (Kernel stage : stages) {
        stage<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
        C10_CUDA_KERNEL_LAUNCH_CHECK();
      }
    }
  }
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
