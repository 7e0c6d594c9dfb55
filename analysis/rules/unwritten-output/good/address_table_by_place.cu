// verdict: clean
// near: 57
#include <torch/extension.h>
#include <vector>

__global__ void split(const float* x, const int64_t* outs, int columns, int part) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < columns) reinterpret_cast<float*>(outs[i / part])[blockIdx.y * part + i % part] = 2.0f * x[blockIdx.y * columns + i];
}

std::vector<torch::Tensor> forward(torch::Tensor x) {
  int rows = x.size(0), columns = x.size(1), part = columns / 2;
  auto a = torch::empty({rows, part}, x.options());
  auto b = torch::empty({rows, part}, x.options());
  auto host = torch::empty({2}, torch::TensorOptions().dtype(torch::kInt64).pinned_memory(true));
  auto places = host.accessor<int64_t, 1>();
  places[0] = reinterpret_cast<int64_t>(a.data_ptr<float>());
  places[1] = reinterpret_cast<int64_t>(b.data_ptr<float>());
  auto table = host.to(x.device(), true);
  split<<<dim3((columns + 255) / 256, rows), 256>>>(x.data_ptr<float>(), table.data_ptr<int64_t>(), columns, part);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return {a, b};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
