/* Functions and errors: what is called, what a client's own functions leave behind, and which errors nobody takes. */
#include "watch.h"

enum { FEW = 16 };

/** A function of the client's, as the library calls it. */
struct closure {
  struct closure* next;
  void* self;
  TVMFFISafeCallType safe_call;
  void (*deleter)(void* self);
};

static struct closure* unused;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct closure* new_closure(void) {
  enum { MANY = 1024 };
  pthread_mutex_lock(&lock);
  if (!unused) {
    struct closure* fresh = own_memory(sizeof(struct closure) * MANY);
    for (int i = 0; fresh && i < MANY; ++i) {
      fresh[i].next = unused;
      unused = &fresh[i];
    }
  }
  struct closure* closure = unused;
  if (closure) unused = closure->next;
  pthread_mutex_unlock(&lock);
  return closure;
}

const char CALLBACK[] = "callback";

/** What a callback was given is as it was, and none of it has ended. */
static void check_given(const TVMFFIAny* args, const TVMFFIAny* before, uint32_t alive, int32_t count) {
  for (int32_t i = 0; i < count; ++i) {
    if (memcmp(&args[i], &before[i], sizeof(*args)) != 0) {
      found("args-changed", CALLBACK, NULL, "argument %d is not what it was when the callback was called", i);
    } else if (alive >> i & 1) {
      struct node* node = node_of(before[i].v_obj);
      if (has_ended(node)) {
        found("argument-released", CALLBACK, node, "argument %d, an object of the caller's, has ended during the callback", i);
      }
    }
  }
}

/** Whether that is a DLTensor among the arguments, which the caller has still: what the library makes of such a view is the same. */
static int is_given(const TVMFFIAny* value, const TVMFFIAny* args, int32_t count) {
  for (int32_t i = 0; i < count; ++i) {
    if (args[i].type_index == value->type_index && args[i].v_ptr == value->v_ptr) return value->type_index == kTVMFFIDLTensorPtr;
  }
  return 0;
}

/** Calls a function of the client's and looks at what it leaves. */
static int call_back(const struct closure* closure, void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  struct thread* thread = &this_thread;
  TVMFFIAny before[FEW];
  uint32_t alive = 0;
  int32_t few = num_args < FEW ? num_args : FEW;
  if (few > 0) memcpy(before, args, (size_t)few * sizeof(*args));
  const char* failed = thread->failed;
  int failed_depth = thread->failed_depth;
  trace_id failed_at = thread->failed_at;
  thread->failed = NULL;
  thread->depth += 1;
  for (int32_t i = 0; i < few; ++i) {
    if (before[i].type_index < kTVMFFIStaticObjectBegin) continue;
    know_object("callback argument", (void*)closure->safe_call, before[i].v_obj);
    struct node* node = node_of(before[i].v_obj);
    if (node && node->state == ALIVE) alive |= 1u << i;
  }
  int rc = closure->safe_call(self, args, num_args, result);
  thread->depth -= 1;
  if (few > 0) check_given(args, before, alive, few);
  if (rc == 0) {
    if (thread->failed && is_raised()) {
      found_at(thread->failed_at, "stale-error", thread->failed, NULL, "a callback succeeded, and the error of this call is still raised");
    }
    thread->failed = failed;
    thread->failed_depth = failed_depth;
    thread->failed_at = failed_at;
    if (result) {
      int32_t kind = result->type_index;
      int is_view = kind == kTVMFFIRawStr || kind == kTVMFFIByteArrayPtr || kind == kTVMFFIDLTensorPtr || kind == kTVMFFIObjectRValueRef;
      if (is_view && !is_given(result, before, few)) {
        found("view-returned", CALLBACK, NULL, "the result has the type index %d of a view, and has to be owned", kind);
      } else {
        int is_sound = check_value(CALLBACK, (void*)closure->safe_call, "the result", result);
        if (is_sound && kind >= kTVMFFIStaticObjectBegin) count_owned(node_of(result->v_obj), -1);
      }
    }
  } else {
    thread->failed = NULL;
    if (rc != -2 && !is_raised()) {
      found("failure-without-error", CALLBACK, NULL, "the callback answered %d, and no error is raised", rc);
    }
    if (rc != -1 && rc != -2) found("status", CALLBACK, NULL, "the callback answered %d", rc);
  }
  return rc;
}

static int enter_callback(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  struct closure* closure = self;
  if (!is_watching) return closure->safe_call(closure->self, args, num_args, result);
  return call_back(closure, closure->self, args, num_args, result);
}

static void end_closure(void* self) {
  struct closure* closure = self;
  if (closure->deleter) closure->deleter(closure->self);
  pthread_mutex_lock(&lock);
  closure->next = unused;
  unused = closure;
  pthread_mutex_unlock(&lock);
}

