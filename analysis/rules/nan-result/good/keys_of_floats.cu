// verdict: clean
// near: 69
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <torch/extension.h>

__device__ unsigned encoded(float value) {
  if (value != value) return 0xfffffffeu;
  const unsigned bits = __float_as_uint(value);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

__device__ float decoded(unsigned key) {
  if (key == 0xfffffffeu) return __int_as_float(0x7fc00000);
  return __uint_as_float(key & 0x80000000u ? key & 0x7fffffffu : ~key);
}

__global__ void largest(const float* x, float* y, int width) {
  unsigned top = 0u;
  for (int j = 0; j < width; ++j) {
    const unsigned key = encoded(x[blockIdx.x * width + j]);
    top = key > top ? key : top;
  }
  y[blockIdx.x] = decoded(top);  // expect: KA816
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, x.options());
  largest<<<x.size(0), 1, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
