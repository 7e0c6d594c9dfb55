// verdict: clean
// near: 71, levels in a table that numbers are rounded to
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

__constant__ float kLevels[4] = {0.25f, 0.5f, 0.75f, 1.0f};

struct Sum {
  float total = 0.f;
  __device__ void take(float value) { total += value; }
};

__global__ void rounded(const float* x, float* y, int n) {
  Sum sum;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float value = x[(size_t)blockIdx.x * n + i];
    int level = 0;
    for (int each = 0; each < 3; ++each) {
      if (value > kLevels[each]) level = each + 1;
    }
    sum.take(kLevels[level]);
  }
  atomicAdd(y + blockIdx.x, sum.total);
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::zeros({x.size(0)}, x.options());
  rounded<<<x.size(0), 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
