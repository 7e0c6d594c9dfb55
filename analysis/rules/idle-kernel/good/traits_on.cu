// verdict: clean
// near: 67
#include <torch/extension.h>

template <class T>
struct Traits {
  static constexpr bool active = true;
};
template <class Policy>
struct Epilogue {
  static __device__ float apply(float v) {
    if constexpr (Policy::active) {
      return v / (1.0f + expf(-v));
    } else {
      return v;
    }
  }
};
template <class Policy>
__global__ void silu_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = Epilogue<Policy>::apply(x[i]);
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  silu_kernel<Traits<float>><<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
