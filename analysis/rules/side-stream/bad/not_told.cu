// verdict: inconclusive
// shows: 27, hidden by a function without a body
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}
cudaStream_t stream_of(const char* path);

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const cudaStream_t stream = stream_of("setup");
  twice_kernel<<<(x.numel() + 255) / 256, 256, 0, stream>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());  // expect: KA301
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
