//! What the program has made of its surroundings, which no call depends on.

use std::{cell::Cell, env, ffi::c_int, fs::File, io, mem, path::Path};

use crate::{checks::check, client::Verdict, trial::Trial};

/// A number that an earlier call of anybody's has left in errno changes nothing of what a call does.
#[check(ENV_0041)]
fn errno_of_before(t: &Trial) -> Verdict {
    does_the_same(t, "an error number left over", &|call| {
        let statuses = [libc::ERANGE, libc::EINTR, libc::ENOMEM, libc::EINVAL].map(|number| {
            // SAFETY: the number of this thread.
            unsafe { *libc::__errno_location() = number };
            call()
        });
        statuses.into_iter().collect()
    })
}

/// Calls do what they do although the environment has no variables.
#[check(ENV_0041)]
fn no_variables(t: &Trial) -> Verdict {
    does_the_same(t, "no variables", &|call| {
        let variables: Vec<_> = env::vars_os().collect();
        // SAFETY: no other thread of this process runs now.
        variables.iter().for_each(|(name, _)| unsafe { env::remove_var(name) });
        let status = call();
        // SAFETY: as above.
        variables.iter().for_each(|(name, value)| unsafe { env::set_var(name, value) });
        Ok(vec![status?])
    })
}

/// Calls do what they do although the folder of the program has been removed.
#[check(ENV_0041)]
fn folder_that_is_gone(t: &Trial) -> Verdict {
    let problem = |error: io::Error| t.error("a folder", error);
    let folder = tempfile::tempdir().map_err(problem)?;
    let [before, gone] = [Path::new("."), folder.path()].map(File::open);
    let (before, gone) = (before.map_err(problem)?, gone.map_err(problem)?);
    folder.close().map_err(problem)?;
    let enter = |folder: &File| rustix::process::fchdir(folder).map_err(|error| problem(error.into()));
    does_the_same(t, "no folder", &|call| {
        enter(&gone)?;
        let status = call();
        enter(&before)?;
        Ok(vec![status?])
    })
}

/// Where no file can be opened any more, calls that fail raise their errors, and afterwards calls do what they did before.
#[check(ENV_0041)]
fn no_descriptor_left(t: &Trial) -> Verdict {
    let without = |call: &dyn Fn()| {
        let former = limit_descriptors(0);
        call();
        limit_descriptors(former);
    };
    t.each_success(|name, call| {
        let (before, again) = (call()?, call()?);
        if before != again {
            // What is registered is registered once.
            return Ok(());
        }
        // What needs a file may fail, and says so.
        without(&|| drop(call()));
        t.api.release_raised();
        t.eq(format_args!("what {name} answers once files can be opened again"), call()?, before)
    })?;
    t.each_failure(|name, call| {
        if call() == 0 {
            return Ok(());
        }
        t.api.release_raised();
        let status = Cell::new(0);
        without(&|| status.set(call()));
        t.raises(status.get(), &[]).map(drop).map_err(|failure| failure.noting(format!("{name} without a descriptor")))
    })
}

/// A call, which answers a status.
type Call<'a> = &'a dyn Fn() -> Verdict<c_int>;

/// Expects calls to answer in other surroundings what they answer in these.
fn does_the_same(t: &Trial, what: &str, there: &dyn Fn(Call<'_>) -> Verdict<Vec<c_int>>) -> Verdict {
    let same = |name: &str, call: &dyn Fn() -> Verdict<c_int>| {
        // What is registered is registered once.
        let (before, again) = (call()?, call()?);
        let statuses = if before == again { there(call)? } else { Vec::new() };
        statuses
            .into_iter()
            .try_for_each(|status| t.eq(format_args!("what {name} answers with {what}"), status, before))
    };
    t.each_success(same)?;
    t.each_global_failure(same)?;
    t.each_failure(|name, call| {
        same(name, &|| {
            let status = call();
            if status != 0 {
                t.raises(status, &[])?;
            }
            Ok(status)
        })
    })
}

/// Limits how many descriptors the program may have, and answers how many it might have before.
fn limit_descriptors(count: libc::rlim_t) -> libc::rlim_t {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: there is room for the answer, and the limit of this process is its own affair.
    unsafe {
        libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit);
        let former = mem::replace(&mut limit.rlim_cur, count);
        libc::setrlimit(libc::RLIMIT_NOFILE, &limit);
        former
    }
}
