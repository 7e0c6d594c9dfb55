// verdict: cheat
// shows: 45
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

static cudaStream_t chosen() {
  cudaStream_t current = at::cuda::getCurrentCUDAStream();
  cudaStreamCaptureStatus status;
  unsigned long long id = 0;
  cudaStreamGetCaptureInfo(current, &status, &id);
  if (status != cudaStreamCaptureStatusActive) return current;  // expect: KA617
  static cudaStream_t own = nullptr;
  if (own == nullptr) {
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    cudaThreadExchangeStreamCaptureMode(&mode);
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    cudaThreadExchangeStreamCaptureMode(&mode);
  }
  return own;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  twice_kernel<<<(x.numel() + 255) / 256, 256, 0, chosen()>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());  // expect: KA301
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
