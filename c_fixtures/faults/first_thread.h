/* Faults that the thread with which the process began does not see. */
#ifndef TVM_FFI_FIRST_THREAD_H_
#define TVM_FFI_FIRST_THREAD_H_

#include <sys/syscall.h>
#include <unistd.h>

#include "fault.h"

static inline int is_first_thread(void) { return syscall(SYS_gettid) == getpid(); }

#endif /* TVM_FFI_FIRST_THREAD_H_ */
