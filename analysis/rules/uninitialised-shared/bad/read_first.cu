// verdict: review
// shows: 59, hidden by macro
#include <torch/extension.h>

#define PART(type, name) extern __shared__ type name[]
__global__ void read_first_kernel(const float* x, float* y, int n) {
  PART(float, buffer);
  float* mine = buffer + threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float before = *mine;  // expect: KA533
  *mine = i < n ? x[i] : 0.0f;
  __syncthreads();
  if (i < n) y[i] = before + *mine;
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  read_first_kernel<<<(x.numel() + 255) / 256, 256, 1024>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
