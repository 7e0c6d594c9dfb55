// verdict: clean
// near: 15, lengths that another kernel counted
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

__global__ void begins(const long long* groups, long long* first, int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows && (r == 0 || groups[r] != groups[r - 1])) first[groups[r]] = r;
  if (r == 0) first[groups[rows - 1] + 1] = rows;
}

__global__ void group_sums(const float* x, float* y, int n, const long long* first) {
  long long begin = first[blockIdx.x], end = first[blockIdx.x + 1];
  float sum = 0.f;
  for (long long r = begin; r < end; ++r) sum += x[r * n + threadIdx.x];
  y[blockIdx.x * n + threadIdx.x] = sum;
}

torch::Tensor forward(torch::Tensor x, torch::Tensor groups, int64_t count) {
  auto stream = at::cuda::getCurrentCUDAStream();
  int rows = x.size(0), n = x.size(1);
  auto first = torch::zeros({count + 1}, groups.options());
  auto y = torch::empty({count, n}, x.options());
  auto* table = (long long*)first.data_ptr<int64_t>();
  begins<<<(rows + 255) / 256, 256, 0, stream>>>((const long long*)groups.data_ptr<int64_t>(), table, rows);
  group_sums<<<count, n, 0, stream>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, table);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
