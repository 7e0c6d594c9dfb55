// verdict: review
// shows: 33
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

static float scale = 1.0f;
static void prepare(void* given) { *static_cast<float*>(given) = 2.0f; }
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  cudaLaunchHostFunc(0, prepare, &scale);  // expect: KA322
  twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
