// verdict: cheat
// shows: 31, hidden by a container of futures
#include <torch/extension.h>

#include <future>
#include <vector>

__global__ void twice(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

namespace {
std::vector<std::future<void>> running;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  running.emplace_back(std::async(std::launch::async, [=] {  // expect: KA321
    twice<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  }));
  return y;
}
