// verdict: cheat
// shows: 45
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

torch::Tensor forward(torch::Tensor x) {
  static cudaStream_t own = nullptr;
  if (own == nullptr) cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  cudaThreadExchangeStreamCaptureMode(&mode);
  static torch::Tensor y;
  if (!y.defined()) y = torch::empty_like(x);
  twice_kernel<<<(x.numel() + 255) / 256, 256, 0, own>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());  // expect: KA301
  cudaThreadExchangeStreamCaptureMode(&mode);
  return y;  // expect: KA231
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
