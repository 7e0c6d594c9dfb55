// verdict: clean
// near: 63
#include <torch/extension.h>
#include <cuda_pipeline.h>

__global__ void row_norm(const float* x, const float* scale, float* y, int n) {
  __shared__ float row[1024];
  for (int i = threadIdx.x * 4; i < n; i += blockDim.x * 4) __pipeline_memcpy_async(&row[i], x + blockIdx.x * n + i, 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += row[i] * row[i];
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    __stcs(y + blockIdx.x * n + i, row[i] * rsqrtf(sum / n) * __ldg(scale + i));
}
torch::Tensor forward(torch::Tensor x, torch::Tensor scale) {
  auto y = torch::empty_like(x);
  row_norm<<<x.size(0), 128>>>(x.data_ptr<float>(), scale.data_ptr<float>(), y.data_ptr<float>(), x.size(1));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
