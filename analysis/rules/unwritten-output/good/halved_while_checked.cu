// verdict: clean
// near: 57
#include <torch/extension.h>

__global__ void halve(const float* x, float* y, int64_t n) {
  int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (i < n / 2) y[i] = x[2 * i] + x[2 * i + 1];
}

torch::Tensor forward(torch::Tensor x) {
  int64_t n = x.numel();
  TORCH_CHECK(n > 1);
  auto y = torch::empty({n / 2}, x.options());
  auto z = torch::empty({n / 2}, x.options());
  const float* from = x.data_ptr<float>();
  float *to = y.data_ptr<float>(), *other = z.data_ptr<float>();
  while (n > 256) {
    halve<<<(n / 2 + 255) / 256, 256>>>(from, to, n);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    from = to;
    std::swap(to, other);
    n /= 2;
  }
  auto last = torch::empty({n / 2}, x.options());
  halve<<<1, 256>>>(from, last.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return last;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
