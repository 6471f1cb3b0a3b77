/** Folders of a module of Antora: `modules/ROOT/pages/install.adoc`. */
const FOLDERS = new Set(['pages', 'partials', 'examples'])

/** `ROOT:partial$note.adoc` */
const RESOURCE = /^(?:([\w-]+):)?(partial|example|page)\$(.+)$/

interface AntoraPlace {
  /** Segments of the path of all modules, `modules` included. */
  modules: readonly string[]
  module: string
  folder: string
}

function placeOf(path: string): AntoraPlace | undefined {
  const parts = path.split('/')
  const at = parts.findIndex((part, place) => FOLDERS.has(part) && parts[place - 2] === 'modules')
  const module = parts[at - 1]
  const folder = parts[at]
  return at < 2 || module === undefined || folder === undefined
    ? undefined
    : { modules: parts.slice(0, at - 1), module, folder }
}

/** Whether a file is shown by pages only, or is the menu of a module. */
export function isPartOfAntora(path: string): boolean {
  const folder = placeOf(path)?.folder
  return folder === 'partials' || folder === 'examples' || /(?:^|\/)modules\/[^/]+\/nav\.adoc$/.test(path)
}

/**
 * The path, from the root of the tree, of what a page of Antora names `partial$note.adoc`, or with another module in front. Undefined if it
 * is no such name, or the file that names it is in no module.
 *
 * @see https://docs.antora.org/antora/latest/page/resource-id/
 */
export function antoraPath(name: string, from: string): string | undefined {
  const place = placeOf(from)
  const [, module, kind, rest] = RESOURCE.exec(name) ?? []
  if (place === undefined || kind === undefined || rest === undefined) return undefined
  return `/${[...place.modules, module ?? place.module, `${kind}s`, rest].join('/')}`
}
