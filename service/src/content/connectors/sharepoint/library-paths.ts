import { ApiFailure } from '../rest/api-failure.ts'
import type { RestClient } from '../rest/rest-client.ts'
import type { LibraryFolder } from './find-libraries.ts'
import { DriveItem } from './graph-schemas.ts'

const MAX_DEPTH = 100

/** Whether an item has a facet. */
export const has = (facet: unknown) => facet !== undefined && facet !== null

/** Where an item is, without the version of the API. */
export const placeOf = (driveId: string, itemId: string) =>
  `/drives/${encodeURIComponent(driveId)}/items/${encodeURIComponent(itemId)}`

/** The names of the folders of an item, down from one of these; undefined if it is in none of them. */
export function pathWithin(
  item: DriveItem,
  folders: readonly LibraryFolder[],
  itemOf: (id: string) => DriveItem | undefined,
): string[] | undefined {
  const below: string[] = []
  let parent = item.parentReference?.id
  for (let step = 0; step < MAX_DEPTH && parent !== undefined; step += 1) {
    const root = folders.find(({ itemId }) => itemId === parent)
    if (root !== undefined) return [...root.path, ...below]
    const folder = itemOf(parent)
    if (folder === undefined) return undefined
    below.unshift(folder.name)
    parent = folder.parentReference?.id
  }
  return undefined
}

/** Adds the folders above an item to `known`, up to one of these, to the root, or to one that the account may not open. */
export async function climb(
  client: RestClient,
  {
    driveId,
    item,
    folders,
    known,
  }: { driveId: string; item: DriveItem; folders: readonly LibraryFolder[]; known: Map<string, DriveItem> },
): Promise<void> {
  let parent = item.parentReference?.id
  for (let step = 0; step < MAX_DEPTH && parent !== undefined; step += 1) {
    const at = parent
    if (folders.some(({ itemId }) => itemId === at) || known.has(at)) return
    const place = `/v1.0${placeOf(driveId, at)}?$select=id,name,parentReference,root`
    const folder = await openedAt(client, place)
    if (folder === undefined) return
    known.set(at, folder)
    parent = has(folder.root) ? undefined : folder.parentReference?.id
  }
}

async function openedAt(client: RestClient, place: string): Promise<DriveItem | undefined> {
  try {
    return (await client.json(place, DriveItem)).data
  } catch (error) {
    if (error instanceof ApiFailure && (error.kind === 'gone' || error.kind === 'forbidden')) return undefined
    throw error
  }
}
