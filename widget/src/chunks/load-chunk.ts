import type { ChunkFile } from './chunk-map.ts'

/**
 * The folder of this version's files, from the address of a script of the service: `/widget.js`, `/widget/form.js` or
 * `/widget/<version>/widget.js`, also below a path.
 */
export function folderOf(script: string, version: string): string {
  return new URL(`widget/${version}/`, script.replace(/(widget\/([^/]+\/)?)?[^/]+$/, '')).href
}

/**
 * Fetches a chunk with its hash checked, and runs it. Browsers differ in what an import does after a failed check, so the import
 * waits for it. A browser that does not know `modulepreload` fetches the file at its import, unchecked. May be tried again.
 *
 * @param folder - address of the built files; ends with a slash
 */
export async function loadChunk<Module>(folder: string, { file, integrity }: ChunkFile): Promise<Module> {
  const href = folder + file
  await new Promise<unknown>((resolve, reject) => {
    const link = document.createElement('link')
    Object.assign(link, {
      rel: 'modulepreload',
      href,
      integrity,
      crossOrigin: '',
      onload: resolve,
      onerror: reject,
    })
    if (link.relList.supports('modulepreload')) document.head.append(link)
    else resolve(link)
  })
  return (await import(/* @vite-ignore */ href)) as Module
}
