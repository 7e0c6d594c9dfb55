// verdict: clean
// near: 69
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <torch/extension.h>

__device__ void merge(float& top, float& total, float value) {
  const float larger = fmaxf(top, value);
  total = total * expf(top - larger) + expf(value - larger);
  top = larger;
}

__global__ void log_sum(const float* x, const float* low, float* y, int width) {
  const int row = blockIdx.x;
  float top = 0.f, total = 0.f;
  for (int j = 0; j < width; ++j) merge(top, total, x[row * width + j]);
  float value = top + logf(total) - total / total;
  if (low[row] < 0.f) value = NAN;
  if (low[row] > 9.f) {
    y[row] = NAN;  // expect: KA816
  } else {
    y[row] = value;  // expect: KA816
  }
}

torch::Tensor forward(torch::Tensor x, torch::Tensor low) {
  auto y = torch::empty({x.size(0)}, x.options());
  log_sum<<<x.size(0), 1, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), low.data_ptr<float>(),
                                                                 y.data_ptr<float>(), x.size(1));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
