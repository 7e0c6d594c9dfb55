// verdict: review
// shows: 33, rows that a host function sorts between a copy to the host and one back
#include <algorithm>
#include <functional>
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

__global__ void twice_kernel(const float* x, float* y, int64_t n) {
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

struct Job {
  float* rows;
  int count, length;
  static void run(void* given) {
    auto* job = static_cast<Job*>(given);
    for (int r = 0; r < job->count; ++r) {
      float* row = job->rows + (size_t)r * job->length;
      std::sort(row, row + job->length, std::greater<float>());
    }
    delete job;
  }
};

torch::Tensor forward(torch::Tensor x) {
  auto stream = at::cuda::getCurrentCUDAStream();
  auto y = torch::empty_like(x), sorted = torch::empty_like(x);
  auto host = torch::empty({x.size(0), x.size(1)}, torch::TensorOptions().pinned_memory(true));
  cudaMemcpyAsync(host.data_ptr(), x.data_ptr(), x.nbytes(), cudaMemcpyDeviceToHost, stream);
  cudaLaunchHostFunc(stream, Job::run,  // expect: KA322
                     new Job{host.data_ptr<float>(), (int)x.size(0), (int)x.size(1)});
  cudaMemcpyAsync(sorted.data_ptr(), host.data_ptr(), x.nbytes(), cudaMemcpyHostToDevice, stream);
  twice_kernel<<<(x.numel() + 255) / 256, 256, 0, stream>>>(sorted.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
