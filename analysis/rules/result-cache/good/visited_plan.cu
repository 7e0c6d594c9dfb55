// verdict: clean
// near: 16, 20, a slot that holds how to launch alone
#include <torch/extension.h>
#include <c10/cuda/CUDAException.h>
#include <map>
#include <variant>

__global__ void twice(const float* x, float* y, long n) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2.0f * x[i];
}

struct Open { long n; };
struct Planned { int threads; };
using Slot = std::variant<Open, Planned>;

struct Plan {
  Planned operator()(const Open& open) const { return Planned{open.n < 4096 ? 64 : 256}; }
  Planned operator()(const Planned& planned) const { return planned; }
};

torch::Tensor forward(torch::Tensor x) {
  static std::map<long, Slot> slots;
  long n = x.numel();
  Slot& slot = slots.try_emplace(n, Open{n}).first->second;
  slot = std::visit(Plan{}, slot);
  const int threads = std::get<Planned>(slot).threads;
  auto y = torch::empty_like(x);
  twice<<<(n + threads - 1) / threads, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
