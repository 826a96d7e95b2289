/* Operations during which the n-th request for memory is refused, for every n, once and from then on. Each must report
 * an error, or do what it says; it must lose nothing that was there, and give back all that it has taken.
 *
 * Prints a line for each operation, and exits with 1 if any has failed. An argument names the only one to be tried. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <unistd.h>

/* ---- Memory -------------------------------------------------------------------------------------------------------- */

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);
extern void __libc_free(void*);

static int armed, persistent, countdown, refused;
static long blocks;

static int refuse(void) {
  if (!armed) return 0;
  if (countdown > 1) {
    countdown--;
    return 0;
  }
  if (countdown == 0 && !persistent) return 0;
  countdown = 0;
  refused++;
  errno = ENOMEM;
  return 1;
}

static void* counted(void* block) {
  if (block != NULL) blocks++;
  return block;
}

void* malloc(size_t size) { return refuse() ? NULL : counted(__libc_malloc(size)); }
void* calloc(size_t count, size_t size) { return refuse() ? NULL : counted(__libc_calloc(count, size)); }
void* memalign(size_t alignment, size_t size) { return refuse() ? NULL : counted(__libc_memalign(alignment, size)); }
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void** block, size_t alignment, size_t size) {
  void* made = memalign(alignment, size);
  if (made == NULL) return ENOMEM;
  *block = made;
  return 0;
}

void* realloc(void* block, size_t size) {
  if (refuse()) return NULL;
  void* moved = __libc_realloc(block, size);
  if (block == NULL && moved != NULL) blocks++;
  return moved;
}

void free(void* block) {
  if (block != NULL) blocks--;
  __libc_free(block);
}

/* ---- Values -------------------------------------------------------------------------------------------------------- */

