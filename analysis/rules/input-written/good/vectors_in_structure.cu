// verdict: clean
// near: 60, copies of what is read are changed
#include <c10/cuda/CUDAException.h>
#include <torch/extension.h>

struct Buffers {
  const float* x;
  float* y;
  int n;
};
template <int N>
struct alignas(N * 4) Lanes {
  float v[N];
  __device__ float& operator[](int i) { return v[i]; }
  __device__ void clamp() {
    for (int i = 0; i < N; ++i) v[i] = fmaxf(v[i], 0.f);
  }
};
struct Nested {
  Lanes<2> low, high;
};
union Either {
  float4 whole;
  float part[4];
};

__device__ __forceinline__ int first() { return (blockIdx.x * blockDim.x + threadIdx.x) * 4; }
__device__ __forceinline__ void clamp_one(float& v) { v = fmaxf(v, 0.f); }
__device__ void clamp_all(Lanes<4>& lanes) {
  for (int i = 0; i < 4; ++i) lanes.v[i] = fmaxf(lanes.v[i], 0.f);
}
__device__ void clamp_behind(float* lanes) {
  for (int i = 0; i < 4; ++i) lanes[i] = fmaxf(lanes[i], 0.f);
}
__device__ Lanes<4> clamped(Lanes<4> lanes) {
  for (int i = 0; i < 4; ++i) lanes.v[i] = fmaxf(lanes.v[i], 0.f);
  return lanes;
}
template <int N>
__device__ Lanes<N> taken(const float* from) {
  return *reinterpret_cast<const Lanes<N>*>(from);
}
template <int N>
__device__ void put(float* to, const Lanes<N>& lanes) {
  *reinterpret_cast<Lanes<N>*>(to) = lanes;
}

__global__ void by_member(Buffers p) {
  Lanes<4> lanes = *reinterpret_cast<const Lanes<4>*>(p.x + first());
  for (int i = 0; i < 4; ++i) lanes.v[i] = fmaxf(lanes.v[i], 0.f);
  *reinterpret_cast<Lanes<4>*>(p.y + first()) = lanes;
}
__global__ void by_subscript(Buffers p) {
  Lanes<4> lanes = *reinterpret_cast<const Lanes<4>*>(p.x + first());
  for (int i = 0; i < 4; ++i) lanes[i] = fmaxf(lanes[i], 0.f);
  *reinterpret_cast<Lanes<4>*>(p.y + first()) = lanes;
}
__global__ void by_method(Buffers p) {
  Lanes<4> lanes = *reinterpret_cast<const Lanes<4>*>(p.x + first());
  lanes.clamp();
  *reinterpret_cast<Lanes<4>*>(p.y + first()) = lanes;
}
__global__ void by_functions(Buffers p) {
  Lanes<4> lanes = taken<4>(p.x + first());
  clamp_all(lanes);
  clamp_behind(lanes.v);
  clamp_one(lanes.v[3]);
  lanes = clamped(lanes);
  put<4>(p.y + first(), lanes);
}
__global__ void by_cast(Buffers p) {
  float4 lanes = *reinterpret_cast<const float4*>(p.x + first());
  float* each = reinterpret_cast<float*>(&lanes);
  for (int i = 0; i < 4; ++i) each[i] = fmaxf(each[i], 0.f);
  lanes.w += 0.f;
  *reinterpret_cast<float4*>(p.y + first()) = lanes;
}
__global__ void by_union(Buffers p) {
  Either lanes;
  lanes.whole = *reinterpret_cast<const float4*>(p.x + first());
  for (float& each : lanes.part) each = fmaxf(each, 0.f);
  *reinterpret_cast<float4*>(p.y + first()) = lanes.whole;
}
__global__ void by_nested(Buffers p) {
  Buffers own = p;
  own.x += first();
  own.y += first();
  Nested lanes = *reinterpret_cast<const Nested*>(own.x);
  for (int i = 0; i < 2; ++i) {
    float& low = lanes.low.v[i];
    low = fmaxf(low, 0.f);
    lanes.high.v[i] = fmaxf(lanes.high.v[i], 0.f);
  }
  *reinterpret_cast<Nested*>(own.y) = lanes;
}
__global__ void one_by_one(Buffers p) {
  float lanes[4] = {p.x[first()], p.x[first() + 1], p.x[first() + 2], p.x[first() + 3]};
  for (int i = 0; i < 4; ++i) {
    clamp_one(lanes[i]);
    lanes[i] *= 1.f;
    p.y[first() + i] = lanes[i];
  }
}

torch::Tensor forward(torch::Tensor x) {
  x = x.contiguous();
  std::vector<torch::Tensor> results;
  const int blocks = x.numel() / 1024;
  for (int which = 0; which < 8; ++which) results.push_back(torch::empty_like(x));
  const auto buffers = [&](int which) {
    return Buffers{x.data_ptr<float>(), results[which].data_ptr<float>(), static_cast<int>(x.numel())};
  };
  by_member<<<blocks, 256>>>(buffers(0));
  by_subscript<<<blocks, 256>>>(buffers(1));
  by_method<<<blocks, 256>>>(buffers(2));
  by_functions<<<blocks, 256>>>(buffers(3));
  by_cast<<<blocks, 256>>>(buffers(4));
  by_union<<<blocks, 256>>>(buffers(5));
  by_nested<<<blocks, 256>>>(buffers(6));
  one_by_one<<<blocks, 256>>>(buffers(7));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return torch::cat(results);  // expect: KA103
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
