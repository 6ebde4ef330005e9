//! How much memory the arrays of a file may take: compressed data that grows beyond it is damaged or made to fill the memory.

/// Arrays may take this many times the bytes of the file ...
pub(crate) const MOST_GROWTH: usize = 100;
/// ... and this many bytes more.
const GROWTH_FREE: usize = 16 << 20;

/// Bytes that the arrays of a file of this size may take.
pub(crate) fn growth_budget(file_bytes: usize) -> usize {
    file_bytes.saturating_mul(MOST_GROWTH).saturating_add(GROWTH_FREE)
}
