//! The memory allocator, and its options.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Makes the process return freed memory after 10 ms, not after a second: an idle server holds half
/// as much, and a flood of long requests about 60 %. Returning memory at once would make reads from
/// the database slower.
///
/// mimalloc reads its options from the environment before `main`, so that the program is executed
/// once more, in the same process. If that fails, it continues with the default option. An option that
/// the operator has set is kept.
#[cfg(unix)]
pub(crate) fn return_memory_early() {
    use std::{env, os::unix::process::CommandExt as _, process::Command};

    /// The option, in milliseconds.
    const PURGE_DELAY: &str = "MIMALLOC_PURGE_DELAY";
    if env::var_os(PURGE_DELAY).is_some() {
        return;
    }
    let Ok(program) = env::current_exe() else {
        return;
    };
    let mut again = Command::new(program);
    let mut arguments = env::args_os();
    if let Some(name) = arguments.next() {
        again.arg0(name);
    }
    // Returns only if it fails.
    let _ = again.args(arguments).env(PURGE_DELAY, "10").exec();
}

/// Other systems keep the default options.
#[cfg(not(unix))]
pub(crate) fn return_memory_early() {}
