// verdict: clean
// near: 27
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

class Queue {
 public:
  Queue() {
    cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&mark_, cudaEventDisableTiming);
  }
  operator cudaStream_t() const { return handle_; }
  void begin_after(cudaStream_t other) {
    cudaEventRecord(mark_, other);
    cudaStreamWaitEvent(handle_, mark_, 0);
  }
  void end_before(cudaStream_t other) {
    cudaEventRecord(mark_, handle_);
    cudaStreamWaitEvent(other, mark_, 0);
  }

 private:
  cudaStream_t handle_;
  cudaEvent_t mark_;
};

torch::Tensor forward(torch::Tensor x) {
  static Queue queue;
  auto y = torch::empty_like(x);
  queue.begin_after(at::cuda::getCurrentCUDAStream());
  twice_kernel<<<(x.numel() + 255) / 256, 256, 0, queue>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());  // expect: KA302
  queue.end_before(at::cuda::getCurrentCUDAStream());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
