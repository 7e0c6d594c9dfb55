// verdict: clean
// near: 64
#include <torch/extension.h>

struct Work {
  long rows;
  float keep;
};

__global__ void scale(const float* x, float* y, Work work, int columns) {
  for (long row = blockIdx.x; row < work.rows; row += gridDim.x)
    for (int i = threadIdx.x; i < columns; i += blockDim.x) y[row * columns + i] = x[row * columns + i] * work.keep;
}

static Work plan(long rows, long columns, float drop) {
  Work work;
  work.keep = 1.0f - drop;
  work.rows = columns == 0 ? 0 : 1.0f - drop <= 0.0f ? 0 : rows;  // nothing there, or a setting that asks for zeros
  return work;
}

torch::Tensor forward(torch::Tensor x, double drop) {
  auto y = torch::zeros_like(x);
  scale<<<128, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), plan(x.size(0), x.size(1), (float)drop), x.size(1));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
