// verdict: clean
// near: 36
#include <torch/extension.h>

__device__ __forceinline__ void wait_for_inputs() { asm volatile("griddepcontrol.wait;" ::: "memory"); }
__global__ void first_kernel(const float* x, float* t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cudaTriggerProgrammaticLaunchCompletion();
  if (i < n) t[i] = x[i] * 2.0f;
}
__global__ void second_kernel(const float* t, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  wait_for_inputs();
  if (i < n) y[i] = t[i] + 1.0f;
}
torch::Tensor forward(torch::Tensor x) {
  auto t = torch::empty_like(x);
  auto y = torch::empty_like(x);
  const int n = x.numel();
  first_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), t.data_ptr<float>(), n);
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute[0].val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t how = {};
  how.gridDim = (n + 255) / 256;
  how.blockDim = 256;
  how.attrs = attribute;
  how.numAttrs = 1;
  cudaLaunchKernelEx(&how, second_kernel, (const float*)t.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
