import type { SyncChange } from '@citewell/sdk/management'
import type { Tone } from '../../ui/status.tsx'

/** How a change of a document is shown. */
export const CHANGE_KINDS: Record<SyncChange['kind'], readonly [tone: Tone, word: string]> = {
  added: ['ok', 'New'],
  changed: ['info', 'Changed'],
  removed: ['danger', 'Removed'],
}
