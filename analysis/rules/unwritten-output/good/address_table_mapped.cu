// verdict: clean
// near: 57
#include <torch/extension.h>
#include <algorithm>
#include <vector>

__global__ void split(const float* x, float* const* outs, int columns, int part) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < columns) outs[i / part][blockIdx.y * part + i % part] = 2.0f * x[blockIdx.y * columns + i];
}

std::vector<torch::Tensor> forward(torch::Tensor x) {
  int rows = x.size(0), columns = x.size(1), part = columns / 2;
  auto a = torch::empty({rows, part}, x.options());
  auto b = torch::empty({rows, part}, x.options());
  std::vector<torch::Tensor> outs{a, b};
  std::vector<int64_t> addresses(outs.size());
  std::transform(outs.begin(), outs.end(), addresses.begin(),
                 [](const torch::Tensor& each) { return reinterpret_cast<int64_t>(each.data_ptr()); });
  auto table = torch::from_blob(addresses.data(), {2}, torch::kInt64).to(x.device());
  split<<<dim3((columns + 255) / 256, rows), 256>>>(x.data_ptr<float>(), reinterpret_cast<float**>(table.data_ptr<int64_t>()), columns, part);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return {a, b};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
