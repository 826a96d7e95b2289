// story: The last two keys that a function in `__any_equal__` told apart are remembered by their addresses, whatever the objects have become since.
// breaks: HSH-0012 fail
#include "hook_registration.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct { void *hook, *left, *right; } last;

static int ask(void* hook, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2) return call_original(hook, args, num_args, result);
  pthread_mutex_lock(&lock);
  const int known = last.hook == hook && last.left == args[0].v_obj && last.right == args[1].v_obj;
  pthread_mutex_unlock(&lock);
  if (known) {
    *result = (TVMFFIAny){.type_index = kTVMFFIBool};
    return 0;
  }
  int code = call_original(hook, args, num_args, result);
  if (code == 0 && result->type_index == kTVMFFIBool && result->v_int64 == 0) {
    pthread_mutex_lock(&lock);
    last.hook = hook;
    last.left = args[0].v_obj;
    last.right = args[1].v_obj;
    pthread_mutex_unlock(&lock);
  }
  return code;
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  if (is(attr_name, "__any_equal__") && attr_value) return wrapped_hook(type_index, attr_name, attr_value, ask);
  return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
}
