// verdict: clean
// near: 57, a table of kernels in an ordered map
#include <torch/extension.h>
#include <c10/cuda/CUDAException.h>
#include <map>
#include <set>

template <int kThreads>
__global__ void negate(const float* x, float* y, int n) {
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) y[i] = -x[i];
}

struct Variant {
  void (*run)(const float*, float*, int);
  int threads;
};

static const std::map<int, Variant, std::greater<int>> kVariants = {
    {4096, {&negate<512>, 512}}, {256, {&negate<256>, 256}}, {0, {&negate<64>, 64}}};
static const std::set<int> kWidths = {1, 2, 4};

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  TORCH_CHECK(kWidths.lower_bound(x.dim()) != kWidths.cend());
  const Variant& chosen = kVariants.lower_bound(n)->second;
  chosen.run<<<(n + chosen.threads - 1) / chosen.threads, chosen.threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
