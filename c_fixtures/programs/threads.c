/*
 * Uses the library from many threads at once, for tools that watch memory and races: threads [THREADS [ROUNDS]]
 *
 * Everything here may happen on any thread at any time: global functions come and go, errors are raised, types are
 * registered while others read the table, shared containers are read, objects end on whichever thread lets go last, and
 * one handle is filled once. A job ends the program where an answer is wrong.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

#define EXPECT(condition)                                                  \
  do {                                                                     \
    if (!(condition)) {                                                    \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      abort();                                                             \
    }                                                                      \
  } while (0)

/* ---- Values ------------------------------------------------------------------------------------------------------ */

static TVMFFIByteArray text(const char* content) { return (TVMFFIByteArray){.data = content, .size = strlen(content)}; }

static TVMFFIAny integer(int64_t value) { return (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = value}; }

static TVMFFIAny c_str(const char* content) { return (TVMFFIAny){.type_index = kTVMFFIRawStr, .v_c_str = content}; }

static void release(TVMFFIAny value) {
  if (value.type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(value.v_obj);
}

/** A global function; NULL if nobody has registered it. */
static TVMFFIObjectHandle find(const char* name) {
  TVMFFIByteArray wanted = text(name);
  TVMFFIObjectHandle function = NULL;
  EXPECT(TVMFFIFunctionGetGlobal(&wanted, &function) == 0);
  return function;
}

/** Calls one of the library's own global functions; answers the status. */
static int try_call(const char* name, TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  TVMFFIObjectHandle function = find(name);
  int code;
  EXPECT(function);
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  code = TVMFFIFunctionCall(function, args, count, result);
  TVMFFIObjectDecRef(function);
  return code;
}

static TVMFFIAny call(const char* name, TVMFFIAny* args, int32_t count) {
  TVMFFIAny result;
  EXPECT(try_call(name, args, count, &result) == 0);
  return result;
}

/** Takes the raised error, which is expected to be of this kind. */
static void take_error(const char* kind) {
  TVMFFIObjectHandle error = NULL;
  const TVMFFIErrorCell* cell;
  TVMFFIErrorMoveFromRaised(&error);
  EXPECT(error);
  cell = (const TVMFFIErrorCell*)((const TVMFFIObject*)error + 1);
  EXPECT(cell->kind.size == strlen(kind) && memcmp(cell->kind.data, kind, cell->kind.size) == 0);
  TVMFFIObjectDecRef(error);
}

static int answer_seven(void* self, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  (void)self, (void)args, (void)count;
  *result = integer(7);
  return 0;
}

/* ---- What the threads share -------------------------------------------------------------------------------------- */

static TVMFFIAny array, map, dict;
static TVMFFIObjectHandle exchanged;
static void* filled_once;
static int fillings;

static int fill(void** result) {
  __atomic_fetch_add(&fillings, 1, __ATOMIC_RELAXED);
  *result = &fillings;
  return 0;
}

static int leave(void* handle) { return handle == (void*)&fillings ? 0 : -1; }

/* ---- Jobs: what thread `me` does in a round ---------------------------------------------------------------------- */

/** Registers a function of its own and one that everybody replaces; finds, calls and removes them. */
static void globals(int me, int round) {
  char own[32];
  TVMFFIByteArray name, shared = text("threads.shared");
  TVMFFIObjectHandle function = NULL, found;
  TVMFFIAny answer, argument, names;
  snprintf(own, sizeof(own), "threads.own.%d.%d", me, round);
  name = text(own);
  EXPECT(TVMFFIFunctionCreate(NULL, answer_seven, NULL, &function) == 0);
  EXPECT(TVMFFIFunctionSetGlobal(&name, function, 0) == 0);
  EXPECT(TVMFFIFunctionSetGlobal(&shared, function, 1) == 0);
  TVMFFIObjectDecRef(function);
  answer = call(own, NULL, 0);
  EXPECT(answer.v_int64 == 7);
  if ((found = find("threads.shared"))) {
    EXPECT(TVMFFIFunctionCall(found, NULL, 0, &answer) == 0 && answer.v_int64 == 7);
    TVMFFIObjectDecRef(found);
  }
  names = call("ffi.FunctionListGlobalNamesFunctor", NULL, 0);
  argument = integer(-1);
  EXPECT(TVMFFIFunctionCall(names.v_obj, &argument, 1, &answer) == 0 && answer.v_int64 >= 1);
  release(names);
  argument = c_str(own);
  EXPECT(call("ffi.FunctionRemoveGlobal", &argument, 1).v_int64 == 1);
  EXPECT(!find(own));
}

/** Raises errors of its own and has the library raise some; each thread sees its own. */
static void errors(int me, int round) {
  TVMFFIAny args[2] = {array, integer(1000)}, result;
  char message[32];
  snprintf(message, sizeof(message), "%d in round %d", me, round);
  TVMFFIErrorSetRaisedFromCStr(me % 2 ? "ValueError" : "TypeError", message);
  take_error(me % 2 ? "ValueError" : "TypeError");
  EXPECT(try_call("ffi.ArrayGetItem", args, 2, &result) != 0);
  take_error("IndexError");
}

/** Holds shared objects for a while, and lets go of an object that another thread has made. */
static void counts(int me, int round) {
  TVMFFIAny args[2] = {integer(me), integer(round)}, made = call("ffi.Array", args, 2);
  TVMFFIObjectHandle old;
  EXPECT(TVMFFIObjectIncRef(array.v_obj) == 0);
  old = __atomic_exchange_n(&exchanged, (TVMFFIObjectHandle)made.v_obj, __ATOMIC_ACQ_REL);
  if (old) EXPECT(TVMFFIObjectDecRef(old) == 0);
  EXPECT(TVMFFIObjectDecRef(array.v_obj) == 0);
}

/** Reads shared containers in every way there is. */
static void readers(int me, int round) {
  TVMFFIAny args[2] = {array, integer((me + round) % 8)}, value = {.type_index = kTVMFFINone}, iterator, command = integer(2);
  EXPECT(call("ffi.ArrayGetItem", args, 2).v_int64 == (me + round) % 8);
  args[0] = map;
  EXPECT(call("ffi.MapGetItem", args, 2).v_int64 == (me + round) % 8 + 100);
  args[0] = dict;
  EXPECT(call("ffi.DictCount", args, 2).v_int64 == 1);
  iterator = call("ffi.MapForwardIterFunctor", &map, 1);
  EXPECT(TVMFFIFunctionCall(iterator.v_obj, &command, 1, &value) == 0);
  release(iterator);
  value = call("ffi.DeepCopy", &dict, 1);
  args[0] = value, args[1] = dict;
  EXPECT(call("ffi.RecursiveEq", args, 2).v_int64 == 1);
  release(value);
  release(call("ffi.ReprPrint", &array, 1));
}

/** Walks shared values by structure: their hash, their equality, their texts. */
static void structure(int me, int round) {
  TVMFFIAny args[4] = {array, {.type_index = kTVMFFIBool}, {.type_index = kTVMFFIBool}, {.type_index = kTVMFFIBool}};
  TVMFFIAny json[2] = {array, {.type_index = kTVMFFINone}}, printed, parsed;
  (void)me, (void)round;
  EXPECT(call("ffi.StructuralHash", args, 3).v_int64 == call("ffi.StructuralHash", args, 3).v_int64);
  args[1] = array;
  EXPECT(call("ffi.StructuralEqual", args, 4).v_int64 == 1);
  printed = call("ffi.json.Stringify", json, 2);
  parsed = call("ffi.json.Parse", &printed, 1);
  args[1] = parsed;
  EXPECT(call("ffi.StructuralEqual", args, 4).v_int64 == 1);
  release(parsed);
  release(printed);
}

/** Registers types with fields and attributes, some of them at the same time as other threads, and reads the table. */
static void types(int me, int round) {
  char key[40];
  TVMFFIByteArray name, attribute = text("threads.attribute"), field = text("field");
  TVMFFIFieldInfo info = {.name = field, .size = 8, .alignment = 8, .offset = 24, .field_static_type_index = kTVMFFIInt};
  TVMFFIAny value = integer(me);
  const TVMFFITypeAttrColumn* column;
  int32_t index, again = -1;
  snprintf(key, sizeof(key), "threads.Shared%d", round % 8);
  name = text(key);
  index = TVMFFITypeGetOrAllocIndex(&name, -1, 1, 0, 1, kTVMFFIObject);
  EXPECT(TVMFFITypeKeyToIndex(&name, &again) == 0 && again == index);
  EXPECT(TVMFFIGetTypeInfo(index)->type_key.size == name.size);
  snprintf(key, sizeof(key), "threads.Own%d.%d", me, round % 8);
  name = text(key);
  index = TVMFFITypeGetOrAllocIndex(&name, -1, 1, 0, 1, kTVMFFIObject);
  if (round < 8) {
    EXPECT(TVMFFITypeRegisterField(index, &info) == 0);
    EXPECT(TVMFFITypeRegisterAttr(index, &attribute, &value) == 0);
  }
  EXPECT(TVMFFIGetTypeInfo(index)->num_fields == 1);
  column = TVMFFIGetTypeAttrColumn(&attribute);
  EXPECT(column);
  release(call("ffi.GetRegisteredTypeKeys", NULL, 0));
}

/** Makes strings, data types and streams: what is each thread's own affair. */
static void own_affairs(int me, int round) {
  TVMFFIByteArray content = text("a text that does not fit into a value"), dtype = text("float32x4");
  TVMFFIAny string = {.type_index = kTVMFFINone}, printed = {.type_index = kTVMFFINone};
  DLDataType parsed;
  TVMFFIStreamHandle mine = (TVMFFIStreamHandle)((char*)NULL + me + 1), before = NULL;
  (void)round;
  EXPECT(TVMFFIStringFromByteArray(&content, &string) == 0);
  release(string);
  EXPECT(TVMFFIDataTypeFromString(&dtype, &parsed) == 0 && parsed.lanes == 4);
  EXPECT(TVMFFIDataTypeToString(&parsed, &printed) == 0);
  release(printed);
  EXPECT(TVMFFIEnvSetStream(kDLCUDA, 0, mine, &before) == 0);
  EXPECT(TVMFFIEnvGetStream(kDLCUDA, 0) == mine);
  EXPECT(TVMFFIEnvSetStream(kDLCUDA, 0, before, NULL) == 0);
}

/** Fills the shared handle: whoever comes first, and everybody sees what it was filled with. */
static void once(int me, int round) {
  (void)me, (void)round;
  EXPECT(TVMFFIHandleInitOnce(&filled_once, fill) == 0);
  EXPECT(__atomic_load_n(&filled_once, __ATOMIC_ACQUIRE) == (void*)&fillings);
}

/* ---- Running them ------------------------------------------------------------------------------------------------ */

typedef void (*job)(int me, int round);
static const job jobs[] = {once, globals, errors, counts, readers, structure, types, own_affairs};
#define JOBS ((int)(sizeof(jobs) / sizeof(jobs[0])))

static int rounds = 100;
static pthread_barrier_t start;

/** Each thread begins with another job, so that every two of them meet. */
static void* run(void* number) {
  int me = *(int*)number, round, step;
  pthread_barrier_wait(&start);
  for (round = 0; round < rounds; ++round)
    for (step = 0; step < JOBS; ++step) jobs[(me + step) % JOBS](me, round);
  return NULL;
}

static void make_shared(void) {
  TVMFFIAny items[8], entries[16];
  for (int number = 0; number < 8; ++number) {
    items[number] = entries[2 * number] = integer(number);
    entries[2 * number + 1] = integer(number + 100);
  }
  array = call("ffi.Array", items, 8);
  map = call("ffi.Map", entries, 16);
  dict = call("ffi.Dict", entries, 16);
}

static void end_shared(void) {
  TVMFFIAny name = c_str("threads.shared");
  EXPECT(fillings == 1);
  EXPECT(TVMFFIHandleDeinitOnce(&filled_once, leave) == 0 && !filled_once);
  call("ffi.FunctionRemoveGlobal", &name, 1);
  if (exchanged) TVMFFIObjectDecRef(exchanged);
  release(array);
  release(map);
  release(dict);
}

int main(int argc, char** argv) {
  enum { MOST = 64 };
  int threads = argc > 1 ? atoi(argv[1]) : 8, numbers[MOST];
  pthread_t handles[MOST];
  if (argc > 2) rounds = atoi(argv[2]);
  if (threads < 1 || threads > MOST || rounds < 8) {
    fprintf(stderr, "usage: %s [THREADS, 1 to %d [ROUNDS, 8 or more]]\n", argv[0], MOST);
    return 2;
  }
  make_shared();
  EXPECT(pthread_barrier_init(&start, NULL, (unsigned)threads) == 0);
  for (int number = 0; number < threads; ++number) {
    numbers[number] = number;
    EXPECT(pthread_create(&handles[number], NULL, run, &numbers[number]) == 0);
  }
  for (int number = 0; number < threads; ++number) EXPECT(pthread_join(handles[number], NULL) == 0);
  end_shared();
  printf("%d threads, %d rounds of %d jobs\n", threads, rounds, JOBS);
  return 0;
}
