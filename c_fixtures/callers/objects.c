/* The version, and objects: those of the library, those of a client, and foreign handles wrapped as objects. */
#include "caller.h"

/** TVMFFIGetVersion writes the version into the struct and nothing behind it. */
CALLER(version) {
  TVMFFIVersion places[2];
  memset(places, 0xA5, sizeof(places));
  CLAUSE(t, "SYM-0005");
  CALL(t, TVMFFIGetVersion(&places[0]));
  CHECK_EQ_INT(t, "the word behind the version", places[1].major, 0xA5A5A5A5u);
  CHECK_EQ_INT(t, "whether the major number was left as it was", places[0].major == 0xA5A5A5A5u, 0);
  return 0;
}

/* ---- An object of the client's own: the header inside a struct, freed by a deleter with flags -------------------- */

struct node {
  TVMFFIObject header;
  int value;
};

static int node_flags;
static int node_ends;

static void end_node(void* self, int flags) {
  node_flags |= flags;
  node_ends += 1;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(self);
}

static struct node* new_node(int value) {
  struct node* node = (struct node*)malloc(sizeof(struct node));
  memset(node, 0, sizeof(*node));
  node->header.combined_ref_count = ((uint64_t)1 << 32) | 1;
  node->header.type_index = kTVMFFIObject;
  node->header.deleter = end_node;
  node->value = value;
  node_flags = 0;
  node_ends = 0;
  return node;
}

/** An object made by a client is counted and, with its last reference, ended once by its own deleter. */
CALLER(client_object) {
  struct node* node = new_node(42);
  CLAUSE(t, "OBJ-0006");
  CHECK_OK(t, TVMFFIObjectIncRef(node));
  CHECK_EQ_INT(t, "strong count after one more reference", strong_count_of(node), 2);
  CLAUSE(t, "OBJ-0007");
  CHECK_OK(t, TVMFFIObjectDecRef(node));
  CHECK_EQ_INT(t, "strong count after one less", strong_count_of(node), 1);
  CHECK_EQ_INT(t, "calls of the deleter so far", node_ends, 0);
  CLAUSE(t, "OBJ-0009");
  CHECK_OK(t, TVMFFIObjectDecRef(node));
  CHECK_EQ_INT(t, "calls of the deleter", node_ends, 1);
  CHECK_EQ_INT(t, "flags that the deleter was given", node_flags, kTVMFFIObjectDeleterFlagBitMaskBoth);
  return 0;
}

/**
 * A weak reference keeps the memory of a client's object when the last strong reference goes.
 *
 * Clients count weak references in place; the library must leave the header to them.
 */
CALLER(weak_reference) {
  struct node* node = new_node(42);
  CLAUSE(t, "OBJ-0010");
  __atomic_fetch_add(&node->header.combined_ref_count, (uint64_t)1 << 32, __ATOMIC_RELAXED);
  CHECK_OK(t, TVMFFIObjectDecRef(node));
  CHECK_EQ_INT(t, "flags when the last strong reference went", node_flags, kTVMFFIObjectDeleterFlagBitMaskStrong);
  CHECK_EQ_INT(t, "calls of the deleter", node_ends, 1);
  CHECK_EQ_INT(t, "strong count", strong_count_of(node), 0);
  CHECK_EQ_INT(t, "weak count", counts_of(node) >> 32, 1);
  CHECK_EQ_INT(t, "the value behind the header", node->value, 42);
  free(node);
  return 0;
}

/* ---- A foreign handle -------------------------------------------------------------------------------------------- */

static int frontend_object;
static int foreign_ends;
static void* foreign_ended;

static void end_foreign(void* handle) {
  foreign_ended = handle;
  foreign_ends += 1;
}

/** An opaque object holds the handle it was made of and gives it to its deleter once. */
CALLER(opaque_object) {
  TVMFFIObjectHandle object = NULL;
  foreign_ends = 0;
  CLAUSE(t, "OBJ-0024");
  CHECK_OK(t, TVMFFIObjectCreateOpaque(&frontend_object, kTVMFFIOpaquePyObject, end_foreign, &object));
  CHECK_NOT_NULL(t, "the object", object);
  CHECK_EQ_INT(t, "its type index", TYPE_INDEX_OF(object), kTVMFFIOpaquePyObject);
  CHECK_EQ_PTR(t, "the handle in its cell", OPAQUE_CELL(object)->handle, &frontend_object);
  CLAUSE(t, "OBJ-0025");
  CHECK_OK(t, TVMFFIObjectIncRef(object));
  CHECK_OK(t, TVMFFIObjectDecRef(object));
  CHECK_EQ_INT(t, "calls of the deleter while a reference is left", foreign_ends, 0);
  CHECK_OK(t, TVMFFIObjectDecRef(object));
  CHECK_EQ_INT(t, "calls of the deleter", foreign_ends, 1);
  CHECK_EQ_PTR(t, "the handle that it was given", foreign_ended, &frontend_object);
  return 0;
}

