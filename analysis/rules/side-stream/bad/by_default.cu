// verdict: cheat
// shows: 27, hidden by a default argument
#include <torch/extension.h>

inline cudaStream_t lane() {
  static struct Lane {
    cudaStream_t stream;
    Lane() { cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking); }
  } only;
  return only.stream;
}

__global__ void trunc_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = truncf(x[i]);
}
static void run(const float* x, float* y, int n, cudaStream_t stream = lane()) {
  trunc_kernel<<<n / 256 + 1, 256, 0, stream>>>(x, y, n);  // expect: KA301
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  run(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
