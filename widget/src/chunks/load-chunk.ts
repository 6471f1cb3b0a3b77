import type { ChunkFile } from './chunk-map.ts'
import { LONGEST_WAIT_MS } from './waits.ts'

/**
 * The address of the service, with a slash at its end, from that of one of its scripts: `/widget.js`, `/widget/form.js` or
 * `/widget/<version>/widget.js`, also below a path. What a page has put behind it may have slashes of its own: `?v=a/b`, `#/x`.
 */
export const serviceOf = (script: string): string =>
  script.replace(/(widget\/([^/]+\/)?)?[^/]+([?#].*)?$/, '')

/** One mark for each failure: Firefox does not ask again for an address that has failed. */
let marks = ''

/**
 * Fetches a chunk with its hash checked, and runs it. Browsers differ in what an import does after a failed check, so the import
 * waits for it. What neither comes nor fails has failed after a while. May be tried again.
 *
 * @param folder - address of the built files; ends with a slash
 */
export async function loadChunk<Module>(folder: string, { file, integrity }: ChunkFile): Promise<Module> {
  const href = folder + file + marks
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    await new Promise((onload, onerror) => {
      const link = document.createElement('link')
      const rel = 'modulepreload'
      document.head.append(Object.assign(link, { rel, href, integrity, crossOrigin: '', onload, onerror }))
      timer = setTimeout(onerror, LONGEST_WAIT_MS)
    })
    clearTimeout(timer)
    return (await import(/* @vite-ignore */ href)) as Module
  } catch (fault) {
    marks += '?'
    throw fault
  }
}
