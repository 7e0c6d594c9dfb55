// verdict: clean
// near: 64
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

struct Top {
  float value = -1e30f;
  int count = 0;
};

__device__ bool raise(float& top, float v) {
  const bool more = v > top;
  if (more) top = v;
  return more;
}
__device__ void note(Top& top, float v) {
  top.value = fmaxf(top.value, v);
  top.count += 1;
}

__global__ void row_tops(const float* x, float* y, int n) {
  const float* row = x + (size_t)blockIdx.x * n;
  float top = -1e30f;
  Top other;
  for (int i = 0; i < n; ++i) {
    raise(top, row[i]);
    note(other, row[i]);
  }
  y[blockIdx.x] = top + other.value;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, x.options());
  row_tops<<<x.size(0), 1, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
