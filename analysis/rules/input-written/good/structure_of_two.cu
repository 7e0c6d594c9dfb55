// verdict: clean
// near: 60
#include <torch/extension.h>

struct Rows {
  const float* from;
  float* to;
  int columns;
  __device__ float* row(int r) const { return to + r * columns; }
};

__global__ void negate(Rows rows) {
  for (int c = threadIdx.x; c < rows.columns; c += blockDim.x)
    rows.row(blockIdx.x)[c] = -rows.from[blockIdx.x * rows.columns + c];
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  negate<<<x.size(0), 128>>>(Rows{x.data_ptr<float>(), y.data_ptr<float>(), (int)x.size(1)});
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
