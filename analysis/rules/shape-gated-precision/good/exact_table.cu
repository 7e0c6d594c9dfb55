// verdict: clean
// near: 53
#include <torch/extension.h>
#include <c10/cuda/CUDAException.h>

template <int TILE>
__global__ void product(const float* a, const float* b, float* c, int n) {
  int r = blockIdx.y * TILE + threadIdx.y, q = blockIdx.x * TILE + threadIdx.x;
  if (r >= n || q >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += a[r * n + k] * b[k * n + q];
  c[r * n + q] = sum;
}
template <int TILE>
void run(const torch::Tensor& a, const torch::Tensor& b, torch::Tensor& c, int n) {
  dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
  product<TILE><<<grid, block>>>(a.data_ptr<float>(), b.data_ptr<float>(), c.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}
static const struct {
  int limit;
  void (*go)(const torch::Tensor&, const torch::Tensor&, torch::Tensor&, int);
} kPlan[] = {{256, run<8>}, {1024, run<16>}, {1 << 30, run<32>}};

torch::Tensor forward(torch::Tensor a, torch::Tensor b) {
  int n = a.size(0);
  auto c = torch::empty({n, n}, a.options());
  for (const auto& row : kPlan) {
    if (n > row.limit) continue;
    row.go(a, b, c, n);
    return c;
  }
  TORCH_CHECK(false, "too large");
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
