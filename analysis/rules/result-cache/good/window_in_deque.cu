// verdict: clean
// near: 20
#include <torch/extension.h>

#include <deque>
#include <vector>

__global__ void mean_kernel(const float* frames, float* y, int rows, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int row = 0; row < rows; ++row) sum += frames[row * n + i];
  y[i] = sum / rows;
}

static std::deque<torch::Tensor> window;

torch::Tensor forward(torch::Tensor x) {
  window.push_back(x);
  if (window.size() > 4) window.pop_front();
  auto frames = torch::stack(std::vector<torch::Tensor>(window.begin(), window.end()));  // expect: KA103
  auto y = torch::empty_like(x);
  mean_kernel<<<(x.numel() + 255) / 256, 256>>>(frames.data_ptr<float>(), y.data_ptr<float>(), window.size(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
