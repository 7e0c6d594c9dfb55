// verdict: clean
// near: 57
#include <torch/extension.h>
#include <cuda_fp16.h>

template <int ROWS>
__global__ void row_sums(const half* x, half* y, int columns) {
  for (int r = 0; r < ROWS; ++r) {
    float sum = 0.f;
    for (int i = threadIdx.x; i < columns; i += 32) sum += __half2float(x[r * columns + i]);
    for (int o = 16; o > 0; o /= 2) sum += __shfl_down_sync(0xffffffffu, sum, o);
    if (threadIdx.x == 0) y[r] = __float2half(sum);
  }
}
template <int ROWS>
void run(const torch::Tensor& x, torch::Tensor& y, int64_t row) {
  auto halves = [](const torch::Tensor& t) { return reinterpret_cast<half*>(t.data_ptr<at::Half>()); };
  row_sums<ROWS><<<1, 32>>>(halves(x) + row * x.size(1), halves(y) + row, x.size(1));
}
torch::Tensor sums(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, x.options());
  int64_t row = 0;
  for (; row + 4 <= x.size(0); row += 4) run<4>(x, y, row);
  for (; row < x.size(0); ++row) run<1>(x, y, row);
  return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &sums); }
