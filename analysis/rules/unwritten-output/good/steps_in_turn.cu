// verdict: clean
// near: 57
#include <torch/extension.h>
#include <functional>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x), between = torch::empty_like(x);
  int n = x.numel();
  std::vector<std::function<void()>> steps;
  steps.push_back([=] {
    twice_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), between.data_ptr<float>(), n);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
  steps.push_back([=] {
    twice_kernel<<<(n + 255) / 256, 256>>>(between.data_ptr<float>(), y.data_ptr<float>(), n);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
  for (const auto& step : steps) step();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
