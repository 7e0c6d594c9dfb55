// verdict: clean
// near: 63
#include <torch/extension.h>

__global__ void blur(cudaTextureObject_t image, float* y, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (i < columns) y[row * columns + i] = 0.5f * (tex2D<float>(image, i + 0.5f, row + 0.5f) + tex2D<float>(image, i - 0.5f, row + 0.5f));
}

torch::Tensor forward(torch::Tensor x) {
  int rows = x.size(0), columns = x.size(1);
  auto y = torch::empty_like(x);
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof(resource));
  resource.resType = cudaResourceTypePitch2D;
  auto& picture = resource.res.pitch2D;
  picture.devPtr = x.data_ptr<float>();
  picture.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  picture.width = columns;
  picture.height = rows;
  picture.pitchInBytes = columns * sizeof(float);
  cudaTextureDesc how;
  memset(&how, 0, sizeof(how));
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t image = 0;
  C10_CUDA_CHECK(cudaCreateTextureObject(&image, &resource, &how, nullptr));
  blur<<<dim3((columns + 255) / 256, rows), 256>>>(image, y.data_ptr<float>(), rows, columns);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  C10_CUDA_CHECK(cudaDeviceSynchronize());
  C10_CUDA_CHECK(cudaDestroyTextureObject(image));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
