/* Objects of the split generation: their headers, their counts, and how they end. */
#include "objects.h"

#include <pthread.h>

/* ---- Fresh objects ----------------------------------------------------------------------------------------------- */

/** Expects the header of an object that its maker alone holds, and that a value refers to. */
static int check_fresh(struct caller* t, const char* what, const TVMFFIAny* any) {
  char name[80];
  int32_t first;
  CHECK_NOT_NULL(t, what, any->v_obj);
  CLAUSE(t, "SPL-0003");
  memcpy(&first, any->v_obj, sizeof(first));
  snprintf(name, sizeof(name), "first four bytes of %s", what);
  CHECK_EQ_INT(t, name, first, any->type_index);
  CLAUSE(t, "SPL-0004");
  snprintf(name, sizeof(name), "strong count of %s", what);
  CHECK_EQ_INT(t, name, strong_count_of(any->v_obj), 1);
  snprintf(name, sizeof(name), "weak count of %s", what);
  CHECK_EQ_INT(t, name, weak_count_of(any->v_obj), 1);
  return 0;
}

/** A new Error, String, Bytes, Function and opaque object has its type index first, then one weak and one strong reference. */
CALLER(fresh_objects) {
  static const char* const names[] = {"a String", "Bytes", "a Function", "an opaque object", "an Error"};
  TVMFFIByteArray text = text_of("a text that is an object");
  TVMFFIObjectHandle handle = NULL;
  TVMFFIAny any[5];
  int i;
  CLAUSE(t, "SPL-0003");
  CLAUSE(t, "SPL-0004");
  CHECK_OK(t, TVMFFIStringFromByteArray(&text, &any[0]));
  CHECK_OK(t, TVMFFIBytesFromByteArray(&text, &any[1]));
  CHECK_OK(t, TVMFFIFunctionCreate(&text, ignore, end_closure, &handle));
  any[2] = any_ptr(kTVMFFIFunction, handle);
  CHECK_OK(t, TVMFFIObjectCreateOpaque(&text, kTVMFFIOpaquePyObject, end_closure, &handle));
  any[3] = any_ptr(kTVMFFIOpaquePyObject, handle);
  CALL(t, TVMFFIErrorSetRaisedFromCStr("ValueError", "a message"));
  CALL(t, TVMFFIErrorMoveFromRaised(&handle));
  any[4] = any_ptr(kTVMFFIError, handle);
  for (i = 0; i < 5; ++i) {
    if (check_fresh(t, names[i], &any[i])) return 1;
    release(&any[i]);
  }
  return 0;
}

/** A new Array, Map and Shape has its type index first, then one weak and one strong reference. */
CALLER(fresh_containers) {
  static const char* const makers[] = {"ffi.Array", "ffi.Map", "ffi.Shape"};
  static const int32_t indices[] = {kTVMFFIArray, kTVMFFIMap, kTVMFFIShape};
  int i;
  CLAUSE(t, "SPL-0003");
  CLAUSE(t, "SPL-0004");
  for (i = 0; i < 3; ++i) {
    TVMFFIByteArray name = text_of(makers[i]);
    TVMFFIObjectHandle maker = NULL;
    TVMFFIAny args[2], made = any_none();
    args[0] = any_int(1);
    args[1] = any_int(2);
    CHECK_OK(t, TVMFFIFunctionGetGlobal(&name, &maker));
    CHECK_NOT_NULL(t, makers[i], maker);
    if (i == 0) CLAUSE(t, "ARR-0001");
    if (i == 1) CLAUSE(t, "MAP-0001");
    if (i == 2) CLAUSE(t, "CNT-0001");
    CHECK_OK(t, TVMFFIFunctionCall(maker, args, 2, &made));
    CHECK_EQ_INT(t, makers[i], made.type_index, indices[i]);
    if (check_fresh(t, makers[i], &made)) return 1;
    release(&made);
    CHECK_OK(t, TVMFFIObjectDecRef(maker));
  }
  return 0;
}

