//! Loaders that come and go: which one is registered counts at the time of each call.

use tvm_ffi_spec::clause::id;

use super::kit::Host;
use crate::{checks::check, client::Verdict, trial::Trial};

/// ffi.ModuleLoadFromFile calls the loader that is registered for an extension at the time, and fails as long as there is none, however often it has
/// been called before, on any thread.
#[check(MOD_0014, MOD_0015)]
fn loaders_come_and_go(t: &Trial) -> Verdict {
    let (load, remove) = (t.global("ffi.ModuleLoadFromFile")?, t.global("ffi.FunctionRemoveGlobal")?);
    let (one, two) = (t.load("provider_one.so")?, t.load("provider_two.so")?);
    for extension in ["verify_v2", "verify_format_with_a_name_that_is_not_short"] {
        let name = format!("ffi.Module.load_from_file.{extension}");
        let path = t.string(format!("/no/such/model.{extension}").as_bytes())?;
        let comes_to = |t: &Trial, expected: Option<u64>| -> Verdict {
            let found = match t.answer_of(load.handle(), &[path.any()])? {
                Ok(module) => Some(t.call_of(&module, c"who", &[])?.any().payload()),
                Err(_) => None,
            };
            t.clause(if expected.is_some() { id::MOD_0014 } else { id::MOD_0015 });
            t.eq(format_args!("whose module a file with the extension {extension} is loaded as"), found, expected)
        };
        let hosts = [Host::new(t, one.any())?, Host::new(t, two.any())?];
        comes_to(t, None)?;
        for now in [Some(0), Some(1), None, Some(1), None, Some(0), None] {
            match now {
                Some(now) => hosts[now].register_instead(t, &name)?,
                None => drop(t.call(&remove, &[t.string(name.as_bytes())?.any()])?),
            }
            let expected = now.map(|now| 1 + now as u64);
            comes_to(t, expected)?;
            t.elsewhere(|t| comes_to(t, expected))?;
            comes_to(t, expected)?;
        }
    }
    Ok(())
}
