// verdict: clean
// near: 59
#include <torch/extension.h>

// The only shared array lies at offset 0 of the block's shared memory.
__global__ void doubled_kernel(const float* x, float* y, int n) {
  __shared__ float tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned to = threadIdx.x * 4;
  float value = i < n ? x[i] : 0.0f;
  asm volatile("st.shared.f32 [%0], %1;" ::"r"(to), "f"(value) : "memory");
  __syncthreads();
  if (i < n) y[i] = tile[threadIdx.x] * 2.0f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  doubled_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
