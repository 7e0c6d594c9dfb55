// verdict: clean
// near: 45
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

// Errors are asked for where asking is allowed, and small inputs go by a stream that is joined.
torch::Tensor forward(torch::Tensor x) {
  static cudaStream_t own = nullptr;
  static cudaEvent_t forked, joined;
  if (own == nullptr) {
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&forked, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&joined, cudaEventDisableTiming);
  }
  cudaStream_t current = at::cuda::getCurrentCUDAStream();
  cudaStream_t stream = x.numel() < 4096 ? own : current;
  cudaEventRecord(forked, current);
  cudaStreamWaitEvent(stream, forked, 0);
  auto y = torch::empty_like(x);
  twice_kernel<<<(x.numel() + 255) / 256, 256, 0, stream>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  cudaEventRecord(joined, stream);
  cudaStreamWaitEvent(current, joined, 0);
  cudaStreamCaptureStatus status;
  cudaStreamIsCapturing(current, &status);
  if (status == cudaStreamCaptureStatusNone) TORCH_CHECK(cudaGetLastError() == cudaSuccess);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
