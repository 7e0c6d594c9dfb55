// The standard library as far as candidates use it: declarations alone.
#pragma once
#pragma clang force_cuda_host_device begin
typedef __SIZE_TYPE__ size_t; typedef __PTRDIFF_TYPE__ ptrdiff_t; typedef long ssize_t;
typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long int64_t;
typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned int uint32_t; typedef unsigned long uint64_t;
typedef long intptr_t; typedef unsigned long uintptr_t; typedef long intmax_t; typedef unsigned long uintmax_t;
typedef unsigned int uint; typedef unsigned char uchar; typedef unsigned short ushort; typedef unsigned long ulong;
typedef struct { long long a; long double b; } max_align_t;
#define NULL __null
#define offsetof(t, m) __builtin_offsetof(t, m)
typedef __builtin_va_list va_list;
#define va_start(a, b) __builtin_va_start(a, b)
#define va_end(a) __builtin_va_end(a)
#define va_arg(a, t) __builtin_va_arg(a, t)
#define assert(...) ((void)(__VA_ARGS__))
#define INT8_MAX 127
#define INT16_MAX 32767
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define INT32_MAX INT_MAX
#define INT32_MIN INT_MIN
#define UINT_MAX 4294967295U
#define UINT32_MAX UINT_MAX
#define LONG_MAX 9223372036854775807L
#define LONG_MIN (-LONG_MAX - 1)
#define LLONG_MAX 9223372036854775807LL
#define LLONG_MIN (-LLONG_MAX - 1)
#define INT64_MAX LONG_MAX
#define INT64_MIN LONG_MIN
#define UINT64_MAX 18446744073709551615UL
#define ULLONG_MAX 18446744073709551615ULL
#define SIZE_MAX UINT64_MAX
#define CHAR_BIT 8
#define FLT_MAX 3.402823466e+38F
#define FLT_MIN 1.175494351e-38F
#define FLT_EPSILON 1.192092896e-07F
#define DBL_MAX 1.7976931348623157e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define KA_MATH1(X) X(sqrt) X(cbrt) X(exp) X(exp2) X(exp10) X(expm1) X(log) X(log2) X(log10) X(log1p) X(sin) X(cos) X(tan) X(asin) \
  X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) X(erf) X(erfc) X(erfinv) X(erfcinv) X(erfcx) X(normcdf) \
  X(normcdfinv) X(tgamma) X(lgamma) X(floor) X(ceil) X(round) X(trunc) X(rint) X(nearbyint) X(fabs) X(rsqrt) X(rcbrt) X(sinpi) \
  X(cospi) X(logb) X(j0) X(j1) X(y0) X(y1)
#define KA_MATH2(X) X(pow) X(fmod) X(fmin) X(fmax) X(atan2) X(hypot) X(fdim) X(remainder) X(copysign) X(nextafter) X(rhypot) X(fdivide)
#define KA_D1(n) double n(double); float n(float); float n##f(float); template <class T> requires __is_integral(T) double n(T);
#define KA_D2(n) double n(double, double); float n(float, float); float n##f(float, float); \
  template <class T, class U> requires (__is_integral(T) || __is_integral(U)) double n(T, U); double n(float, double); double n(double, float);
