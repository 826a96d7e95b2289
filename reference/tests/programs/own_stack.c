/* The first error of a process is raised on a stack of 16 KiB that the program has made and the system knows nothing of: a
 * coroutine's, and that of a signal handler. Below each lies memory that must not be touched. Exits with 0. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <tvm/ffi/c_api.h>
#include <ucontext.h>
#include <unistd.h>

enum { SIZE = 16 << 10, GUARD = 1 << 20 };

static ucontext_t outside, coroutine;

static char* new_stack(void) {
  char* memory = mmap(NULL, GUARD + SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory + GUARD, SIZE, PROT_READ | PROT_WRITE) != 0) abort();
  return memory + GUARD;
}

static void raise_error(void) { TVMFFIErrorSetRaisedFromCStr("ValueError", "on a stack of its own"); }
static void take_backtrace(void) { TVMFFIBacktrace("own_stack.c", 1, "take_backtrace", 1); }
static void handle(int signal) {
  (void)signal;
  raise_error();
}

static void run_coroutine(void (*body)(void)) {
  getcontext(&coroutine);
  coroutine.uc_stack.ss_sp = new_stack();
  coroutine.uc_stack.ss_size = SIZE;
  coroutine.uc_link = &outside;
  makecontext(&coroutine, body, 0);
  swapcontext(&outside, &coroutine);
}

static void run_handler(void (*unused)(void)) {
  (void)unused;
  stack_t stack = {.ss_sp = new_stack(), .ss_size = SIZE};
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
  if (sigaltstack(&stack, NULL) != 0 || sigaction(SIGUSR1, &action, NULL) != 0) abort();
  raise(SIGUSR1);
}

/* In a process of its own, so that it is the first error. */
static int in_child(const char* name, void (*run)(void (*)(void)), void (*body)(void), int raises) {
  pid_t child = fork();
  if (child == 0) {
    run(body);
    TVMFFIObjectHandle error = NULL;
    TVMFFIErrorMoveFromRaised(&error);
    _exit((error != NULL) != raises);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) printf("%s: status %#x\n", name, status);
  return status != 0;
}

int main(void) {
  int failed = in_child("an error in a coroutine", run_coroutine, raise_error, 1);
  failed |= in_child("a backtrace in a coroutine", run_coroutine, take_backtrace, 0);
  failed |= in_child("an error in a signal handler", run_handler, NULL, 1);
  return failed;
}
