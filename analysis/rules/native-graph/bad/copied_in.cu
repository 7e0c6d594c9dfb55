// verdict: review
// shows: 43, hidden by token pasting
#include <torch/extension.h>

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

#define RUN(what) cuda##what##Launch
torch::Tensor forward(torch::Tensor x) {
  static cudaGraphExec_t exec = nullptr;
  static torch::Tensor held, y;
  static cudaStream_t capture_stream;
  if (exec == nullptr) {
    held = torch::empty_like(x);
    y = torch::empty_like(x);
    cudaStreamCreate(&capture_stream);
    cudaGraph_t graph;
    cudaStreamBeginCapture(capture_stream, cudaStreamCaptureModeGlobal);
    twice_kernel<<<(x.numel() + 255) / 256, 256, 0, capture_stream>>>(held.data_ptr<float>(), y.data_ptr<float>(), x.numel());
    cudaStreamEndCapture(capture_stream, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
  }
  held.copy_(x);
  RUN(Graph)(exec, 0);  // expect: KA324
  return y;  // expect: KA231
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