/** The header of an object of the library's own has type index, weak count, strong count and deleter at bytes 0, 4, 8 and 16. */
CALLER(header_layout) {
  TVMFFIByteArray text = text_of("a text that is an object");
  unsigned char bytes[24];
  int32_t type_index;
  uint32_t weak;
  uint64_t strong;
  void* deleter;
  TVMFFIAny any;
  CLAUSE(t, "SPL-0002");
  CHECK_OK(t, TVMFFIStringFromByteArray(&text, &any));
  CHECK_OK(t, TVMFFIObjectIncRef(any.v_obj));
  CHECK_OK(t, TVMFFIObjectIncRef(any.v_obj));
  memcpy(bytes, any.v_obj, sizeof(bytes));
  memcpy(&type_index, bytes, 4);
  memcpy(&weak, bytes + 4, 4);
  memcpy(&strong, bytes + 8, 8);
  memcpy(&deleter, bytes + 16, sizeof(deleter));
  CHECK_EQ_INT(t, "four bytes at byte 0", type_index, kTVMFFIStr);
  CHECK_EQ_INT(t, "four bytes at byte 4", weak, 1);
  CHECK_EQ_INT(t, "eight bytes at byte 8", strong, 3);
  CHECK_NOT_NULL(t, "the deleter at byte 16", deleter);
  CHECK_EQ_TEXT(t, "the text that the cell behind the header leads to", *BYTES_CELL(any.v_obj), "a text that is an object");
  CHECK_OK(t, TVMFFIObjectDecRef(any.v_obj));
  CHECK_OK(t, TVMFFIObjectDecRef(any.v_obj));
  release(&any);
  return 0;
}

/* ---- Counts ------------------------------------------------------------------------------------------------------ */

/** TVMFFIObjectIncRef adds one to the strong count and leaves every other byte of the header. */
CALLER(inc_ref) {
  struct node memory, *node = new_node(&memory);
  TVMFFIObject before = node->header;
  CLAUSE(t, "SPL-0005");
  CHECK_OK(t, TVMFFIObjectIncRef(node));
  CHECK_EQ_INT(t, "strong count", strong_count_of(node), 2);
  node->header.strong_ref_count = 1;
  CHECK_EQ_INT(t, "whether the rest of the header is as before", memcmp(&before, &node->header, sizeof(before)), 0);
  return 0;
}

/** TVMFFIObjectDecRef of one reference among several subtracts one from the strong count, leaves the rest and calls no deleter. */
CALLER(dec_ref) {
  struct node memory, *node = new_node(&memory);
  TVMFFIObject before = node->header;
  CLAUSE(t, "SPL-0006");
  node->header.strong_ref_count = 3;
  CHECK_OK(t, TVMFFIObjectDecRef(node));
  CHECK_EQ_INT(t, "strong count", strong_count_of(node), 2);
  CHECK_EQ_INT(t, "calls of the deleter", node->calls, 0);
  node->header.strong_ref_count = 1;
  CHECK_EQ_INT(t, "whether the rest of the header is as before", memcmp(&before, &node->header, sizeof(before)), 0);
  return 0;
}

/** The strong count carries from its low 32 bits into its high ones and back. */
CALLER(strong_carries) {
  struct node memory, *node = new_node(&memory);
  CLAUSE(t, "SPL-0012");
  node->header.strong_ref_count = 0xFFFFFFFFu;
  CHECK_OK(t, TVMFFIObjectIncRef(node));
  CHECK_EQ_INT(t, "strong count after one more than 32 bits hold", strong_count_of(node), (int64_t)1 << 32);
  CHECK_EQ_INT(t, "weak count", weak_count_of(node), 1);
  node->header.strong_ref_count = ((uint64_t)1 << 32) + 1;
  CHECK_OK(t, TVMFFIObjectDecRef(node));
  CHECK_EQ_INT(t, "strong count after one less", strong_count_of(node), (int64_t)1 << 32);
  CHECK_EQ_INT(t, "calls of the deleter", node->calls, 0);
  CHECK_OK(t, TVMFFIObjectDecRef(node));
  CHECK_EQ_INT(t, "strong count after another", strong_count_of(node), 0xFFFFFFFF);
  CHECK_EQ_INT(t, "calls of the deleter", node->calls, 0);
  return 0;
}

