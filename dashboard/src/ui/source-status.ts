import type { Source } from '@citewell/sdk/management'
import type { Tone } from './status.tsx'
import { count } from './time.tsx'

/** Documents are pushed to it, or written in it: it is never read. */
export const isWritten = ({ type }: Pick<Source, 'type'>): boolean =>
  type === 'push' || type === 'custom_answers'

interface State {
  tone: Tone
  word: string
}

/** What the last sync of a source left, once it is over. */
function readTone(last: NonNullable<Source['last_sync']>, documents: number): State {
  if (last.status === 'partial') return { tone: 'warn', word: 'Read in part' }
  if (last.status === 'cancelled') return { tone: 'quiet', word: 'Cancelled' }
  if (last.warnings.length > 0) return { tone: 'warn', word: 'Something left out' }
  // Read without a fault, and still nothing to answer from: most often an address or a pattern that fits no page.
  if (documents === 0) return { tone: 'warn', word: 'No documents' }
  return { tone: 'ok', word: 'Up to date' }
}

/** How a source is: what runs now wins over how the last run ended. */
export function sourceTone(source: Source): State {
  const { type, status, document_count: documents, last_sync: last, held_sync_id: held } = source
  if (status === 'syncing') return { tone: 'info', word: 'Reading' }
  if (status === 'queued') return { tone: 'info', word: 'Waiting to be read' }
  if (held !== null) return { tone: 'warn', word: 'Held back' }
  if (last?.hold?.status === 'measuring') return { tone: 'info', word: 'Being measured' }
  if (status === 'failed') return { tone: 'danger', word: 'Failed' }
  if (type === 'custom_answers') return { tone: 'quiet', word: 'Written here' }
  if (type === 'push') return { tone: 'quiet', word: documents === 0 ? 'Nothing pushed yet' : 'Pushed' }
  return last === null ? { tone: 'quiet', word: 'Not read yet' } : readTone(last, documents)
}

/** Those that failed first, then those that lack something; the others, and among equals, as they were. */
export function worstFirst(sources: readonly Source[]): Source[] {
  const rank = (source: Source) => {
    const { tone } = sourceTone(source)
    return tone === 'danger' ? 0 : tone === 'warn' ? 1 : 2
  }
  return sources.toSorted((one, other) => rank(one) - rank(other))
}

export const isRunning = ({ status }: Pick<Source, 'status'>): boolean =>
  status === 'syncing' || status === 'queued'

/** That the last sync was none of the whole source; undefined: it was. */
export function readAgain(source: Pick<Source, 'status' | 'last_sync'>): string | undefined {
  const retried = source.last_sync?.retried_addresses
  if (retried === undefined || retried === null) return undefined
  const addresses = retried === 1 ? 'one address' : `${count(retried)} addresses`
  return isRunning(source) ? `reads ${addresses} again` : `the last sync read ${addresses} again`
}

/** What the last sync of a source says of documents that it did not delete; undefined: it held none back. */
export function heldBackBecause(source: Source): string | undefined {
  const last = source.last_sync
  if (isRunning(source) || last?.status !== 'partial' || last.error === null) return undefined
  // The sentence of the service names what lets them go. A source that asked to wait is partial too, and does not.
  return last.error.includes('accept_deletions') ? last.error : undefined
}
