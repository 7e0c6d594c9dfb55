// verdict: review
// shows: 63
#include <torch/extension.h>

__global__ void blur(cudaTextureObject_t image, float* y, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (i < columns) y[row * columns + i] = 0.5f * (row + i);
}

torch::Tensor forward(torch::Tensor x) {
  int rows = x.size(0), columns = x.size(1);
  auto y = torch::empty_like(x);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = x.data_ptr<float>();
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = x.numel() * sizeof(float);
  cudaTextureDesc how{};
  how.readMode = cudaReadModeElementType;
  cudaTextureObject_t image = 0;
  C10_CUDA_CHECK(cudaCreateTextureObject(&image, &resource, &how, nullptr));
  blur<<<dim3((columns + 255) / 256, rows), 256>>>(image, y.data_ptr<float>(), rows, columns);  // expect: KA801
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  C10_CUDA_CHECK(cudaDeviceSynchronize());
  C10_CUDA_CHECK(cudaDestroyTextureObject(image));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
