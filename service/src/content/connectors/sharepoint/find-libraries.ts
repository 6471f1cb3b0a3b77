import { ApiFailure } from '../rest/api-failure.ts'
import type { RestClient } from '../rest/rest-client.ts'
import { DriveItem, DriveList, Site } from './graph-schemas.ts'

/** A folder of a document library: its root, or one below. */
export interface LibraryFolder {
  driveId: string
  itemId: string
  /** Names of the library, and of the folders down to it. */
  path: readonly string[]
}

const NAME = 'SharePoint'
/** Lists of libraries of one site. */
const MAX_LISTS = 20

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The names in a path, without what the page of a library adds to it. */
const namesIn = (path: string): string[] =>
  path
    .replace(/\/Forms\/[^/]{1,100}\.aspx$/i, '')
    .split('/')
    .filter((name) => name !== '')
    .map(decoded)

const escaped = (names: readonly string[]) =>
  names.map((name) => encodeURIComponent(name.toWellFormed())).join('/')

/** Where an address of SharePoint leads: the path in it, or in the parameter that its pages have. */
function pathOf(address: URL): string[] {
  const opened = address.searchParams.get('id')
  return namesIn(opened?.startsWith('/') === true ? encodeURI(opened) : address.pathname)
}

/** Sites are below these; what is above belongs to the root site. */
const SITE_FOLDERS = new Set(['sites', 'teams', 'personal'])

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** The libraries, or the folder of one, that an address names: all document libraries if it is the address of a site. */
export async function findLibraries(client: RestClient, given: string): Promise<LibraryFolder[]> {
  const address = new URL(given)
  const names = pathOf(address)
  const siteNames = SITE_FOLDERS.has(names[0]?.toLowerCase() ?? '') ? names.slice(0, 2) : []
  const within = siteNames.length === 0 ? '' : `:/${escaped(siteNames)}`
  const site = (await client.json(`/v1.0/sites/${address.hostname}${within}?$select=id,displayName`, Site))
    .data
  const libraries = await listLibraries(client, site.id)
  const rest = names.slice(siteNames.length)
  if (rest.length === 0) {
    const roots: LibraryFolder[] = []
    for (const { id, name, driveType } of libraries)
      if (driveType !== 'personal')
        roots.push(await openFolder(client, { driveId: id, below: [], path: [name] }))
    return roots
  }
  const library = libraries.find(({ webUrl }) => {
    const place = namesIn(URL.parse(webUrl)?.pathname ?? '')
    return place.length > siteNames.length && place.every((name, at) => isSame(name, names[at] ?? ''))
  })
  if (library === undefined)
    throw new ApiFailure(
      'refused',
      `${NAME} has no document library at ${given}, or this account does not see it. Open the library or folder in the browser, and copy its address.`,
    )
  const depth = namesIn(new URL(library.webUrl).pathname).length
  const below = names.slice(depth)
  return [await openFolder(client, { driveId: library.id, below, path: [library.name, ...below] })]
}

async function listLibraries(client: RestClient, siteId: string) {
  const found = []
  let next = `/v1.0/sites/${encodeURIComponent(siteId)}/drives?$select=id,name,webUrl,driveType`
  for (let list = 0; list < MAX_LISTS; list += 1) {
    const { data } = await client.json(next, DriveList)
    found.push(...data.value)
    const more = data['@odata.nextLink']
    if (more === undefined) return found
    next = more
  }
  throw new ApiFailure('unexpected', `${NAME} lists more libraries than are read of one site.`)
}

async function openFolder(
  client: RestClient,
  { driveId, below, path }: { driveId: string; below: readonly string[]; path: readonly string[] },
): Promise<LibraryFolder> {
  const place = below.length === 0 ? 'root' : `root:/${escaped(below)}:`
  const folder = (
    await client.json(
      `/v1.0/drives/${encodeURIComponent(driveId)}/${place}?$select=id,name,folder`,
      DriveItem,
    )
  ).data
  if (folder.folder === undefined || folder.folder === null)
    throw new ApiFailure('refused', `${path.join(' › ').slice(0, 200)} is not a folder of ${NAME}.`)
  return { driveId, itemId: folder.id, path }
}
