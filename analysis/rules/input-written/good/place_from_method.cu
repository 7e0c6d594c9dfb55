// verdict: clean
// near: 60, a view with a place of its own
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

template <typename T>
struct Row {
  const T* first;
  T* staged;
  __device__ T at(int i) const { return first[i]; }
  __device__ T& place(int i) const { return staged[i]; }
  __device__ void put(int i, T value) const { staged[i] = value; }
};

__global__ void row_sums(const float* x, float* y, int n) {
  __shared__ float held[1024];
  Row<float> row{x + (size_t)blockIdx.x * n, held};
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    row.place(i) = row.at(i);
    row.put(i, held[i] * 2.f);
  }
  __syncthreads();
  float sum = 0.f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += held[i];
  atomicAdd(y + blockIdx.x, sum);
}

torch::Tensor forward(torch::Tensor x) {
  TORCH_CHECK(x.size(1) <= 1024);
  auto y = torch::zeros({x.size(0)}, x.options());
  row_sums<<<x.size(0), 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(),
                                                                    x.size(1));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
