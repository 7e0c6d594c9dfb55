// verdict: clean
// near: 57
#include <torch/extension.h>
#include <vector>

__constant__ float* outs[2];

__global__ void split(const float* x, int columns, int part) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < columns) outs[i / part][blockIdx.y * part + i % part] = 2.0f * x[blockIdx.y * columns + i];
}

std::vector<torch::Tensor> forward(torch::Tensor x) {
  int rows = x.size(0), columns = x.size(1), part = columns / 2;
  auto a = torch::empty({rows, part}, x.options());
  auto b = torch::empty({rows, part}, x.options());
  float* addresses[] = {a.data_ptr<float>(), b.data_ptr<float>()};
  cudaMemcpyToSymbol(outs, addresses, sizeof(addresses));
  split<<<dim3((columns + 255) / 256, rows), 256>>>(x.data_ptr<float>(), columns, part);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return {a, b};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
