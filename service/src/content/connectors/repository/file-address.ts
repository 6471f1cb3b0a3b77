/** Paths under which known forges show a file of a repository. */
const BLOB_PATH: Record<string, (ref: string) => string> = {
  'github.com': (ref) => `/blob/${ref}/`,
  'gitlab.com': (ref) => `/-/blob/${ref}/`,
  'bitbucket.org': (ref) => `/src/${ref}/`,
  'codeberg.org': (ref) => (ref === 'HEAD' ? '/src/' : `/src/branch/${ref}/`),
}

const escapePath = (path: string) => path.split('/').map(encodeURIComponent).join('/')

/** A folder with at least this share of all pages is the root of the rendered site. */
const MAIN_FOLDER_SHARE = 0.8

/** The folder that all include patterns begin with: `docs/` for `['docs/**', 'docs/*.md']`. */
function folderOfPatterns(include: readonly string[]): string {
  const folders = include.map((pattern) => {
    const start = pattern.replace(/^\//, '').split(/[*?{]/, 1)[0] ?? ''
    return start.slice(0, start.lastIndexOf('/') + 1)
  })
  const [first = ''] = folders
  return folders.every((folder) => folder === first) ? first : ''
}

/** The folder that the rendered site is built from: given by the include patterns, else the one with most of the pages. */
function siteFolder(include: readonly string[], paths: readonly string[]): string {
  if (include.length > 0) return folderOfPatterns(include)
  const inFolder = new Map<string, number>()
  for (const path of paths) {
    const folder = path.slice(0, path.indexOf('/') + 1)
    inFolder.set(folder, (inFolder.get(folder) ?? 0) + 1)
  }
  const most = [...inFolder].find(([, pages]) => pages >= paths.length * MAIN_FOLDER_SHARE)
  return most?.[0] ?? ''
}

/** The address that a documentation site gives to a file: without its extension, and with the folder as the address of its index. */
function renderedAddress(siteUrl: string, path: string): string {
  const page = path
    .replace(/\.(mdx?|markdown|rst|txt|html?|ipynb)$/i, '')
    .replace(/(^|\/)(index|_index|readme)$/i, '$1')
  if (siteUrl.includes('{path}'))
    return siteUrl.replace('{path}', escapePath(page === '' || page.endsWith('/') ? `${page}index` : page))
  return `${siteUrl.replace(/(?<!\/)\/+$/, '')}/${escapePath(page)}`
}

/** Where a forge shows a file; only its path if the repository is on no known forge. */
function forgeAddress(repositoryUrl: string, ref: string | undefined): (path: string) => string {
  const scp = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)(.+)$/.exec(repositoryUrl)
  const url = URL.parse(scp === null ? repositoryUrl : `https://${scp[1]}/${scp[2]}`)
  const blobPath = url === null ? undefined : BLOB_PATH[url.hostname]
  if (url === null || blobPath === undefined) return (path) => path
  const repository = `https://${url.hostname}${url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\.git$/, '')}`
  return (path) => repository + blobPath(ref ?? 'HEAD') + escapePath(path)
}

/**
 * Where a reader can open a file: on the rendered site, else on the repository's forge, else only its path. The site's address may define
 * how pages are named: `https://docs.example.com/{path}.html`.
 */
export function createFileAddress(given: {
  url: string
  ref: string | undefined
  siteUrl: string | undefined
  include: readonly string[]
  /** All files that become documents. */
  paths: readonly string[]
}): (path: string) => string {
  const { siteUrl } = given
  const atForge = forgeAddress(given.url, given.ref)
  if (siteUrl === undefined) return atForge
  const folder = siteFolder(given.include, given.paths)
  return (path) =>
    path.startsWith(folder) ? renderedAddress(siteUrl, path.slice(folder.length)) : atForge(path)
}