KA_MATH1(KA_D1) KA_MATH2(KA_D2)
double fma(double, double, double); float fma(float, float, float); float fmaf(float, float, float);
double ldexp(double, int); float ldexp(float, int); float ldexpf(float, int); double frexp(double, int*); float frexpf(float, int*);
double modf(double, double*); float modff(float, float*); double scalbn(double, int); float scalbnf(float, int);
double powi(double, int); float powif(float, int);
int abs(int); long abs(long); long long abs(long long); float abs(float); double abs(double); long labs(long); long long llabs(long long);
template <class T> bool isnan(T); template <class T> bool isinf(T); template <class T> bool isfinite(T); template <class T> bool signbit(T);
long lround(double); long lroundf(float); long lrint(double); long lrintf(float); long long llround(double); long long llrint(double);
void sincos(double, double*, double*); void sincosf(float, float*, float*); void sincospif(float, float*, float*);
struct FILE; extern FILE *stdin, *stdout, *stderr; struct timespec { long tv_sec, tv_nsec; }; struct timeval { long tv_sec, tv_usec; };
struct tm { int tm_sec, tm_min, tm_hour; }; typedef long time_t; typedef long clock_t; typedef int pid_t; typedef unsigned mode_t; typedef long off_t;
#define CLOCKS_PER_SEC 1000000
#define CLOCK_MONOTONIC 1
#define CLOCK_REALTIME 0
extern int errno; extern char** environ;
#define SEEK_SET 0
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
extern "C" {
int printf(const char*, ...); int fprintf(FILE*, const char*, ...); int sprintf(char*, const char*, ...); int snprintf(char*, size_t, const char*, ...);
int puts(const char*); int putchar(int); int fputs(const char*, FILE*); FILE* fopen(const char*, const char*); FILE* fdopen(int, const char*); int fclose(FILE*);
size_t fread(void*, size_t, size_t, FILE*); size_t fwrite(const void*, size_t, size_t, FILE*); int fflush(FILE*); int fseek(FILE*, long, int);
long ftell(FILE*); int fscanf(FILE*, const char*, ...); int sscanf(const char*, const char*, ...); char* fgets(char*, int, FILE*); int remove(const char*);
FILE* popen(const char*, const char*); int pclose(FILE*); FILE* freopen(const char*, const char*, FILE*); FILE* tmpfile(); void perror(const char*);
void* malloc(size_t); void* calloc(size_t, size_t); void* realloc(void*, size_t); void free(void*); void* aligned_alloc(size_t, size_t);
int posix_memalign(void**, size_t, size_t); [[noreturn]] void exit(int); [[noreturn]] void _exit(int); [[noreturn]] void _Exit(int); [[noreturn]] void abort();
[[noreturn]] void quick_exit(int); int atexit(void (*)()); int at_quick_exit(void (*)()); char* getenv(const char*); int setenv(const char*, const char*, int);
int unsetenv(const char*); int putenv(char*); int system(const char*); int atoi(const char*); long atol(const char*); double atof(const char*);
long strtol(const char*, char**, int); long long strtoll(const char*, char**, int); unsigned long strtoul(const char*, char**, int);
double strtod(const char*, char**); float strtof(const char*, char**); int rand(); void srand(unsigned); void qsort(void*, size_t, size_t, int (*)(const void*, const void*));
void* memcpy(void*, const void*, size_t); void* memmove(void*, const void*, size_t); void* memset(void*, int, size_t); int memcmp(const void*, const void*, size_t);
void* memchr(const void*, int, size_t); void* memmem(const void*, size_t, const void*, size_t);
size_t strlen(const char*); int strcmp(const char*, const char*); int strncmp(const char*, const char*, size_t); char* strcpy(char*, const char*);
char* strncpy(char*, const char*, size_t); char* strcat(char*, const char*); char* strchr(const char*, int); char* strrchr(const char*, int);
char* strstr(const char*, const char*); char* strdup(const char*); char* strerror(int); char* strtok(char*, const char*);
time_t time(time_t*); clock_t clock(); int clock_gettime(int, timespec*); int clock_settime(int, const timespec*); int gettimeofday(timeval*, void*);
int nanosleep(const timespec*, timespec*); int usleep(unsigned); unsigned sleep(unsigned);
pid_t fork(); pid_t vfork(); pid_t getpid(); pid_t getppid(); int execv(const char*, char* const*); int execve(const char*, char* const*, char* const*);
int execvp(const char*, char* const*); int execl(const char*, const char*, ...); int execlp(const char*, const char*, ...); pid_t waitpid(pid_t, int*, int); int kill(pid_t, int); int pipe(int*);
int dup(int); int dup2(int, int); int open(const char*, int, ...); int close(int); ssize_t read(int, void*, size_t); ssize_t write(int, const void*, size_t);
ssize_t pread(int, void*, size_t, off_t); ssize_t pwrite(int, const void*, size_t, off_t); off_t lseek(int, off_t, int); int unlink(const char*);
int ftruncate(int, off_t); int chdir(const char*); int access(const char*, int); long sysconf(int); int getpagesize(); long syscall(long, ...);
ssize_t readlink(const char*, char*, size_t); void* mmap(void*, size_t, int, int, int, off_t); int munmap(void*, size_t); int mprotect(void*, size_t, int); long ptrace(int, ...); int prctl(int, ...);
int shm_open(const char*, int, mode_t); int memfd_create(const char*, unsigned); int socket(int, int, int); int sched_yield(); int sched_setaffinity(pid_t, size_t, const void*);
ssize_t process_vm_readv(pid_t, const void*, unsigned long, const void*, unsigned long, unsigned long); ssize_t process_vm_writev(pid_t, const void*, unsigned long, const void*, unsigned long, unsigned long);
typedef void (*sighandler_t)(int); sighandler_t signal(int, sighandler_t); int raise(int); int sigaction(int, const void*, void*); unsigned alarm(unsigned);
void* dlopen(const char*, int); void* dlsym(void*, const char*); int dlclose(void*); char* dlerror(); void* dlmopen(long, const char*, int);
struct Dl_info { const char* dli_fname; void* dli_fbase; const char* dli_sname; void* dli_saddr; }; int dladdr(const void*, Dl_info*); struct dl_phdr_info { unsigned long dlpi_addr; const char* dlpi_name; const void* dlpi_phdr; unsigned short dlpi_phnum; }; int dl_iterate_phdr(int (*)(dl_phdr_info*, size_t, void*), void*); struct link_map { unsigned long l_addr; char* l_name; void* l_ld; link_map* l_next; link_map* l_prev; }; int dlinfo(void*, int, void*); int clone(int (*)(void*), void*, int, void*, ...); int mincore(void*, size_t, unsigned char*); int madvise(void*, size_t, int); int pkey_mprotect(void*, size_t, int, int); pid_t gettid(); int pthread_timedjoin_np(unsigned long, void**, const timespec*); int seccomp(unsigned, unsigned, void*); int userfaultfd(int);
typedef unsigned long pthread_t; struct pthread_attr_t; struct pthread_mutex_t { int x; }; struct pthread_cond_t { int x; }; struct pthread_mutexattr_t;
int pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*); int pthread_join(pthread_t, void**); int pthread_detach(pthread_t); pthread_t pthread_self();
int pthread_mutex_lock(pthread_mutex_t*); int pthread_mutex_unlock(pthread_mutex_t*); int pthread_mutex_init(pthread_mutex_t*, const pthread_mutexattr_t*); int pthread_kill(pthread_t, int); int pthread_cancel(pthread_t);
int omp_get_thread_num(); int omp_get_num_threads(); int omp_get_max_threads(); void omp_set_num_threads(int); int omp_get_num_procs(); double omp_get_wtime();
int isdigit(int); int isalpha(int); int isspace(int); int toupper(int); int tolower(int);
}
#define RTLD_LAZY 1
#define RTLD_NOW 2
#define RTLD_GLOBAL 256
#define RTLD_LOCAL 0
#define RTLD_NOLOAD 4
#define RTLD_DEFAULT ((void*)0)
#define RTLD_NEXT ((void*)-1l)
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 64
#define O_TRUNC 512
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_ANONYMOUS 32
#define MAP_FAILED ((void*)-1)
#define PTHREAD_MUTEX_INITIALIZER {0}
#define RTLD_DI_LINKMAP 2
#define PTRACE_TRACEME 0
#define PTRACE_PEEKDATA 2
#define PTRACE_POKEDATA 5
#define PTRACE_ATTACH 16
#define SYS_read 0
#define SYS_write 1
#define SYS_mmap 9
#define SYS_mprotect 10
#define SYS_clone 56
#define SYS_fork 57
#define SYS_ptrace 101
#define SYS_gettid 186
#define SYS_process_vm_readv 310
#define SYS_process_vm_writev 311
#define PR_SET_NAME 15
#define PR_GET_NAME 16
#define PR_SET_DUMPABLE 4
#define PR_SET_SECCOMP 22
#define PR_SET_NO_NEW_PRIVS 38
#define PR_SET_PTRACER 0x59616d61
#define SECCOMP_MODE_STRICT 1
#define SECCOMP_MODE_FILTER 2
#define SECCOMP_SET_MODE_FILTER 1
#define PTRACE_PEEKTEXT 1
#define PTRACE_POKETEXT 4
#define PTRACE_SEIZE 0x4206
#define SYS_seccomp 317
#define SYS_memfd_create 319
#define __NR_mprotect SYS_mprotect
#define __NR_ptrace SYS_ptrace
#define __NR_process_vm_writev SYS_process_vm_writev
#define __NR_process_vm_readv SYS_process_vm_readv
#include "/stubs/std_types.h"
#pragma clang force_cuda_host_device end
