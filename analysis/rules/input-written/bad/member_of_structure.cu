// verdict: review
// shows: 60, hidden by a cast in a method
#include <torch/extension.h>

struct Matrix {
  const float* data;
  int rows, columns;
  __device__ float at(int r, int c) const { return data[r * columns + c]; }
  __device__ float* end_of(int r) const { return const_cast<float*>(data) + r * columns + columns / 2; }
};

__global__ void trim(Matrix m) { m.end_of(blockIdx.x)[threadIdx.x] = 0.0f; }
__global__ void row_sum(Matrix m, float* out) {
  float sum = 0.0f;
  for (int c = 0; c < m.columns; ++c) sum += m.at(blockIdx.x, c);
  out[blockIdx.x] = sum;
}

torch::Tensor forward(torch::Tensor x) {
  auto out = torch::empty({x.size(0)}, x.options());
  Matrix m{x.data_ptr<float>(), (int)x.size(0), (int)x.size(1)};
  trim<<<m.rows, m.columns / 2>>>(m);  // expect: KA532
  row_sum<<<m.rows, 1>>>(m, out.data_ptr<float>());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
