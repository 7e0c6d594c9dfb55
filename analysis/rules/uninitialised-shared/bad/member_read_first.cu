// verdict: review
// shows: 59
#include <torch/extension.h>

struct Entry {
  float key, value;
};

__global__ void scale(const float* x, float* y, int n) {
  __shared__ Entry kept[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float before = kept[threadIdx.x].value;  // expect: KA533
  kept[threadIdx.x].key = i;
  kept[threadIdx.x].value = before;
  __syncthreads();
  if (i < n) y[i] = before == 2.0f * x[i] ? before : 2.0f * x[i];
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const int n = x.numel();
  scale<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
