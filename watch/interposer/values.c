/* What a client passes to a call: handles, values, texts; and what it gets. */
#include "watch.h"

void tell_process(void);

void enter(struct call* call, const char* name, const void* from, int flags) {
  call->name = name;
  call->from = from;
  call->flags = flags;
  call->about = NULL;
  call->is_refused = 0;
  struct thread* thread = &this_thread;
  thread->inside += 1;
  if (!is_watching) return;
  if (!thread->known) {
    know_thread();
    tell_process();
  }
  if (thread->ended && !(flags & CALL_WITHOUT_THREAD)) {
    found("after-thread", name, NULL, "the thread has ended: what the library keeps for it is gone");
  }
  if (thread->failed && !(flags & CALL_WHILE_RAISED) && thread->depth == thread->failed_depth) {
    const char* failed = thread->failed;
    thread->failed = NULL;
    if (is_raised()) {
      found_at(thread->failed_at, "error-not-taken", failed, NULL, "the error of this call was not taken when %s was called", name);
    }
  }
}

void status(struct call* call, int rc) {
  /* An error that waits in the frontend is none of the library's. */
  if (rc == 0 || rc == -2 || !is_watching) return;
  if (call->flags & CALL_WHILE_RAISED) return;
  struct thread* thread = &this_thread;
  if (!is_raised()) return;
  thread->failed = call->name;
  thread->failed_depth = thread->depth;
  thread->failed_at = trace_often(call->from);
}

void leave(struct call* call) {
  (void)call;
  struct thread* thread = &this_thread;
  thread->inside -= 1;
  if (thread->inside == 0 && thread->ending) settle();
}

static const char* name_of(int32_t type_index) {
  static const char* const names[] = {"None",       "int",        "bool",          "float",      "pointer",       "data type",    "device",
                                      "DLTensor*",  "C string",   "TVMFFIByteArray*", "r-value reference", "small string", "small bytes", "unchanged"};
  return type_index >= 0 && type_index < (int)(sizeof(names) / sizeof(*names)) ? names[type_index] : "object";
}

/** Whether a handle is one of a live object, and may be followed. */
static int is_alive(const char* call, const char* name, TVMFFIObject* object) {
  if ((uintptr_t)object < 4096 || (uintptr_t)object % 8) {
    found("not-an-object", call, NULL, "%s is %p, which is no object's address", name, (void*)object);
    return 0;
  }
  struct node* node = node_of(object);
  if (has_ended(node)) {
    /* What the call does to it is no news. */
    node->is_told = 1;
    found("used-after-end", call, node, "%s is an object that has ended", name);
    return 0;
  }
  if (node && node->state == ALIVE) return 1;
  TVMFFIObject header;
  if (read_memory(&header, object, sizeof(header)) != 0) {
    found("not-an-object", call, NULL, "%s is %p, where there is no memory", name, (void*)object);
    return 0;
  }
  if (node && node->state == ENDING) return 1;
  if (header.type_index < kTVMFFIStaticObjectBegin ||
      (header.type_index >= kTVMFFIStaticObjectEnd && header.type_index < kTVMFFIDynObjectBegin)) {
    found("not-an-object", call, NULL, "%s is %p, where the header has the type index %d", name, (void*)object, header.type_index);
    return 0;
  }
  /* Which types there are is not known for sure, but that an object ends in code is. */
  char code;
  if (header.type_index >= kTVMFFIDynObjectBegin && header.deleter && read_memory(&code, *(void**)&header.deleter, 1) != 0) {
    found("not-an-object", call, NULL, "%s is %p, where the header has a deleter at %p, where there is no memory", name, (void*)object,
          *(void**)&header.deleter);
    return 0;
  }
  if ((uint32_t)header.combined_ref_count == 0) {
    found("used-after-end", call, node, "%s is an object whose strong count is 0", name);
    return 0;
  }
  return 1;
}

void check_handle(struct call* call, const char* name, TVMFFIObjectHandle handle, int is_nullable, int32_t wanted) {
  if (!is_watching) return;
  if (!handle) {
    if (!is_nullable) found("null", call->name, NULL, "%s is NULL", name);
    return;
  }
  TVMFFIObject* object = handle;
  if (!is_alive(call->name, name, object)) {
    call->is_refused = 1;
    return;
  }
  know_object(call->name, call->from, object);
  call->about = node_of(object);
  if (wanted && object->type_index != wanted) {
    TVMFFIByteArray has = key_of(object->type_index), wants = key_of(wanted);
    found("wrong-type", call->name, node_of(object), "%s is a %.*s and has to be a %.*s", name, (int)has.size, has.data, (int)wants.size,
          wants.data);
  }
}

void check_bytes(struct call* call, const char* name, const TVMFFIByteArray* bytes) {
  if (!is_watching || !bytes) return;
  if (!bytes->data && bytes->size) {
    found("byte-array", call->name, NULL, "%s has %zu bytes at NULL", name, bytes->size);
  } else if (bytes->size > (size_t)1 << 47) {
    found("byte-array", call->name, NULL, "%s has %zu bytes, for which no memory has room", name, bytes->size);
  }
}

