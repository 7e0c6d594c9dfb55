// verdict: clean
// near: 94
#include <torch/extension.h>
#include <c10/util/irange.h>

__global__ void add_row(const float* x, const float* bias, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + (bias != nullptr ? bias[i] : 0.0f);
}

torch::Tensor add_rows(const torch::Tensor& given, const c10::optional<torch::Tensor>& bias) {
  const auto held = given.expect_contiguous();
  const torch::Tensor& x = *held;
  auto y = torch::empty_like(x);
  const float* add = bias.has_value() && bias->defined() ? bias->const_data_ptr<float>() : nullptr;
  const int n = x.size(1);
  for (const auto r : c10::irange(x.size(0)))
    add_row<<<(n + 255) / 256, 256>>>(x.const_data_ptr<float>() + r * n, add, y.mutable_data_ptr<float>() + r * n, n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

torch::Tensor forward(torch::Tensor x) { return add_rows(x, c10::nullopt); }

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