/** An object without a deleter is counted, and nothing is called at its end. */
CALLER(no_deleter) {
  struct node memory, *node = new_node(&memory);
  CLAUSE(t, "SPL-0013");
  node->header.deleter = NULL;
  CHECK_OK(t, TVMFFIObjectIncRef(node));
  CHECK_OK(t, TVMFFIObjectDecRef(node));
  CHECK_EQ_INT(t, "strong count", strong_count_of(node), 1);
  CHECK_OK(t, TVMFFIObjectDecRef(node));
  CHECK_EQ_INT(t, "strong count at the end", strong_count_of(node), 0);
  return 0;
}

/* ---- Ends -------------------------------------------------------------------------------------------------------- */

/** The last reference of an object without weak ones calls its deleter with its address, for both at once or for each in turn. */
CALLER(last_reference) {
  struct node memory, *node = new_node(&memory);
  CLAUSE(t, "SPL-0007");
  CHECK_OK(t, TVMFFIObjectDecRef(node));
  CHECK_EQ_INT(t, "flags of all calls together", node->flags, kTVMFFIObjectDeleterFlagBitMaskBoth);
  CHECK_EQ_INT(t, "flags of the first call", node->first_flags & kTVMFFIObjectDeleterFlagBitMaskStrong,
               kTVMFFIObjectDeleterFlagBitMaskStrong);
  CHECK_EQ_INT(t, "calls of the deleter", node->calls,
               node->first_flags == kTVMFFIObjectDeleterFlagBitMaskBoth ? 1 : 2);
  CHECK_EQ_PTR(t, "what the deleter was given", node->self, node);
  CHECK_EQ_INT(t, "strong count when it was called", node->strong, 0);
  return 0;
}

/** The last strong reference calls the deleter with flags 1 before it gives the weak one of all strong ones up. */
CALLER(last_strong_reference) {
  struct node memory, *node = new_node(&memory);
  CLAUSE(t, "SPL-0008");
  take_weak(node);
  CHECK_OK(t, TVMFFIObjectDecRef(node));
  CHECK_EQ_INT(t, "calls of the deleter", node->calls, 1);
  CHECK_EQ_INT(t, "its flags", node->flags, kTVMFFIObjectDeleterFlagBitMaskStrong);
  CHECK_EQ_INT(t, "weak count when it was called", node->weak, 2);
  CHECK_EQ_INT(t, "weak count afterwards", weak_count_of(node), 1);
  CLAUSE(t, "SPL-0010");
  CHECK_EQ_INT(t, "strong count when the deleter was called", node->strong, 0);
  CHECK_EQ_INT(t, "strong count afterwards", strong_count_of(node), 0);
  CHECK_EQ_INT(t, "type index afterwards", node->header.type_index, kTVMFFIObject);
  CHECK_EQ_INT(t, "whether the deleter is the same", node->header.deleter == end_node, 1);
  return 0;
}

/** When the deleter gives the last weak reference of others up, it is called with flags 2 afterwards, once. */
CALLER(last_weak_reference) {
  struct node memory, *node = new_node(&memory);
  CLAUSE(t, "SPL-0009");
  take_weak(node);
  node->drops_weak = 1;
  CHECK_OK(t, TVMFFIObjectDecRef(node));
  CHECK_EQ_INT(t, "calls of the deleter", node->calls, 2);
  CHECK_EQ_INT(t, "flags of the first call", node->first_flags, kTVMFFIObjectDeleterFlagBitMaskStrong);
  CHECK_EQ_INT(t, "flags of the last call", node->last_flags, kTVMFFIObjectDeleterFlagBitMaskWeak);
  return 0;
}

