// verdict: review
// shows: 63, hidden by a product with zero
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

template <int kFirst>
__global__ void row_means(const float* x, float* y, int columns, float weight) {
  float sum = 0.f;
  for (int c = kFirst; c < columns; ++c) sum += x[(size_t)blockIdx.x * columns + c];
  y[blockIdx.x] = sum * weight + 0.5f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, x.options());
  row_means<0><<<x.size(0), 1, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(),  // expect: KA801
                                                                      y.data_ptr<float>(), x.size(1), 0.f);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
