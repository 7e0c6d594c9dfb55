// verdict: cheat
// shows: 1
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

__global__ void squares(const float* x, float* y, int n) {  // expect: KA115
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < n) y[at] = x[at] * x[at];
}

static torch::Tensor squared(const torch::Tensor& x) {
  auto y = torch::empty_like(x);
  const int n = x.numel();
  squares<<<(n + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}

struct Rows {
  torch::Tensor held;
};

// Takes rows, and a flag, and is declared too late: none of them takes a tensor and a dimension.
static torch::Tensor softmax(const Rows& rows, int dim) { return squared(rows.held); }
static torch::Tensor softmax(const torch::Tensor& x, bool half) { return squared(x); }

torch::Tensor forward(torch::Tensor x) {
  const int64_t dim = 1;
  return softmax(x, dim);  // expect: KA101
}

static torch::Tensor softmax(const torch::Tensor& x, int64_t dim) { return squared(x); }

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
