// verdict: clean
// near: 7
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <unordered_map>

template <int BLOCK>
__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}
template <int BLOCK>
void run(const float* x, float* y, int n, cudaStream_t stream) {
  twice_kernel<BLOCK><<<(n + BLOCK - 1) / BLOCK, BLOCK, 0, stream>>>(x, y, n);
}
using Run = void (*)(const float*, float*, int, cudaStream_t);
static const std::unordered_map<int, Run> kByWidth = {{1, run<64>}, {3, run<128>}, {5, run<256>}};

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  auto found = kByWidth.find(x.size(1));
  Run go = found == kByWidth.end() ? run<32> : found->second;
  go(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), at::cuda::getCurrentCUDAStream());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
