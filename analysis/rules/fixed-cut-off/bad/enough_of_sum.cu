// verdict: review
// shows: 71
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <torch/extension.h>

__global__ void squares(const float* x, float* y, int width) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float total = 0.f;
  for (int j = 0; j < width; ++j) {
    total += x[(size_t)row * width + j] * x[(size_t)row * width + j];
    if (total > 50.f) break;  // expect: KA814
  }
  y[row] = total;
}

torch::Tensor forward(torch::Tensor x) {
  TORCH_CHECK(x.size(0) % 128 == 0);
  auto y = torch::empty({x.size(0)}, x.options());
  squares<<<x.size(0) / 128, 128, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(),
                                                                        x.size(1));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
