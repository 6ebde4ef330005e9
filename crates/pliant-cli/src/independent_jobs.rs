//! Independent jobs side by side: as many at a time as there are threads, each on one thread of its own.
//!
//! A parallel iterator over jobs whose insides are parallel too would let a thread that waits inside one job begin another: more jobs
//! than threads are then half done at once, each with its matrices in memory.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use rayon::ThreadPoolBuilder;

use crate::failure::Failure;

/// The results of `job(0)`, `job(1)` ... in this order; the jobs begin in the order of `begin`, which lists each once. One job alone has all threads.
///
/// # Errors
/// If a thread cannot start.
///
/// # Panics
/// If a job panics, or `begin` does not list the jobs.
pub fn run_independent<T: Send>(begin: &[usize], job: impl Fn(usize) -> T + Sync) -> Result<Vec<T>, Failure> {
    let threads = rayon::current_num_threads().min(begin.len());
    let next = AtomicUsize::new(0);
    let work = || {
        let taken = std::iter::from_fn(|| begin.get(next.fetch_add(1, Ordering::Relaxed)));
        taken.map(|&index| (index, job(index))).collect::<Vec<_>>()
    };
    let mut results = if threads <= 1 {
        work()
    } else {
        let alone = || {
            let pool = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
            let _pool = pool.map_err(|error| {
                Failure::work(format_args!("cannot start {threads} threads ({error}); try --threads 1"))
            })?;
            Ok(work())
        };
        let parts: Vec<Result<_, Failure>> = thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(alone)).collect();
            workers.into_iter().map(|worker| worker.join().expect("a job panicked")).collect()
        });
        parts.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect()
    };
    results.sort_by_key(|&(index, _)| index);
    assert!(results.iter().map(|&(index, _)| index).eq(0..begin.len()), "each job begins once");
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
        ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
    }

    #[test]
    fn results_come_in_the_order_of_the_jobs_for_any_number_of_threads() {
        for threads in [1, 2, 5] {
            let squares = in_pool(threads, || run_independent(&[3, 0, 2, 1], |index| index * index));
            assert_eq!(squares.unwrap(), [0, 1, 4, 9]);
            assert!(in_pool(threads, || run_independent(&[], |index| index)).unwrap().is_empty());
        }
    }

    #[test]
    fn no_more_jobs_than_threads_are_begun_at_once_though_their_insides_are_parallel() {
        use rayon::prelude::*;
        let (running, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let job = |_| {
            let now = running.fetch_add(1, Ordering::SeqCst) + 1;
            most.fetch_max(now, Ordering::SeqCst);
            let sum: usize = (0..1000_usize).into_par_iter().with_max_len(1).map(|x| x / 2).sum();
            running.fetch_sub(1, Ordering::SeqCst);
            sum
        };
        let begin: Vec<usize> = (0..40).collect();
        in_pool(2, || run_independent(&begin, job)).unwrap();
        assert!(most.load(Ordering::SeqCst) <= 2);
    }
}
