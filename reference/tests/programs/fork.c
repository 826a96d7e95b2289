/* A child works while other threads of its parent read and change global functions, register types, raise errors, also below code
 * that no library has, and look up functions of modules. An argument says how many children there are. Exits with 0 unless one of them hangs. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <unistd.h>

static atomic_int stop;

static TVMFFIByteArray text(const char* content) { return (TVMFFIByteArray){content, strlen(content)}; }

static int answer(void* self, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  (void)self, (void)args, (void)count;
  *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = 42};
  return 0;
}

static void change_global(const char* name) {
  TVMFFIByteArray key = text(name);
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIFunctionCreate(NULL, answer, NULL, &function) != 0) abort();
  if (TVMFFIFunctionSetGlobal(&key, function, 1) != 0) abort();
  TVMFFIObjectDecRef(function);
}

static void read_global(const char* name) {
  TVMFFIByteArray key = text(name);
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIFunctionGetGlobal(&key, &function) != 0) abort();
  if (function != NULL) TVMFFIObjectDecRef(function);
}

static void raise_error(void) {
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorSetRaisedFromCStr("ValueError", "raised");
  TVMFFIErrorMoveFromRaised(&error);
  if (error == NULL) abort();
  TVMFFIObjectDecRef(error);
}

static void look_up(void) {
  TVMFFIByteArray key = text("ffi.SystemLib");
  TVMFFIObjectHandle function = NULL, found = NULL;
  TVMFFIAny module = {0};
  if (TVMFFIFunctionGetGlobal(&key, &function) != 0 || TVMFFIFunctionCall(function, NULL, 0, &module) != 0) abort();
  if (TVMFFIEnvModLookupFromImports((char*)module.v_obj - 8, "ffi.Array", &found) != 0) abort();
  TVMFFIObjectDecRef(module.v_obj);
  TVMFFIObjectDecRef(function);
}

static void read_type(void) {
  TVMFFIByteArray key = text("ffi.Array");
  int32_t index;
  if (TVMFFITypeKeyToIndex(&key, &index) != 0 || index != kTVMFFIArray) abort();
}

static void register_type(int number) {
  char name[64];
  snprintf(name, sizeof name, "test.fork.%d", number);
  TVMFFIByteArray key = text(name);
  TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
}

static void* change_globals(void* name) {
  while (!stop) change_global(name), read_global("ffi.Array");
  return NULL;
}

static void* raise_errors(void* unused) {
  while (!stop) raise_error(), read_type();
  return unused;
}

__attribute__((unused)) static void call(void (*function)(void)) { function(); }

/* Calls a function from memory in which no library lies: what a compiler would make of `call` while the program runs. */
static void (*generated_call(void))(void (*)(void)) {
#ifdef __x86_64__
  static const unsigned char code[] = {0x48, 0x83, 0xec, 0x08, 0xff, 0xd7, 0x48, 0x83, 0xc4, 0x08, 0xc3};
  void* memory = mmap(NULL, sizeof code, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) abort();
  memcpy(memory, code, sizeof code);
  if (mprotect(memory, sizeof code, PROT_READ | PROT_EXEC) != 0) abort();
  return (void (*)(void (*)(void)))memory;
#else
  return call;
#endif
}

static void* raise_below_generated_code(void* unused) {
  void (*through)(void (*)(void)) = generated_call();
  while (!stop) through(raise_error);
  return unused;
}

static void* look_things_up(void* unused) {
  for (int number = 0; !stop; number++) look_up(), register_type(number % 500);
  return unused;
}

int main(int argc, char** argv) {
  int children = argc > 1 ? atoi(argv[1]) : 300, hung = 0, failed = 0;
  pthread_t threads[4];
  pthread_create(&threads[0], NULL, change_globals, "test.fork.a");
  pthread_create(&threads[1], NULL, raise_errors, NULL);
  pthread_create(&threads[2], NULL, look_things_up, NULL);
  pthread_create(&threads[3], NULL, raise_below_generated_code, NULL);
  for (int number = 0; number < children && hung < 5; number++) {
    pid_t child = fork();
    if (child == 0) {
      alarm(10);
      change_global("test.fork.b"), read_global("test.fork.a"), raise_error(), look_up(), read_type();
      register_type(1000 + number);
      _exit(0);
    }
    int status;
    while (waitpid(child, &status, 0) < 0) {
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
      hung++;
    } else if (status != 0) {
      failed++;
    }
  }
  stop = 1;
  for (int at = 0; at < 4; at++) pthread_join(threads[at], NULL);
  if (hung + failed > 0) printf("%d children, %d hung, %d failed\n", children, hung, failed);
  return hung + failed > 0;
}
