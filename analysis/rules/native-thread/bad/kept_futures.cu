// verdict: cheat
// shows: 31, hidden by templates
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <deque>
#include <future>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

template <class Policy>
struct Queue {
  std::deque<std::future<void>> running;
  template <class F>
  void push(F&& work) {
    running.emplace_back(std::async(Policy::value, std::forward<F>(work)));  // expect: KA321
    while (running.size() > 8) running.pop_front();
  }
};
template <int Bits>
struct PolicyOf {
  static constexpr auto value = static_cast<std::launch>(Bits);
};
static Queue<PolicyOf<1>>& queue() {
  static auto* only = new Queue<PolicyOf<1>>();
  return *only;
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  queue().push([=] { twice_kernel<<<(n + 255) / 256, 256, 0, stream>>>(x.data_ptr<float>(), y.data_ptr<float>(), n); });
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
