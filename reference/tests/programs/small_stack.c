/* A thread with the smallest stack that the system allows raises its first error, and so does one that calls a function
 * with a wrong argument; another ends a deep value. Exits with 0. */
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>
#include <unistd.h>

static TVMFFIObjectHandle function;

static void* taken(void) {
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  if (error == NULL) return "no error";
  TVMFFIObjectDecRef(error);
  return NULL;
}

static void* raise_error(void* unused) {
  (void)unused;
  TVMFFIErrorSetRaisedFromCStr("ValueError", "on a small stack");
  return taken();
}

static void* call_wrongly(void* unused) {
  (void)unused;
  TVMFFIAny argument = {.type_index = kTVMFFIInt}, result = {0};
  return TVMFFIFunctionCall(function, &argument, 1, &result) == 0 ? "a success" : taken();
}

static void* leave_error(void* unused) {
  (void)unused;
  TVMFFIErrorSetRaisedFromCStr("ValueError", "nobody takes it");
  return NULL;
}

/* Maps in Maps, whose ends are nested. */
static void* end_deep_value(void* unused) {
  (void)unused;
  TVMFFIByteArray name = {"ffi.Map", 7};
  TVMFFIObjectHandle make = NULL;
  if (TVMFFIFunctionGetGlobal(&name, &make) != 0 || make == NULL) return "no ffi.Map";
  TVMFFIAny entry[2] = {{.type_index = kTVMFFIInt}, {.type_index = kTVMFFIInt}};
  for (int level = 0; level < 60; ++level) {
    TVMFFIAny map = {0};
    if (TVMFFIFunctionCall(make, entry, 2, &map) != 0) return taken();
    if (level > 0) TVMFFIObjectDecRef(entry[1].v_obj);
    entry[1] = map;
  }
  TVMFFIObjectDecRef(entry[1].v_obj);
  TVMFFIObjectDecRef(make);
  return NULL;
}

static void run(const char* name, void* (*body)(void*), size_t size) {
  pthread_attr_t attributes;
  pthread_t thread;
  void* wrong = NULL;
  pthread_attr_init(&attributes);
  if (pthread_attr_setstacksize(&attributes, size) != 0 || pthread_create(&thread, &attributes, body, NULL) != 0) {
    printf("a stack of %zu bytes is too small for a thread\n", size);
    exit(1);
  }
  pthread_join(thread, &wrong);
  if (wrong != NULL) {
    printf("%s: %s\n", name, (const char*)wrong);
    exit(1);
  }
}

int main(int argc, char** argv) {
  size_t size = argc > 1 ? (size_t)atoi(argv[1]) : (size_t)sysconf(_SC_THREAD_STACK_MIN);
  TVMFFIByteArray name = {"ffi.ArraySize", 13};
  if (TVMFFIFunctionGetGlobal(&name, &function) != 0 || function == NULL) return 1;
  run("raise", raise_error, size);
  run("call", call_wrongly, size);
  run("leave", leave_error, size);
  run("end", end_deep_value, size);
  return 0;
}