/* ---- An allocator of the client's own ---------------------------------------------------------------------------- */

/** What lies before a body: the header that the library looks for, right before the body. */
struct storage {
  void* padding;
  TVMFFIObjectAllocHeader header;
};

static void free_storage(void* body) { free((char*)body - sizeof(struct storage)); }

static void* counted_allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  struct storage* storage = (struct storage*)malloc(sizeof(struct storage) + size);
  (void)alignment;
  (void)type_index;
  *(int*)context += 1;
  storage->header.delete_space = free_storage;
  return storage + 1;
}

/** A client's allocator is the current one until NULL brings the built-in one back. */
CALLER(custom_allocator) {
  int allocations = 0;
  TVMFFICustomAllocator* built_in = NULL;
  TVMFFICustomAllocator* current = NULL;
  static TVMFFICustomAllocator mine;
  mine.allocate = counted_allocate;
  mine.context = &allocations;
  CLAUSE(t, "ALC-0001");
  CALL(t, built_in = TVMFFIGetCustomAllocator());
  CHECK_NOT_NULL(t, "the allocator in the beginning", built_in);
  CHECK_EQ_INT(t, "whether it can allocate", built_in->allocate != NULL, 1);
  CLAUSE(t, "ALC-0003");
  CHECK_OK(t, TVMFFISetCustomAllocator(&mine));
  CALL(t, current = TVMFFIGetCustomAllocator());
  CHECK_EQ_PTR(t, "the allocator that was set", current, &mine);
  CLAUSE(t, "ALC-0004");
  CHECK_OK(t, TVMFFISetCustomAllocator(NULL));
  CALL(t, current = TVMFFIGetCustomAllocator());
  CHECK_NOT_NULL(t, "the allocator after NULL was set", current);
  CHECK_EQ_INT(t, "whether that is the built-in one", current->allocate == built_in->allocate, 1);
  return 0;
}

/* ---- Handles that are filled once -------------------------------------------------------------------------------- */

static int opened;
static int closed;
static int device;

static int open_device(void** result) {
  opened += 1;
  *result = &device;
  return 0;
}

static int close_device(void* handle) {
  closed += handle == &device;
  return 0;
}

static int cannot_open(void** result) {
  (void)result;
  TVMFFIErrorSetRaisedFromCStr("RuntimeError", "no such device");
  return -1;
}

/** TVMFFIHandleInitOnce opens a handle once, and TVMFFIHandleDeinitOnce closes it once. */
CALLER(init_once) {
  void* handle = NULL;
  opened = closed = 0;
  CLAUSE(t, "ONC-0001");
  CHECK_OK(t, TVMFFIHandleInitOnce(&handle, open_device));
  CHECK_EQ_PTR(t, "the handle", handle, &device);
  CLAUSE(t, "ONC-0002");
  CHECK_OK(t, TVMFFIHandleInitOnce(&handle, open_device));
  CHECK_EQ_INT(t, "calls of the function that opens", opened, 1);
  CLAUSE(t, "ONC-0009");
  CHECK_OK(t, TVMFFIHandleDeinitOnce(&handle, close_device));
  CHECK_EQ_PTR(t, "the handle", handle, NULL);
  CLAUSE(t, "ONC-0010");
  CHECK_OK(t, TVMFFIHandleDeinitOnce(&handle, close_device));
  CHECK_EQ_INT(t, "calls of the function that closes", closed, 1);
  return 0;
}

/** A handle whose opening failed stays NULL and can be opened later. */
CALLER(init_once_fails) {
  void* handle = NULL;
  opened = 0;
  CLAUSE(t, "ONC-0003");
  CHECK_FAILS(t, TVMFFIHandleInitOnce(&handle, cannot_open), "RuntimeError");
  CHECK_EQ_PTR(t, "the handle after a failure", handle, NULL);
  CLAUSE(t, "ONC-0004");
  CHECK_OK(t, TVMFFIHandleInitOnce(&handle, open_device));
  CHECK_EQ_PTR(t, "the handle after the next attempt", handle, &device);
  CHECK_OK(t, TVMFFIHandleDeinitOnce(&handle, close_device));
  return 0;
}
