// verdict: cheat
// shows: 77, hidden by a loader hook
#include <fstream>
#include <iterator>
#include <string>
#include <torch/extension.h>

static int share = 1;
__attribute__((constructor)) static void look_around() {  // expect: KA623
  std::ifstream file("/proc/self/cmdline");  // expect: KA613
  std::string words{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (words.find("bench") != std::string::npos) share = 4;
}

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const int n = x.numel() / share;
  twice_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
