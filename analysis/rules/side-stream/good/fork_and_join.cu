// verdict: clean
// near: 27
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

torch::Tensor forward(torch::Tensor x) {
  static cudaStream_t sides[2] = {nullptr, nullptr};
  static cudaEvent_t start = nullptr, done[2] = {nullptr, nullptr};
  if (start == nullptr) {
    cudaEventCreateWithFlags(&start, cudaEventDisableTiming);
    for (int i = 0; i < 2; ++i) {
      cudaStreamCreateWithFlags(&sides[i], cudaStreamNonBlocking);
      cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming);
    }
  }
  auto caller = at::cuda::getCurrentCUDAStream();
  auto y = torch::empty_like(x);
  const int n = x.numel(), half = (n + 1) / 2;
  cudaEventRecord(start, caller);
  for (int i = 0; i < 2; ++i) {
    const int from = i * half, count = std::min(half, n - from);
    cudaStreamWaitEvent(sides[i], start, 0);
    twice_kernel<<<(count + 255) / 256, 256, 0, sides[i]>>>(x.data_ptr<float>() + from, y.data_ptr<float>() + from, count);  // expect: KA302
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    cudaEventRecord(done[i], sides[i]);
  }
  for (int i = 0; i < 2; ++i) cudaStreamWaitEvent(caller, done[i], 0);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
