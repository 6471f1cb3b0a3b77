/**
 * Errors of a BM25 index that cannot read itself (pg_textsearch, `tp_segment_read`; seen with segments whose last entry ends on their last
 * page), and PostgreSQL's own class of corruption errors (XX00x).
 */
const BROKEN = /^Invalid logical page|^XX00[012]$/

/** Whether the error comes from a corrupt word index. Rebuilding the index repairs it; no other data of the base is affected. */
export function isBrokenWordIndex(fault: unknown): boolean {
  const { message = '', code = '' } = (fault ?? {}) as { message?: string; code?: string }
  return BROKEN.test(message) || BROKEN.test(code)
}
