// verdict: clean
// near: 14
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <torch/extension.h>

__device__ int stamps[256];

// A count of an earlier turn counts as none.
__global__ void count(const int* x, int* counts, int n, int turn) {
  for (int i = 0; i < n; ++i) {
    const int kind = x[i] & 255;
    if (stamps[kind] != turn) {
      stamps[kind] = turn;
      counts[kind] = 0;
    }
    counts[kind] += 1;
  }
}

__global__ void put(const int* x, const int* counts, int* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = counts[x[i] & 255];
}

torch::Tensor forward(torch::Tensor x) {
  static int turn = 0;
  auto y = torch::empty_like(x);
  auto counts = torch::empty({256}, x.options());
  auto stream = at::cuda::getCurrentCUDAStream();
  count<<<1, 1, 0, stream>>>(x.data_ptr<int>(), counts.data_ptr<int>(), x.numel(), ++turn);
  put<<<(x.numel() + 255) / 256, 256, 0, stream>>>(x.data_ptr<int>(), counts.data_ptr<int>(), y.data_ptr<int>(),
                                                      x.numel());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
