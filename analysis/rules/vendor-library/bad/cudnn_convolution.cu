// verdict: review
// shows: 3
#include <torch/extension.h>
#include <cudnn.h>

torch::Tensor forward(torch::Tensor x, torch::Tensor w) {
  auto y = torch::empty({x.size(0), w.size(0), x.size(2), x.size(3)}, x.options());
  cudnnHandle_t handle;
  cudnnTensorDescriptor_t from, to;
  cudnnFilterDescriptor_t filter;
  cudnnConvolutionDescriptor_t how;
  cudnnCreate(&handle);
  cudnnCreateTensorDescriptor(&from);
  cudnnCreateTensorDescriptor(&to);
  cudnnCreateFilterDescriptor(&filter);
  cudnnCreateConvolutionDescriptor(&how);
  const float one = 1, zero = 0;
  cudnnConvolutionForward(handle, &one, from, x.data_ptr<float>(), filter, w.data_ptr<float>(), how, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &zero, to, y.data_ptr<float>());  // expect: KA104
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
