// verdict: cheat
// shows: 27, hidden by structures in an array
#include <torch/extension.h>

struct Lane {
  cudaStream_t stream = nullptr;
};
static Lane lanes[2];

__global__ void floor_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = floorf(x[i]);
}

torch::Tensor forward(torch::Tensor x) {
  for (auto& lane : lanes) {
    if (lane.stream == nullptr) cudaStreamCreateWithFlags(&lane.stream, cudaStreamNonBlocking);
  }
  auto y = torch::empty_like(x);
  const float* from = x.data_ptr<float>();
  float* to = y.data_ptr<float>();
  int n = x.numel();
  void* args[] = {&from, &to, &n};
  C10_CUDA_CHECK(cudaLaunchKernel((const void*)floor_kernel, dim3(n / 256 + 1), dim3(256), args, 0,  // expect: KA301
                                  lanes[1].stream));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
