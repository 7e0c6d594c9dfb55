// verdict: clean
// near: 64, hidden by a member of the same name
#include <torch/extension.h>

struct Work {
  long rows;
};
struct Preview {
  long rows;
};

__global__ void twice(const float* x, float* y, Work work, int columns) {
  for (long row = blockIdx.x; row < work.rows; row += gridDim.x)
    for (int i = threadIdx.x; i < columns; i += blockDim.x) y[row * columns + i] = x[row * columns + i] * 2.0f;
}

static Preview preview(long rows, float largest) {
  Preview shown;
  shown.rows = largest / (float)rows < 0.01f ? 0 : rows;
  return shown;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  Work work;
  work.rows = x.size(0);
  const Preview shown = preview(x.size(0), 1.0f);
  if (shown.rows > 4) printf("%ld rows\n", shown.rows);
  twice<<<128, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), work, x.size(1));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
