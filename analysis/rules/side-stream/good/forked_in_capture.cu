// verdict: clean
// near: 28, 45
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

torch::Tensor forward(torch::Tensor x) {
  static cudaStream_t own = nullptr;
  static cudaEvent_t forked, joined;
  if (own == nullptr) {
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&forked, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&joined, cudaEventDisableTiming);
  }
  cudaStream_t current = at::cuda::getCurrentCUDAStream();
  cudaEventRecord(forked, current);
  cudaStreamWaitEvent(own, forked, 0);
  auto y = torch::empty_like(x);
  twice_kernel<<<(x.numel() + 255) / 256, 256, 0, own>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());  // expect: KA302
  cudaEventRecord(joined, own);
  cudaStreamWaitEvent(current, joined, 0);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
