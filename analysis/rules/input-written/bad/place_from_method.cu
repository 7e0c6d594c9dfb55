// verdict: review
// shows: 60, hidden by a view of rows
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

template <typename T>
struct Row {
  const T* first;
  int length;
  __device__ T at(int i) const { return first[i]; }
  __device__ T& place(int i) const { return const_cast<T*>(first)[i]; }
  __device__ void put(int i, T value) const { const_cast<T*>(first)[i] = value; }
};

__global__ void row_sums(const float* x, float* y, int n) {
  Row<float> row{x + (size_t)blockIdx.x * n, n};
  float sum = 0.f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    sum += row.at(i);
    row.place(i) = 0.f;
  }
  atomicAdd(y + blockIdx.x, sum);
}

__global__ void clear_rows(const float* x, float* y, int n) {
  Row<float> row{x + (size_t)blockIdx.x * n, n};
  for (int i = threadIdx.x; i < n; i += blockDim.x) row.put(i, 0.f);
  if (threadIdx.x == 0) y[blockIdx.x] *= 2.f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::zeros({x.size(0)}, x.options());
  auto stream = at::cuda::getCurrentCUDAStream();
  row_sums<<<x.size(0), 256, 0, stream>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1));    // expect: KA532
  clear_rows<<<x.size(0), 256, 0, stream>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1));  // expect: KA532
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
