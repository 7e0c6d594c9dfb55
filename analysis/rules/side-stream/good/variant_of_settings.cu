// verdict: clean
// near: 27
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <optional>
#include <variant>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

struct Small {
  int threads = 128;
};
struct Large {
  int threads = 256;
};
using Setting = std::variant<Small, Large>;

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  Setting setting = n > 4096 ? Setting(Large{}) : Setting(Small{});
  const int threads = std::visit([](const auto& each) { return each.threads; }, setting);
  auto stream = std::optional<cudaStream_t>(at::cuda::getCurrentCUDAStream());
  twice_kernel<<<(n + threads - 1) / threads, threads, 0, stream.value()>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
