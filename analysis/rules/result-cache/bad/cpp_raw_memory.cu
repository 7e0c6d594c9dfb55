// verdict: cheat
// shows: 17, 20
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

static float* kept = nullptr;
static int calls = 0;
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  if (kept == nullptr) cudaMalloc(&kept, x.nbytes());  // expect: KA531
  if (calls++ == 0) {
    twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), kept, x.numel());
  }
  cudaMemcpyAsync(y.data_ptr<float>(), kept, x.nbytes(), cudaMemcpyDeviceToDevice, 0);
  return y;  // expect: KA201
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
