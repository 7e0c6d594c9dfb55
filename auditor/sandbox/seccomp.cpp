// System calls that no candidate needs and that reach beyond its own memory and files. A deny-list: CUDA
// drivers use many calls that change from version to version. Denied calls give EPERM, so that a library
// which only tries them goes on.
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <vector>

#include "auditor/sandbox/layers.h"

namespace kernel_audit::sandbox {
namespace {

#if defined(__x86_64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "The system call filter knows x86-64 and AArch64."
#endif

constexpr int kDenied[] = {
    // other processes' memory, descriptors and state
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_process_madvise,
    SYS_pidfd_getfd,
    SYS_kcmp,
    SYS_perf_event_open,
    SYS_bpf,
    SYS_userfaultfd,
    // calls that would pass by this filter or replace it
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    SYS_seccomp,
    // files by other ways than their path
    SYS_name_to_handle_at,
    SYS_open_by_handle_at,
    SYS_fanotify_init,
    // mounts and namespaces
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_open_tree,
    SYS_move_mount,
    SYS_fsopen,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fspick,
    SYS_mount_setattr,
    SYS_setns,
    SYS_unshare,
    SYS_sethostname,
    SYS_setdomainname,
    // keys, clocks, kernel
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_clock_settime,
    SYS_clock_adjtime,
    SYS_adjtimex,
    SYS_settimeofday,
    SYS_kexec_load,
    SYS_kexec_file_load,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_acct,
    SYS_quotactl,
    SYS_syslog,
    SYS_vhangup,
#if defined(__x86_64__)
    SYS_ioperm,
    SYS_iopl,
    SYS_modify_ldt,
#endif
};

constexpr unsigned kNamespaceFlags =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

constexpr unsigned kAllow = SECCOMP_RET_ALLOW;
constexpr unsigned deny(int code) { return SECCOMP_RET_ERRNO | static_cast<unsigned>(code); }

class Program {
 public:
  void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset)); }
  // Returns `action` when the comparison of the loaded word holds.
  void if_equal(unsigned value, unsigned action) { compare(BPF_JEQ, value, action); }
  void if_at_least(unsigned value, unsigned action) { compare(BPF_JGE, value, action); }
  void if_any_bit(unsigned bits, unsigned action) { compare(BPF_JSET, bits, action); }
  void finish(unsigned action) { add(BPF_RET | BPF_K, action); }
  // The instructions up to the matching close() run only when the loaded word equals `value`.
  void open_if_equal(unsigned value) {
    open_ = code_.size();
    add(BPF_JMP | BPF_JEQ | BPF_K, value);
  }
  void close() { code_[open_].jf = static_cast<unsigned char>(code_.size() - open_ - 1); }
  std::vector<sock_filter>& code() { return code_; }

 private:
  void add(unsigned code, unsigned k) { code_.push_back({static_cast<unsigned short>(code), 0, 0, k}); }
  void compare(unsigned comparison, unsigned value, unsigned action) {
    code_.push_back({static_cast<unsigned short>(BPF_JMP | comparison | BPF_K), 0, 1, value});
    finish(action);
  }
  std::vector<sock_filter> code_;
  std::size_t open_ = 0;
};

// Low half of an argument; all that are looked at are 32-bit values on these little-endian machines.
constexpr std::size_t argument(int index) {
  return offsetof(seccomp_data, args) + sizeof(std::uint64_t) * static_cast<std::size_t>(index);
}

Program build() {
  Program program;
  program.load(offsetof(seccomp_data, arch));
  program.open_if_equal(kArchitecture);
  program.load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
  program.if_at_least(0x40000000U, deny(EPERM));  // the x32 table: the same calls by other numbers
#endif
  for (const int number : kDenied) program.if_equal(static_cast<unsigned>(number), deny(EPERM));
  // Its flags lie in memory that a filter cannot read; callers fall back to clone.
  program.if_equal(SYS_clone3, deny(ENOSYS));
  const std::size_t outer = 1;  // index of the architecture check, closed below
  program.open_if_equal(SYS_clone);
  program.load(argument(0));
  program.if_any_bit(kNamespaceFlags, deny(EPERM));
  program.finish(kAllow);
  program.close();
  program.open_if_equal(SYS_prctl);
  program.load(argument(0));
  program.if_equal(PR_SET_SECCOMP, deny(EPERM));
  program.finish(kAllow);
  program.close();
  program.open_if_equal(SYS_socket);  // AF_VSOCK and others know no network namespace
  program.load(argument(0));
  program.if_equal(AF_UNIX, kAllow);
  program.if_equal(AF_NETLINK, kAllow);
  program.finish(deny(EACCES));
  program.close();
  program.finish(kAllow);
  program.code()[outer].jf = static_cast<unsigned char>(program.code().size() - outer - 1);
  program.finish(SECCOMP_RET_KILL_PROCESS);
  return program;
}

}  // namespace

LayerState filter_system_calls() {
  Program program = build();
  if (program.code().size() > 255) return missing(Layer::kSeccomp, "The filter is too long for its jumps.", "");
  const sock_fprog filter{static_cast<unsigned short>(program.code().size()), program.code().data()};
  if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
    return missing(Layer::kSeccomp, errno_text("Installing the filter"), "use a kernel with CONFIG_SECCOMP_FILTER");
  }
  return active(Layer::kSeccomp, std::to_string(std::size(kDenied)) + " system calls denied");
}

}  // namespace kernel_audit::sandbox
