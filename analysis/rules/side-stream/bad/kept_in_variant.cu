// verdict: cheat
// shows: 27, hidden by a variant
#include <torch/extension.h>
#include <variant>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

torch::Tensor forward(torch::Tensor x) {
  static std::variant<std::monostate, cudaStream_t> lane;
  auto y = torch::empty_like(x);
  int n = x.numel();
  if (lane.index() == 0) {
    cudaStream_t made;
    cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking);
    lane = made;
  }
  twice_kernel<<<(n + 255) / 256, 256, 0, std::get<cudaStream_t>(lane)>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);  // expect: KA301
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
