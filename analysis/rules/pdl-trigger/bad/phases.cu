// verdict: review
// shows: 36, hidden by templates
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>

struct Prologue {};
struct Mainloop {};
template <class Phase>
struct Hint {
  __device__ static void emit() {}
};
template <>
struct Hint<Prologue> {
  __device__ static void emit() { asm volatile("griddepcontrol.launch_dependents;"); }
};
template <class... Phases>
struct Emit;
template <class First, class... Rest>
struct Emit<First, Rest...> {
  __device__ static void run() {
    Hint<First>::emit();
    Emit<Rest...>::run();
  }
};
template <>
struct Emit<> {
  __device__ static void run() {}
};
__global__ void twice_kernel(const float* x, float* y, int n) {
  Emit<Prologue>::run();  // expect: KA325
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
  Emit<Mainloop>::run();
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  const float* from = x.data_ptr<float>();
  float* to = y.data_ptr<float>();
  cudaLaunchConfig_t config{};
  config.gridDim = dim3((n + 255) / 256);
  config.blockDim = dim3(256);
  config.stream = at::cuda::getCurrentCUDAStream();
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute[0].val.programmaticStreamSerializationAllowed = 1;
  config.attrs = attribute;
  config.numAttrs = 1;
  C10_CUDA_CHECK(cudaLaunchKernelEx(&config, twice_kernel, from, to, n));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
