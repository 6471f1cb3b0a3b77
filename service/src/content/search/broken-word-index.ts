/**
 * What the BM25 index says where it cannot read itself (pg_textsearch, `tp_segment_read`; seen with segments whose last entry ends with
 * their last page), and PostgreSQL's own class of such faults.
 */
const BROKEN = /^Invalid logical page|^XX00[012]$/

/** Whether the index of words is at fault: making it anew mends it, and nothing else of the base is touched. */
export function isBrokenWordIndex(fault: unknown): boolean {
  const { message = '', code = '' } = (fault ?? {}) as { message?: string; code?: string }
  return BROKEN.test(message) || BROKEN.test(code)
}
