// verdict: clean
#include <torch/extension.h>

#define WAIT() __sync##threads()
__global__ void loop_kernel(const float* x, float* y, int n) {
  __shared__ float tile[256];
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    tile[threadIdx.x] = x[i];
    WAIT();  // expect: KA903
    y[i] = tile[threadIdx.x];
  }
  if (n > 0) y[0] += 0.0f;
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  loop_kernel<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