/** A strong reference that a client made of a weak one keeps the object, and none can be made of one that has ended. */
CALLER(promoted_references) {
  struct node memory, *node = new_node(&memory);
  TVMFFIObjectHandle object = NULL;
  int ends = 0;
  CLAUSE(t, "SPL-0033");
  node->promotes = 1;
  take_weak(node);
  CHECK_EQ_INT(t, "whether a strong reference was made", promote(node), 1);
  CHECK_OK(t, TVMFFIObjectDecRef(node));
  CHECK_EQ_INT(t, "calls of the deleter while that is held", node->calls, 0);
  CHECK_EQ_INT(t, "strong count", strong_count_of(node), 1);
  CHECK_OK(t, TVMFFIObjectDecRef(node));
  CHECK_EQ_INT(t, "calls of the deleter", node->calls, 1);
  CHECK_EQ_INT(t, "whether a strong reference was made while it ran", node->promoted, 0);
  CHECK_EQ_INT(t, "whether one was made afterwards", promote(node), 0);
  CHECK_OK(t, TVMFFIObjectCreateOpaque(&ends, kTVMFFIOpaquePyObject, count_end, &object));
  take_weak(object);
  CHECK_EQ_INT(t, "whether a strong reference to an opaque object was made", promote(object), 1);
  CHECK_OK(t, TVMFFIObjectDecRef(object));
  CHECK_EQ_INT(t, "ends of what it owns while that is held", ends, 0);
  CHECK_OK(t, TVMFFIObjectDecRef(object));
  CHECK_EQ_INT(t, "ends of what it owns", ends, 1);
  CHECK_EQ_INT(t, "whether one was made when that had ended", promote(object), 0);
  CALL(t, drop_weak(object));
  return 0;
}

/** An object of the library's own that is held weakly ends what it owns when the last strong reference goes, and not again. */
CALLER(owned_ends_once) {
  TVMFFIObjectHandle object = NULL;
  int ends = 0;
  CLAUSE(t, "SPL-0011");
  CHECK_OK(t, TVMFFIObjectCreateOpaque(&ends, kTVMFFIOpaquePyObject, count_end, &object));
  take_weak(object);
  CHECK_OK(t, TVMFFIObjectDecRef(object));
  CHECK_EQ_INT(t, "ends of what it owns, with a weak reference left", ends, 1);
  CLAUSE(t, "SPL-0010");
  CHECK_EQ_INT(t, "strong count", strong_count_of(object), 0);
  CHECK_EQ_INT(t, "type index", ((TVMFFIObject*)object)->type_index, kTVMFFIOpaquePyObject);
  CLAUSE(t, "SPL-0008");
  CHECK_EQ_INT(t, "weak count", weak_count_of(object), 1);
  CLAUSE(t, "SPL-0011");
  CALL(t, drop_weak(object));
  CHECK_EQ_INT(t, "ends of what it owns, with no reference left", ends, 1);
  return 0;
}

/** An object of the library's own that nobody holds weakly ends what it owns once. */
CALLER(owned_ends_with_the_last) {
  TVMFFIObjectHandle object = NULL;
  int ends = 0;
  CLAUSE(t, "SPL-0011");
  CHECK_OK(t, TVMFFIObjectCreateOpaque(&ends, kTVMFFIOpaquePyObject, count_end, &object));
  CHECK_OK(t, TVMFFIObjectIncRef(object));
  CHECK_OK(t, TVMFFIObjectDecRef(object));
  CHECK_EQ_INT(t, "ends of what it owns while it is held", ends, 0);
  CHECK_OK(t, TVMFFIObjectDecRef(object));
  CHECK_EQ_INT(t, "ends of what it owns", ends, 1);
  return 0;
}

/* ---- Threads ----------------------------------------------------------------------------------------------------- */

enum { THREADS = 4, ROUNDS = 20000 };

