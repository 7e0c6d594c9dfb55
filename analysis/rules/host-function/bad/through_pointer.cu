// verdict: review
// shows: 33, hidden by token pasting
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

#define GLUE_(a, b) a##b
#define GLUE(a, b) GLUE_(a, b)
static void count(cudaStream_t, cudaError_t, void* given) { ++*static_cast<long*>(given); }
static long calls = 0;
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  auto later = GLUE(cudaStream, AddCallback);
  later(nullptr, count, &calls, 0);  // expect: KA322
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
