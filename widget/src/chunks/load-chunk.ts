import type { ChunkMap } from './chunk-map.ts'

/**
 * The folder of this version's files, from the address of a script of the service: `/widget.js`, `/widget/form.js` or
 * `/widget/<version>/widget.js`, also below a path.
 */
export function folderOf(script: string, version: string): string {
  return new URL(`widget/${version}/`, script.replace(/(widget\/([^/?#]+\/)?)?[^/?#]+([?#].*)?$/, '')).href
}

/**
 * Fetches a file with its hash checked. A browser that does not know `modulepreload` fetches it at its import, unchecked.
 * What an import adds to a failed check differs between browsers, so the import waits for the check.
 */
async function preload(address: string, integrity: string): Promise<void> {
  const link = document.createElement('link')
  if (!link.relList.supports('modulepreload')) return
  Object.assign(link, { rel: 'modulepreload', href: address, integrity, crossOrigin: 'anonymous' })
  await new Promise<void>((resolve, reject) => {
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => reject(new Error(`Citewell could not load ${address}`)))
    document.head.append(link)
  }).finally(() => link.remove())
}

/** Returns a function that fetches a chunk by its name. A chunk that failed may be tried again. */
export function createChunkLoader(folder: string, chunks: ChunkMap) {
  return async <Module>(name: string): Promise<Module> => {
    const files = (chunks[name] ?? []).map(({ file, integrity }) => [new URL(file, folder).href, integrity])
    await Promise.all(files.map(async ([address = '', integrity = '']) => await preload(address, integrity)))
    return (await import(/* @vite-ignore */ files.at(-1)?.[0] ?? '')) as Module
  }
}