/** Bytes of the payload that a kind of value uses. */
static size_t payload_of(int32_t type_index) {
  switch (type_index) {
    case kTVMFFINone:
      return 0;
    case kTVMFFIDataType:
      return 4;
    default:
      return 8;
  }
}

int check_value(const char* call, const void* from, const char* name, const TVMFFIAny* value) {
  int32_t type_index = value->type_index;
  if (type_index < 0 || (type_index > kTVMFFIUnchanged && type_index < kTVMFFIStaticObjectBegin) ||
      (type_index >= kTVMFFIStaticObjectEnd && type_index < kTVMFFIDynObjectBegin)) {
    found("type-index", call, NULL, "%s has the type index %d, which no value has", name, type_index);
    return 0;
  }
  if (type_index == kTVMFFISmallStr || type_index == kTVMFFISmallBytes) {
    if (value->small_str_len > 7) {
      found("small-length", call, NULL, "%s is a %s of %u bytes; there is room for 7", name, name_of(type_index), value->small_str_len);
      return 0;
    }
    for (uint32_t i = value->small_str_len; i < 8; ++i) {
      if (!value->v_bytes[i]) continue;
      found("padding", call, NULL, "%s is a %s of %u bytes, and what follows them is not zero", name, name_of(type_index),
            value->small_str_len);
      break;
    }
    return 1;
  }
  /* The public package itself passes None with whatever was on the stack behind its type index; a library takes nothing from there. */
  if (type_index == kTVMFFINone && call != CALLBACK) return 1;
  if (value->zero_padding) {
    found("padding", call, NULL, "%s is a value of the kind %s, and its second word is %#x", name, name_of(type_index), value->zero_padding);
  }
  for (size_t i = payload_of(type_index); i < 8; ++i) {
    if (!value->v_bytes[i]) continue;
    found("padding", call, NULL, "%s is a %s, and byte %zu of its payload is not zero", name, name_of(type_index), i);
    break;
  }
  switch (type_index) {
    case kTVMFFIBool:
      if (value->v_int64 != 0 && value->v_int64 != 1) {
        found("boolean", call, NULL, "%s is a bool with the payload %lld", name, (long long)value->v_int64);
      }
      return 1;
    case kTVMFFIRawStr:
    case kTVMFFIDLTensorPtr:
    case kTVMFFIByteArrayPtr:
      if (!value->v_ptr) {
        found("null", call, NULL, "%s is a %s that is NULL", name, name_of(type_index));
        return 0;
      }
      if (type_index == kTVMFFIByteArrayPtr) {
        struct call about = {call, from, 0, NULL, 0};
        check_bytes(&about, name, value->v_ptr);
      } else if (type_index == kTVMFFIDLTensorPtr) {
        check_tensor(call, name, value->v_ptr, 0);
      }
      return 1;
    case kTVMFFIObjectRValueRef:
      if (!value->v_ptr || !*(TVMFFIObject**)value->v_ptr) {
        found("null", call, NULL, "%s is an r-value reference to no object", name);
        return 0;
      }
      if (!is_alive(call, name, *(TVMFFIObject**)value->v_ptr)) return 0;
      know_object(call, from, *(TVMFFIObject**)value->v_ptr);
      return 1;
    default:
      break;
  }
  if (type_index < kTVMFFIStaticObjectBegin) return 1;
  if (!value->v_obj) {
    found("null", call, NULL, "%s has the type index %d of an object, and no object", name, type_index);
    return 0;
  }
  if (!is_alive(call, name, value->v_obj)) return 0;
  know_object(call, from, value->v_obj);
  if (value->v_obj->type_index != type_index) {
    found("tag", call, node_of(value->v_obj), "%s has the type index %d, its object %d", name, type_index, value->v_obj->type_index);
  }
  const struct node* node = type_index == kTVMFFITensor ? node_of(value->v_obj) : NULL;
  if (node && node->look) node->look(call, node);
  return 1;
}

void check_view(struct call* call, const char* name, const TVMFFIAny* value) {
  if (!is_watching) return;
  if (!value) {
    found("null", call->name, NULL, "%s is NULL", name);
    return;
  }
  check_value(call->name, call->from, name, value);
}

void got_object(struct call* call, TVMFFIObjectHandle object) {
  if (!object) return;
  note_type(((TVMFFIObject*)object)->type_index);
  know_object(call->name, call->from, object);
  if (is_watching && strcmp(call->name, "TVMFFIEnvModLookupFromImports") != 0) count_owned(node_of(object), 1);
}

void got_value(struct call* call, const TVMFFIAny* value) {
  if (value->type_index >= kTVMFFIStaticObjectBegin) got_object(call, value->v_obj);
}
