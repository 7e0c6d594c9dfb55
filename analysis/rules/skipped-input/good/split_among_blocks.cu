// verdict: clean
// near: 71
#include <torch/extension.h>

__global__ void sums(const float* __restrict__ x, float* partial, long long n, int splits) {
  __shared__ float all[256];
  const float* row = x + (long long)blockIdx.x * n;
  float sum = 0.0f;
  for (long long i = blockIdx.y * 256LL + threadIdx.x; i < n; i += 256LL * splits) sum += row[i];
  all[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half >>= 1) {
    if (threadIdx.x < half) all[threadIdx.x] += all[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x * splits + blockIdx.y] = all[0];
}

__global__ void together(const float* partial, float* y, int rows, int splits) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int s = 0; s < splits; ++s) sum += partial[row * splits + s];
  y[row] = sum;
}

torch::Tensor forward(torch::Tensor x, int64_t splits) {
  const int rows = x.size(0);
  auto partial = torch::empty({rows, splits}, x.options());
  auto y = torch::empty({rows}, x.options());
  sums<<<dim3(rows, splits), 256>>>(x.data_ptr<float>(), partial.data_ptr<float>(), x.size(1), splits);
  together<<<(rows + 255) / 256, 256>>>(partial.data_ptr<float>(), y.data_ptr<float>(), rows, splits);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
