// verdict: clean
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>

__global__ void shift_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + 1.0f;
}

struct Lane {
  cudaStream_t stream;
  cudaEvent_t ready, done;
};

Lane make_lane() {
  Lane lane;
  cudaStreamCreateWithFlags(&lane.stream, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&lane.ready, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&lane.done, cudaEventDisableTiming);
  return lane;
}

torch::Tensor forward(torch::Tensor x) {
  static const Lane lane = make_lane();
  const auto caller = at::cuda::getCurrentCUDAStream();
  auto y = torch::empty_like(x);
  const int n = x.numel();
  cudaEventRecord(lane.ready, caller);
  cudaStreamWaitEvent(lane.stream, lane.ready, 0);
  shift_kernel<<<(n + 255) / 256, 256, 0, lane.stream>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);  // expect: KA302
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  cudaEventRecord(lane.done, lane.stream);
  cudaStreamWaitEvent(caller, lane.done, 0);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
