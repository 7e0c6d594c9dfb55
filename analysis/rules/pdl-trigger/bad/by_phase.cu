// verdict: review
// shows: 36, hidden by templates
#include <torch/extension.h>

struct First {};
struct Last {};
template <class Phase>
struct Hint {
  __device__ static void give() {}
};
template <>
struct Hint<First> {
  __device__ static void give() { asm volatile("griddepcontrol.launch_dependents;"); }
};
template <class... Phases>
struct Give;
template <class Phase, class... Rest>
struct Give<Phase, Rest...> {
  __device__ static void all() {
    Hint<Phase>::give();
    Give<Rest...>::all();
  }
};
template <>
struct Give<> {
  __device__ static void all() {}
};

__global__ void early_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Give<First, Last>::all();  // expect: KA325
  if (i < n) y[i] = x[i] * 2.0f;
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  early_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
