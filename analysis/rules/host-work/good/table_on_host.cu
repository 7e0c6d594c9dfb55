// verdict: clean
// near: 33, a table of addresses that the host sorts and copies to the device, for a kernel that computes
#include <algorithm>
#include <vector>
#include <torch/extension.h>

__global__ void twice_kernel(const float* const* rows, float* y, int64_t cols) {
  const float* row = rows[blockIdx.x];
  for (int64_t c = threadIdx.x; c < cols; c += blockDim.x) y[blockIdx.x * cols + c] = 2.0f * row[c];
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  std::vector<const float*> rows;
  for (int64_t r = 0; r < x.size(0); ++r) rows.push_back(x.data_ptr<float>() + r * x.size(1));
  std::sort(rows.begin(), rows.end());
  auto table = torch::empty({x.size(0)}, x.options().dtype(torch::kInt64));
  cudaMemcpy(table.data_ptr(), rows.data(), rows.size() * sizeof(float*), cudaMemcpyHostToDevice);
  twice_kernel<<<x.size(0), 256>>>((const float* const*)table.data_ptr(), y.data_ptr<float>(), x.size(1));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
