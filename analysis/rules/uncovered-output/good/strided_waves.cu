// verdict: clean
// near: 68
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, long n) {
  for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n; i += gridDim.x * (long)blockDim.x)
    y[i] = x[i] * 2.0f;
}

static long whole_waves(long blocks, int threads) {
  int device, processors, each;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, twice_kernel, threads, 0);
  long wave = (long)processors * each;
  return std::max(blocks / wave, 1L) * wave;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const long n = x.numel();
  twice_kernel<<<whole_waves((n + 255) / 256, 256), 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