int TVMFFIFunctionCreate_watched(struct call* call, void* self, TVMFFISafeCallType safe_call, void (*deleter)(void* self),
                                 TVMFFIObjectHandle* out) {
  /* A function without a self is called back with its own handle. */
  if (!is_watching || (!self && !deleter)) return real.TVMFFIFunctionCreate(self, safe_call, deleter, out);
  if (!safe_call) found("null", call->name, NULL, "safe_call is NULL");
  struct closure* closure = new_closure();
  if (!closure) return real.TVMFFIFunctionCreate(self, safe_call, deleter, out);
  closure->self = self;
  closure->safe_call = safe_call;
  closure->deleter = deleter;
  int rc = real.TVMFFIFunctionCreate(closure, enter_callback, end_closure, out);
  if (rc != 0) {
    pthread_mutex_lock(&lock);
    closure->next = unused;
    unused = closure;
    pthread_mutex_unlock(&lock);
  }
  return rc;
}

int TVMFFIFunctionCall_watched(struct call* call, TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (!is_watching) return real.TVMFFIFunctionCall(func, args, num_args, result);
  int32_t moved = 0;
  TVMFFIObject* offered[FEW];
  if (num_args < 0 || (num_args > 0 && !args)) {
    found("arguments", call->name, NULL, "num_args is %d, args %p", num_args, (void*)args);
  } else {
    for (int32_t i = 0; i < num_args; ++i) {
      char name[32];
      const TVMFFIAny* value = &args[i];
      /* The most of them are plain numbers. */
      if ((value->type_index == kTVMFFIInt || value->type_index == kTVMFFIFloat) && !value->zero_padding) continue;
      snprintf(name, sizeof(name), "argument %d", i);
      int is_sound = check_value(call->name, call->from, name, value);
      if (value->type_index != kTVMFFIObjectRValueRef || i >= FEW) continue;
      while (moved < i) offered[moved++] = NULL;
      offered[moved++] = is_sound ? *(TVMFFIObject**)value->v_ptr : NULL;
    }
  }
  if (!result) {
    found("null", call->name, NULL, "result is NULL");
  } else if (result->type_index >= kTVMFFIStaticObjectBegin) {
    found("result-not-reset", call->name, NULL, "result has the type index %d of an object and has to be None", result->type_index);
  }
  int rc = real.TVMFFIFunctionCall(func, args, num_args, result);
  for (int32_t i = 0; i < moved; ++i) {
    if (offered[i] && !*(TVMFFIObject**)args[i].v_ptr) count_owned(node_of(offered[i]), -1);
  }
  return rc;
}

/* ---- Counts ---- */

int TVMFFIObjectIncRef_watched(struct call* call, TVMFFIObjectHandle obj) {
  count_owned(call->about, 1);
  return real.TVMFFIObjectIncRef(obj);
}

int TVMFFIObjectDecRef_watched(struct call* call, TVMFFIObjectHandle obj) {
  if (is_watching && obj && call->is_refused) return 0;
  count_owned(call->about, -1);
  return real.TVMFFIObjectDecRef(obj);
}

/* ---- Errors ---- */

void TVMFFIErrorMoveFromRaised_watched(struct call* call, TVMFFIObjectHandle* result) {
  (void)call;
  this_thread.failed = NULL;
  real.TVMFFIErrorMoveFromRaised(result);
}

/** The client raises an error: whoever called it will take it, unless the client itself goes on. */
static void raised(struct call* call) {
  struct thread* thread = &this_thread;
  thread->failed = NULL;
  if (thread->depth == 0) return;
  thread->failed = call->name;
  thread->failed_depth = -1;
  thread->failed_at = trace_often(call->from);
}

void TVMFFIErrorSetRaised_watched(struct call* call, TVMFFIObjectHandle error) {
  real.TVMFFIErrorSetRaised(error);
  raised(call);
}

void TVMFFIErrorSetRaisedFromCStr_watched(struct call* call, const char* kind, const char* message) {
  if (is_watching && (!kind || !message)) found("null", call->name, NULL, "%s is NULL", kind ? "message" : "kind");
  raised(call);
}

void TVMFFIErrorSetRaisedFromCStrParts_watched(struct call* call, const char* kind, const char** message_parts, int32_t num_parts) {
  if (is_watching && !kind) found("null", call->name, NULL, "kind is NULL");
  (void)message_parts, (void)num_parts;
  raised(call);
}

void TVMFFIBacktrace_watched(struct call* call, const char* filename, int lineno, const char* func, int cross_ffi_boundary) {
  (void)call, (void)filename, (void)lineno, (void)func, (void)cross_ffi_boundary;
}

/* ---- Types ---- */

int32_t TVMFFITypeGetOrAllocIndex_watched(struct call* call, const TVMFFIByteArray* type_key, int32_t static_type_index,
                                          int32_t type_depth, int32_t num_child_slots, int32_t child_slots_can_overflow,
                                          int32_t parent_type_index) {
  (void)call;
  int32_t index = real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots, child_slots_can_overflow,
                                                 parent_type_index);
  note_type(index);
  return index;
}
