// Read before every unit: what nvcc includes by itself, and whatever no header declares.
#pragma once
#pragma clang force_cuda_host_device begin
struct ka_unknown {
  template <class... A> ka_unknown(A&&...);
  template <class T> operator T() const;
  template <class... A> ka_unknown operator()(A&&...) const;
  template <class T> ka_unknown operator[](T&&) const;
  ka_unknown* operator->() const;
  ka_unknown* begin() const;
  ka_unknown* end() const;
  template <class T> bool operator==(const T&) const;
  template <class T> bool operator!=(const T&) const;
  template <class T> bool operator<(const T&) const;
  template <class T> bool operator>(const T&) const;
};
#define KA_UNDECLARED(name) template <class... A> ka_unknown name(A&&...);
#pragma clang force_cuda_host_device end
#include "/stubs/std.h"
#include "/stubs/cuda.h"
#pragma clang force_cuda_host_device begin
#include "/stubs/undeclared.inc"
#pragma clang force_cuda_host_device end
