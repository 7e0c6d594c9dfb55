#include "auditor/process/fd.h"

#include <unistd.h>

namespace kernel_audit::process {

void Fd::reset(int fd) {
  // close() is not repeated on EINTR: Linux has released the number by then.
  if (fd_ >= 0) ::close(fd_);
  fd_ = fd;
}

}  // namespace kernel_audit::process
