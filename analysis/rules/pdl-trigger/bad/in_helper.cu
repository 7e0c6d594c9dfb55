// verdict: review
// shows: 36, hidden by a helper
#include <torch/extension.h>

__device__ __forceinline__ void signal(bool early) {
  if (early) asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
__device__ void put(float* y, int i, float v) { y[i] = v; }
__global__ void early_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  signal(true);  // expect: KA325
  if (i < n) put(y, i, x[i] * 2.0f);
}
__global__ void last_kernel(int* done) {
  if (threadIdx.x == 0) *done = 1;
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  early_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute[0].val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t how = {};
  how.gridDim = 1;
  how.blockDim = 32;
  how.attrs = attribute;
  how.numAttrs = 1;
  auto done = torch::empty({1}, x.options().dtype(torch::kInt));
  cudaLaunchKernelEx(&how, last_kernel, done.data_ptr<int>());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
