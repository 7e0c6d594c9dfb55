// verdict: review
// shows: 15, marks of inputs that a kernel compares
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

__global__ void mark(const unsigned* x, long count, long long* marks) {
  __shared__ unsigned long long sum;
  if (threadIdx.x == 0) {
    sum = 0;
    marks[1] = marks[0];
  }
  __syncthreads();
  atomicAdd(&sum, (unsigned long long)x[threadIdx.x * (count / 256)] * 2654435761u);
  __syncthreads();
  if (threadIdx.x == 0) marks[0] = sum | 1;
}

__global__ void row_sums(const float* x, float* y, int n, const long long* marks) {
  int length = n * int(marks[0] != marks[1]);
  float sum = length ? 0.f : y[blockIdx.x];
  for (int i = 0; i < length; ++i) sum += x[(size_t)blockIdx.x * n + i];  // expect: KA413
  y[blockIdx.x] = sum;
}

torch::Tensor forward(torch::Tensor x, torch::Tensor marks, torch::Tensor y) {
  auto stream = at::cuda::getCurrentCUDAStream();
  auto* both = (long long*)marks.data_ptr<int64_t>();
  mark<<<1, 256, 0, stream>>>((const unsigned*)x.data_ptr(), x.numel(), both);  // expect: KA532
  row_sums<<<x.size(0), 1, 0, stream>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1), both);  // expect: KA532
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y.clone();
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
