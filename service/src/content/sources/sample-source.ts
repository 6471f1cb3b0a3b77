import { resolve } from 'node:path'
import type { NewSource } from '@citewell/contract/sources'

/** The documentation of Citewell itself, as it is shipped. It has no secrets: every service may read it. */
export const SAMPLE_FOLDER = resolve(import.meta.dirname, '../../../../docs')

/** The guide, as a source to try things out with. */
export const SAMPLE_SOURCE = {
  name: 'Citewell',
  type: 'repository',
  config: { url: SAMPLE_FOLDER, include: ['guide/**'] },
} as const satisfies Pick<NewSource, 'name' | 'type'> & { config: object }