#define CHECK(condition)                                                        \
  do {                                                                          \
    if (!(condition)) {                                                         \
      armed = 0;                                                                \
      dprintf(2, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                \
      _exit(3);                                                                 \
    }                                                                           \
  } while (0)

static const char LONG[] = "a text that is too long to lie in a value";

static TVMFFIByteArray text(const char* content) { return (TVMFFIByteArray){content, strlen(content)}; }

static TVMFFIAny integer(int64_t value) { return (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = value}; }

static TVMFFIAny c_string(const char* value) { return (TVMFFIAny){.type_index = kTVMFFIRawStr, .v_c_str = value}; }

static TVMFFIAny object(TVMFFIObjectHandle handle) {
  return (TVMFFIAny){.type_index = ((TVMFFIObject*)handle)->type_index, .v_obj = handle};
}

static void drop(TVMFFIAny value) {
  if (value.type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(value.v_obj);
}

enum { FUNCTIONS = 64 };
static struct {
  const char* name;
  TVMFFIObjectHandle handle;
} functions[FUNCTIONS];

/* A global function, looked up before memory is short. */
static TVMFFIObjectHandle global(const char* name) {
  for (int at = 0; at < FUNCTIONS; at++) {
    if (functions[at].name == NULL) {
      TVMFFIByteArray key = text(name);
      CHECK(TVMFFIFunctionGetGlobal(&key, &functions[at].handle) == 0 && functions[at].handle != NULL);
      functions[at].name = name;
    }
    if (strcmp(functions[at].name, name) == 0) return functions[at].handle;
  }
  CHECK(!"room for another function");
  return NULL;
}

static int call(const char* name, TVMFFIAny* args, int count, TVMFFIAny* result) {
  *result = (TVMFFIAny){0};
  return TVMFFIFunctionCall(global(name), args, count, result);
}

static TVMFFIAny made(const char* name, TVMFFIAny* args, int count) {
  TVMFFIAny result;
  CHECK(call(name, args, count, &result) == 0);
  return result;
}

static int64_t size_of(const char* name, TVMFFIAny container) { return made(name, &container, 1).v_int64; }

static TVMFFIAny item(const char* name, TVMFFIAny container, int64_t at) {
  TVMFFIAny args[2] = {container, integer(at)};
  return made(name, args, 2);
}

/* A List of 0 to count - 1. */
static TVMFFIAny list_of(int count) {
  TVMFFIAny args[64];
  for (int at = 0; at < count; at++) args[at] = integer(at);
  return made("ffi.List", args, count);
}

static TVMFFIAny map_of(const char* name, int count) {
  TVMFFIAny args[64];
  for (int at = 0; at < 2 * count; at++) args[at] = integer(at / 2);
  return made(name, args, 2 * count);
}

/* Whether a List holds first to last - 1 from a place on. */
static int holds(TVMFFIAny list, int64_t from, int64_t first, int64_t last) {
  for (int64_t at = first; at < last; at++) {
    if (item("ffi.ListGetItem", list, from + at - first).v_int64 != at) return 0;
  }
  return 1;
}

/* ---- Operations ---------------------------------------------------------------------------------------------------- */

/* Each gets what `prepare` made, and answers 0 or the status of a failure. Memory is short during the operation only;
 * `finish` looks whether the outcome is what the status says, and gives everything back. */
typedef struct {
  TVMFFIAny before, other, result;
  void* pointer;
  int status;
} State;

typedef struct {
  const char* name;
  /* What can be done once in a process, what is at its first, and what takes more than the library has in reserve. */
  enum { MANY, ONCE, FIRST, LARGE } kind;
  void (*prepare)(State*);
  int (*run)(State*);
  void (*finish)(State*);
} Operation;

static void nothing(State* s) { (void)s; }
static void release(State* s) {
  CHECK(s->status == 0 || s->result.type_index < kTVMFFIStaticObjectBegin);
  drop(s->result), drop(s->before), drop(s->other);
}

static int string(State* s) {
  TVMFFIByteArray input = text(LONG);
  return TVMFFIStringFromByteArray(&input, &s->result);
}
static int bytes(State* s) {
  TVMFFIByteArray input = text(LONG);
  return TVMFFIBytesFromByteArray(&input, &s->result);
}
static int owned(State* s) {
  TVMFFIAny view = c_string(LONG);
  return TVMFFIAnyViewToOwnedAny(&view, &s->result);
}
static int big_integer(State* s) {
  uint64_t words[3] = {1, 2, 3};
  TVMFFIByteArray input = {(const char*)words, sizeof words};
  return TVMFFIBigIntFromByteArray(&input, &s->result);
}
static int dtype_to_string(State* s) {
  DLDataType dtype = {kDLFloat, 32, 4};
  return TVMFFIDataTypeToString(&dtype, &s->result);
}
static int dtype_from_string(State* s) {
  TVMFFIByteArray input = text("float32x4");
  DLDataType dtype;
  (void)s;
  return TVMFFIDataTypeFromString(&input, &dtype);
}

static int error_create(State* s) {
  TVMFFIByteArray kind = text("ValueError"), message = text(LONG), backtrace = text("somewhere");
  TVMFFIObjectHandle error = NULL;
  int status = TVMFFIErrorCreate(&kind, &message, &backtrace, &error);
  if (status == 0) {
    s->result = object(error);
  } else {
    /* It is used where errors are handled, so alone of all functions it raises nothing. */
    TVMFFIErrorMoveFromRaised(&error);
    CHECK(error == NULL);
    TVMFFIErrorSetRaisedFromCStr("MemoryError", "no error could be made");
  }
  return status;
}
static int error_raise(State* s) {
  (void)s;
  TVMFFIErrorSetRaisedFromCStr("ValueError", LONG);
  return 0;
}
static void raised(State* s) {
  (void)s;
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  CHECK(error != NULL);
  TVMFFIObjectDecRef(error);
}

static int first_type(State* s) {
  TVMFFIByteArray key = text("ffi.Array");
  int32_t index = 0;
  (void)s;
  return TVMFFITypeKeyToIndex(&key, &index);
}
static void types_are_there(State* s) {
  s->status = 0;
  CHECK(first_type(s) == 0 && TVMFFIGetTypeInfo(kTVMFFIArray)->num_methods == 0);
  CHECK(TVMFFIGetTypeInfo(kTVMFFIModule)->num_fields == 1);
}
static int first_global(State* s) {
  TVMFFIByteArray name = text("ffi.Array");
  TVMFFIObjectHandle function = NULL;
  int status = TVMFFIFunctionGetGlobal(&name, &function);
  if (status == 0) s->result = object(function);
  return status;
}
static void globals_are_there(State* s) {
  drop(s->result), s->result = (TVMFFIAny){0};
  CHECK(first_global(s) == 0 && s->result.v_obj != NULL);
  drop(s->result);
}

static int fail(void* self, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  (void)self, (void)args, (void)count, (void)result;
  TVMFFIErrorSetRaisedFromCStr("ValueError", LONG);
  return -1;
}
static int closure, closure_ends;
static void closure_end(void* self) {
  (void)self;
  closure_ends++;
}
static int function_create(State* s) {
  TVMFFIObjectHandle function = NULL;
  closure_ends = 0;
  int status = TVMFFIFunctionCreate(&closure, fail, closure_end, &function);
  if (status == 0) s->result = object(function);
  return status;
}
static void function_end(State* s) {
  CHECK(closure_ends == 0);
  release(s);
  CHECK(closure_ends == (s->status == 0));
}
static void prepare_function(State* s) {
  TVMFFIObjectHandle function;
  CHECK(TVMFFIFunctionCreate(NULL, fail, NULL, &function) == 0);
  s->before = object(function);
}
static int function_fails(State* s) { return TVMFFIFunctionCall(s->before.v_obj, NULL, 0, &s->result) == -1 ? 0 : 1; }
static void function_has_failed(State* s) {
  raised(s);
  drop(s->before);
}
static int wrong_argument(State* s) {
  TVMFFIAny argument = c_string(LONG);
  return call("ffi.ArraySize", &argument, 1, &s->result) == -1 ? 0 : 1;
}

static int opaque(State* s) {
  TVMFFIObjectHandle made = NULL;
  closure_ends = 0;
  int status = TVMFFIObjectCreateOpaque(&closure, kTVMFFIOpaquePyObject, closure_end, &made);
  if (status == 0) s->result = object(made);
  return status;
}

static int array(State* s) {
  TVMFFIAny args[3] = {integer(1), c_string(LONG), c_string("another text that is too long to lie in a value")};
  return call("ffi.Array", args, 3, &s->result);
}
static int shape(State* s) {
  TVMFFIAny args[3] = {integer(1), integer(2), integer(3)};
  return call("ffi.Shape", args, 3, &s->result);
}
static int list(State* s) {
  TVMFFIAny args[3] = {integer(1), c_string(LONG), integer(2)};
  return call("ffi.List", args, 3, &s->result);
}

static void prepare_list(State* s) { s->before = list_of(16); }
static int list_append(State* s) {
  TVMFFIAny args[2] = {s->before, c_string(LONG)};
  return call("ffi.ListAppend", args, 2, &s->result);
}
static int list_insert(State* s) {
  TVMFFIAny args[3] = {s->before, integer(3), integer(-1)};
  return call("ffi.ListInsert", args, 3, &s->result);
}
static void one_more(State* s) {
  CHECK(size_of("ffi.ListSize", s->before) == 16 + (s->status == 0));
  CHECK(holds(s->before, 0, 0, 3) && holds(s->before, s->status == 0 ? 4 : 3, 3, 3));
  release(s);
}
static int list_erase_range(State* s) {
  TVMFFIAny args[3] = {s->before, integer(2), integer(12)};
  return call("ffi.ListEraseRange", args, 3, &s->result);
}
static void erased(State* s) {
  CHECK(s->status == 0);
  CHECK(size_of("ffi.ListSize", s->before) == 6 && holds(s->before, 0, 0, 2) && holds(s->before, 2, 12, 16));
  release(s);
}
static int list_clear(State* s) { return call("ffi.ListClear", &s->before, 1, &s->result); }
static void cleared(State* s) {
  CHECK(s->status == 0 && size_of("ffi.ListSize", s->before) == 0);
  release(s);
}
static void prepare_two_lists(State* s) {
  s->before = list_of(16);
  s->other = list_of(40);
}
static int list_replace(State* s) {
  TVMFFIAny args[4] = {s->before, integer(2), integer(12), s->other};
  return call("ffi.ListReplaceSlice", args, 4, &s->result);
}
static void replaced(State* s) {
  CHECK(size_of("ffi.ListSize", s->before) == (s->status == 0 ? 46 : 16));
  CHECK(s->status == 0 ? holds(s->before, 2, 0, 40) : holds(s->before, 0, 0, 16));
  release(s);
}
static int list_reserve(State* s) {
  TVMFFIAny args[2] = {s->before, integer(100)};
  return call("ffi.ListReserve", args, 2, &s->result);
}
static void kept(State* s) {
  CHECK(size_of("ffi.ListSize", s->before) == 16 && holds(s->before, 0, 0, 16));
  release(s);
}
static int list_contains(State* s) {
  TVMFFIAny args[2] = {s->before, c_string(LONG)};
  return call("ffi.ListContains", args, 2, &s->result);
}

static int map_small(State* s) {
  TVMFFIAny args[4] = {c_string(LONG), integer(1), integer(2), c_string(LONG)};
  return call("ffi.Map", args, 4, &s->result);
}
static int map_large(State* s) {
  TVMFFIAny args[40];
  for (int at = 0; at < 40; at++) args[at] = at % 2 ? c_string(LONG) : integer(at);
  return call("ffi.Map", args, 40, &s->result);
}
static int dict_large(State* s) {
  TVMFFIAny args[40];
  for (int at = 0; at < 40; at++) args[at] = integer(at);
  return call("ffi.Dict", args, 40, &s->result);
}
static void prepare_small_dict(State* s) { s->before = map_of("ffi.Dict", 4); }
static void prepare_dict(State* s) {
  s->before = map_of("ffi.Dict", 0);
  for (int at = 0; at < 31; at++) {
    TVMFFIAny args[3] = {s->before, integer(at), integer(at)};
    made("ffi.DictSetItem", args, 3);
  }
}
static int dict_set(State* s) {
  for (int at = 100; at < 104; at++) {
    TVMFFIAny args[3] = {s->before, integer(at), c_string(LONG)};
    int status = call("ffi.DictSetItem", args, 3, &s->result);
    if (status != 0) return status;
  }
  return 0;
}
static void dict_is_whole(State* s) {
  int64_t size = size_of("ffi.DictSize", s->before);
  int64_t old = size >= 31 ? 31 : 4;
  CHECK(s->status == 0 ? size == old + 4 : size >= old && size < old + 4);
  for (int64_t at = 0; at < old; at++) CHECK(item("ffi.DictGetItem", s->before, at).v_int64 == at);
  release(s);
}
static int dict_clear(State* s) { return call("ffi.DictClear", &s->before, 1, &s->result); }
static void dict_is_empty(State* s) {
  CHECK(s->status == 0 && size_of("ffi.DictSize", s->before) == 0);
  release(s);
}
static int dict_erase(State* s) {
  TVMFFIAny args[2] = {s->before, integer(1)};
  return call("ffi.DictErase", args, 2, &s->result);
}
static void one_less(State* s) {
  CHECK(s->status == 0 && size_of("ffi.DictSize", s->before) == 30);
  release(s);
}

static int given_back;
static int64_t extents[2] = {2, 3};
static float data[6];
static void give_back(struct DLManagedTensorVersioned* tensor) {
  (void)tensor;
  given_back++;
}
static DLManagedTensorVersioned producer;
static void prepare_tensor(State* s) {
  (void)s;
  given_back = 0;
  producer = (DLManagedTensorVersioned){
      .version = {1, 0},
      .deleter = give_back,
      .dl_tensor = {.data = data, .device = {kDLCPU, 0}, .ndim = 2, .dtype = {kDLFloat, 32, 1}, .shape = extents}};
}
static int tensor_import(State* s) {
  TVMFFIObjectHandle tensor = NULL;
  int status = TVMFFITensorFromDLPackVersioned(&producer, 0, 0, &tensor);
  if (status == 0) s->result = object(tensor);
  return status;
}
static void imported(State* s) {
  CHECK(given_back == 0);
  release(s);
  CHECK(given_back == (s->status == 0));
}
static void prepare_imported(State* s) {
  prepare_tensor(s);
  CHECK(tensor_import(s) == 0);
  s->before = s->result;
  s->result = (TVMFFIAny){0};
}
static int tensor_export(State* s) {
  DLManagedTensorVersioned* exported = NULL;
  int status = TVMFFITensorToDLPackVersioned(s->before.v_obj, &exported);
  s->pointer = exported;
  return status;
}
static void exported(State* s) {
  CHECK((s->pointer != NULL) == (s->status == 0));
  if (s->pointer != NULL) ((DLManagedTensorVersioned*)s->pointer)->deleter(s->pointer);
  release(s);
  CHECK(given_back == 1);
}
static int tensor_view(State* s) {
  DLTensor* prototype = (DLTensor*)((char*)s->before.v_obj + sizeof(TVMFFIObject));
  TVMFFIObjectHandle view = NULL;
  int status = TVMFFITensorCreateUnsafeView(s->before.v_obj, prototype, &view);
  if (status == 0) s->result = object(view);
  return status;
}
static void viewed(State* s) {
  release(s);
  CHECK(given_back == 1);
}

static int global_set(State* s) {
  TVMFFIByteArray name = text("test.no_memory.a_name_that_is_new");
  return TVMFFIFunctionSetGlobal(&name, s->before.v_obj, 0);
}
static void global_is_set(State* s) {
  TVMFFIAny name = c_string("test.no_memory.a_name_that_is_new");
  CHECK(made("ffi.FunctionRemoveGlobal", &name, 1).v_int64 == (s->status == 0));
  CHECK(((TVMFFIObject*)s->before.v_obj)->combined_ref_count == ((1ull << 32) | 1));
  drop(s->before);
}
static int global_get(State* s) {
  TVMFFIByteArray name = text("ffi.Array");
  TVMFFIObjectHandle function = NULL;
  int status = TVMFFIFunctionGetGlobal(&name, &function);
  if (status == 0) s->result = object(function);
  return status;
}
static int global_names(State* s) { return call("ffi.FunctionListGlobalNamesFunctor", NULL, 0, &s->result); }

/* [[0, .., 15], {0: 0, .., 19: 19}, LONG] */
static void prepare_value(State* s) {
  TVMFFIAny parts[3] = {list_of(16), map_of("ffi.Map", 20), c_string(LONG)};
  s->before = made("ffi.Array", parts, 3);
  drop(parts[0]), drop(parts[1]);
}
static int deep_copy(State* s) { return call("ffi.DeepCopy", &s->before, 1, &s->result); }
static int repr(State* s) { return call("ffi.ReprPrint", &s->before, 1, &s->result); }
static int recursive_hash(State* s) { return call("ffi.RecursiveHash", &s->before, 1, &s->result); }
static int recursive_equal(State* s) {
  TVMFFIAny args[2] = {s->before, s->before};
  return call("ffi.RecursiveEq", args, 2, &s->result);
}
static int structural_hash(State* s) {
  TVMFFIAny args[3] = {s->before, {.type_index = kTVMFFIBool}, {.type_index = kTVMFFIBool}};
  return call("ffi.StructuralHash", args, 3, &s->result);
}
static int structural_equal(State* s) {
  TVMFFIAny args[4] = {s->before, s->before, {.type_index = kTVMFFIBool}, {.type_index = kTVMFFIBool}};
  return call("ffi.StructuralEqual", args, 4, &s->result);
}
static int to_graph(State* s) {
  TVMFFIAny args[2] = {s->before, {0}};
  return call("ffi.ToJSONGraphString", args, 2, &s->result);
}
static void prepare_graph(State* s) {
  prepare_value(s);
  TVMFFIAny value = s->before;
  s->before = (TVMFFIAny){0};
  TVMFFIAny args[2] = {value, {0}};
  s->before = made("ffi.ToJSONGraphString", args, 2);
  drop(value);
}
static int from_graph(State* s) { return call("ffi.FromJSONGraphString", &s->before, 1, &s->result); }

/* More than the reserve of the library holds when it is copied. */
enum { LARGE_LIST = 600000, ERASED = 300000, LARGE_DICT = 150000 };
static TVMFFIAny large[LARGE_LIST];
static void prepare_large_list(State* s) {
  for (int at = 0; at < LARGE_LIST; at++) large[at] = integer(at);
  s->before = made("ffi.List", large, LARGE_LIST);
}
static void prepare_large_lists(State* s) {
  prepare_large_list(s);
  s->other = made("ffi.List", large, LARGE_LIST);
}
static void prepare_large_dict(State* s) {
  for (int at = 0; at < 2 * LARGE_DICT; at++) large[at] = integer(at / 2);
  s->before = made("ffi.Dict", large, 2 * LARGE_DICT);
}
static int large_erase(State* s) {
  TVMFFIAny args[3] = {s->before, integer(2), integer(2 + ERASED)};
  return call("ffi.ListEraseRange", args, 3, &s->result);
}
static void large_erased(State* s) {
  CHECK(s->status == 0);
  CHECK(size_of("ffi.ListSize", s->before) == LARGE_LIST - ERASED && holds(s->before, 0, 0, 2));
  CHECK(holds(s->before, 2, 2 + ERASED, 12 + ERASED));
  release(s);
}
static int large_replace(State* s) {
  TVMFFIAny args[4] = {s->before, integer(0), integer(LARGE_LIST), s->other};
  return call("ffi.ListReplaceSlice", args, 4, &s->result);
}
static int large_structural_equal(State* s) {
  TVMFFIAny args[4] = {s->before, s->other, {.type_index = kTVMFFIBool}, {.type_index = kTVMFFIBool}};
  return call("ffi.StructuralEqual", args, 4, &s->result);
}
static int large_recursive_equal(State* s) {
  TVMFFIAny args[2] = {s->before, s->other};
  return call("ffi.RecursiveEq", args, 2, &s->result);
}
static int stringify(State* s) {
  TVMFFIAny args[2] = {s->before, {0}};
  return call("ffi.json.Stringify", args, 2, &s->result);
}

static int init_handle(void** result) {
  *result = &closure;
  return 0;
}
static int init_once(State* s) { return TVMFFIHandleInitOnce(&s->pointer, init_handle); }
static void inited(State* s) { CHECK((s->pointer != NULL) == (s->status == 0)); }

static int attribute(State* s) {
  TVMFFIByteArray name = text("__test_no_memory__");
  TVMFFIAny value = s->before;
  return TVMFFITypeRegisterAttr(kTVMFFIObject, &name, &value) == 0 ? 0 : -1;
}
static void registered(State* s) { drop(s->before); }

static const Operation OPERATIONS[] = {
    {"first_error", FIRST, nothing, error_raise, raised},
    {"first_type", FIRST, nothing, first_type, types_are_there},
    {"first_global", FIRST, nothing, first_global, globals_are_there},
    {"string", MANY, nothing, string, release},
    {"bytes", MANY, nothing, bytes, release},
    {"owned", MANY, nothing, owned, release},
    {"big_integer", MANY, nothing, big_integer, release},
    {"dtype_to_string", MANY, nothing, dtype_to_string, release},
    {"dtype_from_string", MANY, nothing, dtype_from_string, release},
    {"error_create", MANY, nothing, error_create, release},
    {"error_raise", MANY, nothing, error_raise, raised},
    {"function_create", MANY, nothing, function_create, function_end},
    {"function_fails", MANY, prepare_function, function_fails, function_has_failed},
    {"wrong_argument", MANY, nothing, wrong_argument, raised},
    {"opaque", MANY, nothing, opaque, function_end},
    {"array", MANY, nothing, array, release},
    {"shape", MANY, nothing, shape, release},
    {"list", MANY, nothing, list, release},
    {"list_append", MANY, prepare_list, list_append, one_more},
    {"list_insert", MANY, prepare_list, list_insert, one_more},
    {"list_erase_range", MANY, prepare_list, list_erase_range, erased},
    {"list_clear", MANY, prepare_list, list_clear, cleared},
    {"list_replace", MANY, prepare_two_lists, list_replace, replaced},
    {"list_reserve", MANY, prepare_list, list_reserve, kept},
    {"list_contains", MANY, prepare_list, list_contains, kept},
    {"map_small", MANY, nothing, map_small, release},
    {"map_large", MANY, nothing, map_large, release},
    {"dict_large", MANY, nothing, dict_large, release},
    {"dict_set_small", MANY, prepare_small_dict, dict_set, dict_is_whole},
    {"dict_set_large", MANY, prepare_dict, dict_set, dict_is_whole},
    {"dict_clear", MANY, prepare_dict, dict_clear, dict_is_empty},
    {"dict_erase", MANY, prepare_dict, dict_erase, one_less},
    {"tensor_import", MANY, prepare_tensor, tensor_import, imported},
    {"tensor_export", MANY, prepare_imported, tensor_export, exported},
    {"tensor_view", MANY, prepare_imported, tensor_view, viewed},
    {"global_set", MANY, prepare_function, global_set, global_is_set},
    {"global_get", MANY, nothing, global_get, release},
    {"global_names", MANY, nothing, global_names, release},
    {"deep_copy", MANY, prepare_value, deep_copy, release},
    {"repr", MANY, prepare_value, repr, release},
    {"recursive_hash", MANY, prepare_value, recursive_hash, release},
    {"recursive_equal", MANY, prepare_value, recursive_equal, release},
    {"structural_hash", MANY, prepare_value, structural_hash, release},
    {"structural_equal", MANY, prepare_value, structural_equal, release},
    {"to_graph", MANY, prepare_value, to_graph, release},
    {"from_graph", MANY, prepare_graph, from_graph, release},
    {"init_once", MANY, nothing, init_once, inited},
    {"large_erase", LARGE, prepare_large_list, large_erase, large_erased},
    {"large_clear", LARGE, prepare_large_list, list_clear, cleared},
    {"large_replace", LARGE, prepare_large_lists, large_replace, release},
    {"large_copy", LARGE, prepare_large_list, deep_copy, release},
    {"large_repr", LARGE, prepare_large_list, repr, release},
    {"large_stringify", LARGE, prepare_large_list, stringify, release},
    {"large_graph", LARGE, prepare_large_list, to_graph, release},
    {"large_hash", LARGE, prepare_large_dict, structural_hash, release},
    {"large_equal", LARGE, prepare_large_lists, large_structural_equal, release},
    {"large_recursive_hash", LARGE, prepare_large_dict, recursive_hash, release},
    {"large_recursive_equal", LARGE, prepare_large_lists, large_recursive_equal, release},
    {"large_dict_clear", LARGE, prepare_large_dict, dict_clear, dict_is_empty},
    {"large_dict_copy", LARGE, prepare_large_dict, deep_copy, release},
    {"attribute", ONCE, prepare_function, attribute, registered},
};

/* Runs an operation with the n-th request refused, 0 for none. Answers how many blocks remain of it. */
static long attempt(const Operation* operation, int n, int* status, int* was_refused) {
  State state = {0};
  long before = blocks;
  operation->prepare(&state);
  countdown = n, refused = 0;
  armed = n > 0;
  state.status = operation->run(&state);
  armed = 0;
  *status = state.status, *was_refused = refused > 0;
  if (state.status != 0) {
    CHECK(state.status == -1);
    TVMFFIObjectHandle error = NULL;
    TVMFFIErrorMoveFromRaised(&error);
    CHECK(error != NULL);
    TVMFFIObjectDecRef(error);
  }
  operation->finish(&state);
  return blocks - before;
}

enum { SUCCEEDS, FAILS, DONE, LEAKS = 4 };

/* The first attempts may fill caches, each a little where it has little memory; the last one may not keep anything. */
static int attempts(const Operation* operation, int n) {
  int count = operation->kind == ONCE || operation->kind == LARGE ? 1 : 16, status, was_refused, outcome = DONE;
  for (int number = 1; number <= count; number++) {
    long kept = attempt(operation, n, &status, &was_refused);
    if (number == 1) outcome = !was_refused ? DONE : status != 0 ? FAILS : SUCCEEDS;
    if (number == count && count > 1 && kept > 0) outcome = LEAKS;
  }
  return outcome;
}

/* In a process of its own, but for the round without a refusal: that fills the caches for all others. */
static int in_child(const Operation* operation, int n) {
  if (n == 0) return operation->kind == MANY ? attempts(operation, n) : SUCCEEDS;
  pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(attempts(operation, n));
  }
  int status;
  while (waitpid(child, &status, 0) < 0) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/* Which request is to be refused after the n-th. */
static int next(const Operation* operation, int n) {
  switch (operation->kind) {
    case FIRST:
      return n + (n > 20 ? 97 : 1);
    case LARGE:
      return n == 0 ? 1 : 8 * n;
    default:
      return n + 1;
  }
}

int main(int argc, char** argv) {
  int failed = 0;
  setvbuf(stdout, NULL, _IONBF, 0);
  for (size_t at = 0; at < sizeof OPERATIONS / sizeof *OPERATIONS; at++) {
    const Operation* operation = &OPERATIONS[at];
    if (argc > 1 && strcmp(argv[1], operation->name) != 0) continue;
    for (persistent = 0; persistent <= 1; persistent++) {
      int counts[2] = {0, 0}, wrong = 0;
      for (int n = 0; n < 4000; n = next(operation, n)) {
        int outcome = in_child(operation, n);
        if (n == 0) continue;
        if (outcome == DONE) break;
        if (outcome == SUCCEEDS || outcome == FAILS) {
          counts[outcome]++;
        } else if (wrong++ < 3) {
          printf("  %s: request %d refused: %s %d\n", operation->name, n,
                 outcome >= 1000 ? "signal" : outcome == LEAKS ? "leak" : "exit", outcome % 1000);
        }
      }
      printf("%-22s %s: %d errors, %d successes, %d wrong\n", operation->name, persistent ? "from the n-th on" : "the n-th",
             counts[FAILS], counts[SUCCEEDS], wrong);
      failed += wrong;
    }
  }
  return failed > 0;
}
