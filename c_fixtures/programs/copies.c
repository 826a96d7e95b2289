/*
 * Two copies of the library in one process, as two packages bring them: copies LIBRARY.so OTHER.so
 *
 * What one keeps (globals, types, raised errors) the other does not see; an object that crosses over ends by the deleter in its header;
 * and closing one leaves the other, and threads that have used both, as they were. Prints what is wrong; nothing is right.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

#define FUNCTIONS(X)                \
  X(TVMFFIErrorMoveFromRaised)      \
  X(TVMFFIErrorSetRaisedFromCStr)   \
  X(TVMFFIFunctionCall)             \
  X(TVMFFIFunctionCreate)           \
  X(TVMFFIFunctionGetGlobal)        \
  X(TVMFFIFunctionSetGlobal)        \
  X(TVMFFIObjectDecRef)             \
  X(TVMFFIStringFromByteArray)      \
  X(TVMFFITypeGetOrAllocIndex)      \
  X(TVMFFITypeKeyToIndex)

struct copy {
  void* library;
#define MEMBER(name) __typeof__(name)* name;
  FUNCTIONS(MEMBER)
};

static int problems;

static void expect(int holds, const char* what) {
  if (!holds) {
    printf("%s\n", what);
    ++problems;
  }
}

static struct copy open_copy(const char* path) {
  struct copy copy = {.library = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
  if (!copy.library) {
    printf("%s\n", dlerror());
    ++problems;
    return copy;
  }
#define FIND(name) *(void**)&copy.name = dlsym(copy.library, #name);
  FUNCTIONS(FIND)
  return copy;
}

static TVMFFIByteArray bytes(const char* text) { return (TVMFFIByteArray){text, strlen(text)}; }

static int answer(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)args;
  *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = (int64_t)(self != NULL) + num_args};
  return 0;
}

/** Takes the error that is raised in a copy; whether there was one. */
static int took_error(const struct copy* copy) {
  TVMFFIObjectHandle error = NULL;
  copy->TVMFFIErrorMoveFromRaised(&error);
  if (error) copy->TVMFFIObjectDecRef(error);
  return error != NULL;
}

static TVMFFIObjectHandle global(const struct copy* copy, const char* name) {
  TVMFFIByteArray text = bytes(name);
  TVMFFIObjectHandle function = NULL;
  if (copy->TVMFFIFunctionGetGlobal(&text, &function) != 0) took_error(copy);
  return function;
}

static void set_global(const struct copy* copy, const char* name) {
  TVMFFIByteArray text = bytes(name);
  TVMFFIObjectHandle function = NULL;
  expect(copy->TVMFFIFunctionCreate(NULL, answer, NULL, &function) == 0, "no function is made");
  expect(copy->TVMFFIFunctionSetGlobal(&text, function, 1) == 0, "no global function is set");
  copy->TVMFFIObjectDecRef(function);
}

/** What every client does: a text, a global function that is called, an error. */
static void work(const struct copy* copy) {
  TVMFFIByteArray text = bytes("a text that is put on the heap");
  TVMFFIAny value;
  expect(copy->TVMFFIStringFromByteArray(&text, &value) == 0 && value.type_index == kTVMFFIStr, "no String is made");
  copy->TVMFFIObjectDecRef(value.v_obj);
  TVMFFIObjectHandle make = global(copy, "ffi.Array");
  TVMFFIAny args[2] = {{.type_index = kTVMFFIInt, .v_int64 = 1}, {.type_index = kTVMFFIInt, .v_int64 = 2}};
  TVMFFIAny array = {.type_index = kTVMFFINone};
  expect(make && copy->TVMFFIFunctionCall(make, args, 2, &array) == 0 && array.type_index == kTVMFFIArray, "no Array is made");
  if (array.type_index == kTVMFFIArray) copy->TVMFFIObjectDecRef(array.v_obj);
  if (make) copy->TVMFFIObjectDecRef(make);
  copy->TVMFFIErrorSetRaisedFromCStr("ValueError", "on purpose");
  expect(took_error(copy), "no error is raised");
}

/** What is registered in one copy under this name is not there in the other. */
static void are_apart(const struct copy* one, const struct copy* other, const char* name) {
  set_global(one, name);
  TVMFFIObjectHandle here = global(one, name), there = global(other, name);
  expect(here && !there, "a global function of one copy is found in the other");
  if (here) one->TVMFFIObjectDecRef(here);

  TVMFFIByteArray key = bytes(name);
  int32_t index = one->TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject), found = -1;
  expect(index >= kTVMFFIDynObjectBegin, "no type is registered");
  expect(other->TVMFFITypeKeyToIndex(&key, &found) != 0, "a type of one copy is found in the other");
  expect(!took_error(one) && took_error(other), "the error of one copy is raised in the other");
  one->TVMFFIErrorSetRaisedFromCStr("ValueError", "on purpose");
  expect(!took_error(other) && took_error(one), "an error that is set in one copy is raised in the other");
}

static void objects_cross_over(const struct copy* one, const struct copy* other) {
  TVMFFIByteArray text = bytes("a text that is put on the heap");
  TVMFFIAny value;
  one->TVMFFIStringFromByteArray(&text, &value);
  other->TVMFFIObjectDecRef(value.v_obj);
  TVMFFIObjectHandle function = NULL;
  TVMFFIAny result = {.type_index = kTVMFFINone};
  one->TVMFFIFunctionCreate(&problems, answer, NULL, &function);
  expect(other->TVMFFIFunctionCall(function, NULL, 0, &result) == 0 && result.v_int64 == 1, "a function of one copy is not called by the other");
  other->TVMFFIObjectDecRef(function);
}

struct both {
  struct copy one, other;
  sem_t used, closed;
};

/** Uses both copies, and ends when one of them is gone. */
static void* use_both(void* context) {
  struct both* both = context;
  work(&both->one);
  work(&both->other);
  both->other.TVMFFIErrorSetRaisedFromCStr("ValueError", "left behind");
  both->one.TVMFFIErrorSetRaisedFromCStr("ValueError", "left behind");
  expect(took_error(&both->other), "an error is gone");
  sem_post(&both->used);
  sem_wait(&both->closed);
  work(&both->one);
  return NULL;
}

int main(int argc, char** argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: copies LIBRARY.so OTHER.so\n");
    return 2;
  }
  struct both both = {.one = open_copy(argv[1]), .other = open_copy(argv[2])};
  if (problems) return 1;
  expect(both.one.TVMFFIFunctionCall != both.other.TVMFFIFunctionCall, "the two are one library");
  for (int time = 0; time < 2; ++time) {
    work(&both.one);
    work(&both.other);
  }
  are_apart(&both.one, &both.other, "copies.one");
  are_apart(&both.other, &both.one, "copies.other");
  objects_cross_over(&both.one, &both.other);
  objects_cross_over(&both.other, &both.one);

  pthread_t thread;
  sem_init(&both.used, 0, 0);
  sem_init(&both.closed, 0, 0);
  pthread_create(&thread, NULL, use_both, &both);
  sem_wait(&both.used);
  dlclose(both.other.library);
  sem_post(&both.closed);
  pthread_join(thread, NULL);
  work(&both.one);
  for (int time = 0; time < 20 && !problems; ++time) {
    struct copy again = open_copy(argv[2]);
    if (!problems) work(&again), dlclose(again.library);
    work(&both.one);
  }
  return problems != 0;
}
