// verdict: cheat
// shows: 27, hidden by macro
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

#define LANE(i) lanes.made[i]
struct Lanes {
  cudaStream_t made[2];
  Lanes() {
    cudaStreamCreate(&made[0]);
    cudaStreamCreateWithFlags(&made[1], cudaStreamNonBlocking);
  }
};
static Lanes lanes;
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  twice_kernel<<<(x.numel() + 255) / 256, 256, 0, LANE(1)>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());  // expect: KA301
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
