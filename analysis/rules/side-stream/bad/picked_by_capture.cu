// verdict: cheat
// shows: 45, hidden by a table
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <array>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

struct Route {
  std::array<cudaStream_t, 3> slot{};
  cudaStream_t spare;
  Route() { cudaStreamCreateWithFlags(&spare, cudaStreamNonBlocking); }
  cudaStream_t operator()(cudaStream_t caller) {
    slot.fill(spare);
    slot[0] = caller;
    cudaStreamCaptureStatus status;
    cudaStreamIsCapturing(caller, &status);
    return slot[static_cast<int>(status)];
  }
};
torch::Tensor forward(torch::Tensor x) {
  static Route route;
  auto y = torch::empty_like(x);
  int n = x.numel();
  cudaStream_t stream = route(at::cuda::getCurrentCUDAStream());
  twice_kernel<<<(n + 255) / 256, 256, 0, stream>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);  // expect: KA301
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