/** Adds and gives up references, and in the end the one that the thread was given. */
static void* take_and_drop(void* object) {
  int i;
  for (i = 0; i < ROUNDS; ++i) {
    TVMFFIObjectIncRef(object);
    if (i % 4 == 0) take_weak(object);
    TVMFFIObjectDecRef(object);
    if (i % 4 == 0) drop_weak(object);
  }
  TVMFFIObjectDecRef(object);
  return NULL;
}

/** Threads that add and give up references to one object at the same time end it once. */
CALLER(threads) {
  pthread_t threads[THREADS];
  struct node memory, *node = new_node(&memory);
  int i, started = 0;
  CLAUSE(t, "SPL-0014");
  node->header.strong_ref_count = THREADS + 1;
  for (i = 0; i < THREADS; ++i) started += pthread_create(&threads[i], NULL, take_and_drop, node) == 0;
  CHECK_EQ_INT(t, "threads that were started", started, THREADS);
  for (i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  CHECK_EQ_INT(t, "strong count when all threads have ended", strong_count_of(node), 1);
  CHECK_EQ_INT(t, "weak count", weak_count_of(node), 1);
  CHECK_EQ_INT(t, "calls of the deleter", node->calls, 0);
  CHECK_OK(t, TVMFFIObjectDecRef(node));
  CHECK_EQ_INT(t, "flags of the deleter", node->flags, kTVMFFIObjectDeleterFlagBitMaskBoth);
  return 0;
}

/* ---- Handing over ------------------------------------------------------------------------------------------------ */

/** An object that is handed to a function and an Array and taken back has the counts that it had. */
CALLER(handed_over) {
  TVMFFIByteArray maker_name = text_of("ffi.Array"), item_name = text_of("ffi.ArrayGetItem");
  TVMFFIObjectHandle function = NULL, maker = NULL, item = NULL;
  TVMFFIAny args[2], array = any_none(), result = any_none();
  struct node memory, *node = new_node(&memory);
  CLAUSE(t, "SPL-0015");
  args[0] = any_object(node);
  CHECK_OK(t, TVMFFIFunctionCreate(node, answer_argument, end_closure, &function));
  CHECK_OK(t, TVMFFIFunctionCall(function, args, 1, &result));
  CHECK_EQ_INT(t, "strong count while the result is held", strong_count_of(node), 2);
  CHECK_EQ_INT(t, "weak count while the result is held", weak_count_of(node), 1);
  release(&result);
  CHECK_EQ_INT(t, "strong count after the call", strong_count_of(node), 1);
  CHECK_OK(t, TVMFFIFunctionGetGlobal(&maker_name, &maker));
  CHECK_OK(t, TVMFFIFunctionGetGlobal(&item_name, &item));
  CHECK_OK(t, TVMFFIFunctionCall(maker, args, 1, &array));
  CHECK_EQ_INT(t, "strong count while an Array holds it", strong_count_of(node), 2);
  CHECK_EQ_INT(t, "weak count while an Array holds it", weak_count_of(node), 1);
  args[0] = array;
  args[1] = any_int(0);
  CLAUSE(t, "ARR-0002");
  CHECK_OK(t, TVMFFIFunctionCall(item, args, 2, &result));
  CHECK_EQ_PTR(t, "the element", result.v_obj, node);
  CLAUSE(t, "SPL-0015");
  CHECK_EQ_INT(t, "strong count while the element is held, too", strong_count_of(node), 3);
  release(&result);
  release(&array);
  CHECK_EQ_INT(t, "strong count in the end", strong_count_of(node), 1);
  CHECK_EQ_INT(t, "weak count in the end", weak_count_of(node), 1);
  CHECK_EQ_INT(t, "calls of the deleter", node->calls, 0);
  CHECK_OK(t, TVMFFIObjectDecRef(maker));
  CHECK_OK(t, TVMFFIObjectDecRef(item));
  CHECK_OK(t, TVMFFIObjectDecRef(function));
  return 0;
}
