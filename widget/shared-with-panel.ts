import { join, resolve } from 'node:path'
import type { Plugin } from 'vite'

const PANEL = join(import.meta.dirname, 'src/panel')

/** Modules that there must be one of, and those that the panel has anyway. */
const LIBRARIES = ['preact', 'preact/hooks', 'preact/jsx-runtime']
const FILES = [
  'citation-card-room.ts',
  'copy-text.ts',
  'countdown.ts',
  'failure.ts',
  'handoff.tsx',
  'icons.tsx',
  'store.ts',
  'surroundings.ts',
].map((file) => join(PANEL, file))

/**
 * The file behind the panel uses the panel's own Preact, contexts and parts. An `import` of the panel's file would be fetched again where
 * its address got a mark after a failure, and unchecked: so they come as the argument of one function, and `taken.ts` stands for them.
 */
export const sharedWithPanel: Plugin = {
  name: 'shared-with-panel',
  enforce: 'pre',
  resolveId: (source, importer = '') =>
    LIBRARIES.includes(source) || FILES.includes(resolve(importer, '..', source))
      ? join(PANEL, 'taken.ts')
      : undefined,
}

/** What the build puts around the file: one export, the function that takes what the panel gives. */
export const TAKING = {
  name: 'answers',
  banner: 'export const makeAnswers=given=>{',
  footer: 'return answers};',
}
