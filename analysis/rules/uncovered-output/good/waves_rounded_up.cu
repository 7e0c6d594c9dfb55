// verdict: clean
// near: 68
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

__global__ void root(const float4* x, float4* y, long n) {
  const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i < n) {
    const float4 v = x[i];
    y[i] = make_float4(sqrtf(v.x), sqrtf(v.y), sqrtf(v.z), sqrtf(v.w));
  }
}

static long full_waves(long blocks) {
  int device, processors;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  const long wave = 8L * processors;
  return (blocks + wave - 1) / wave * wave;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const long n = x.numel() / 4;
  root<<<full_waves((n + 255) / 256), 256, 0, at::cuda::getCurrentCUDAStream()>>>(
      reinterpret_cast<const float4*>(x.data_ptr<float>()), reinterpret_cast<float4*>(y.data_ptr<float>()), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
