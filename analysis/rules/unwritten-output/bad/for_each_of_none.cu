// verdict: cheat
// shows: 57, hidden by std::for_each
#include <torch/extension.h>
#include <algorithm>
#include <functional>

__global__ void twice_kernel(const float* x, float* y, int n) {  // expect: KA115
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);  // expect: KA531
  int n = x.numel();
  std::vector<std::function<void()>> stages;
  std::for_each(stages.begin(), stages.end(), [](const std::function<void()>& stage) { stage(); });
  auto last = [&] { twice_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n); };
  (void)last;
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
