import { ApiFailure } from '../rest/api-failure.ts'
import type { RestClient } from '../rest/rest-client.ts'
import { DeltaPage, ITEM_FIELDS, type DriveItem } from './graph-schemas.ts'

const NAME = 'SharePoint'
/** Pages of one reading: 200 items each. */
const MAX_PAGES = 2_000

/** Changed items come without the folders above them, which have not changed. */
const HEADERS = { deltaexcludeparent: 'true' }

/** The beginning of a reading of everything in a drive. */
export const wholeDrive = (driveId: string): string =>
  `/v1.0/drives/${encodeURIComponent(driveId)}/root/delta?$select=${ITEM_FIELDS}`

/** The path of an address at the same host: only that is remembered, and so no other host is ever asked. */
function placeOf(link: string, origin: string): string {
  const url = URL.parse(link)
  if (url === null || url.origin !== origin)
    throw new ApiFailure(
      'unexpected',
      `${NAME} names an address at another host (${url?.host ?? 'none'}), which is not followed.`,
    )
  return `${url.pathname}${url.search}`
}

/**
 * Reads what a delta has from a place on; of an item that comes several times the last one counts.
 *
 * @returns the items by id, and where the next delta goes on
 */
export async function readDelta(
  client: RestClient,
  from: string,
  origin: string,
): Promise<{ items: Map<string, DriveItem>; next: string }> {
  const items = new Map<string, DriveItem>()
  let place = from
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { data } = await client.json(place, DeltaPage, { headers: HEADERS })
    for (const item of data.value) {
      items.delete(item.id)
      items.set(item.id, item)
    }
    const [more, end] = [data['@odata.nextLink'], data['@odata.deltaLink']]
    if (more === undefined && end !== undefined) return { items, next: placeOf(end, origin) }
    const next = more === undefined ? place : placeOf(more, origin)
    // Taken for whole, what is missing would be removed.
    if (next === place)
      throw new ApiFailure('unexpected', `${NAME} cut off a list: it does not say where it goes on.`)
    place = next
  }
  throw new ApiFailure('unexpected', `${NAME} lists more items than are read of one library.`)
}
