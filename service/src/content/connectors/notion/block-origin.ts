import { ApiFailure } from '../rest/api-failure.ts'
import type { RestClient } from '../rest/rest-client.ts'
import { Page, PlacedBlock } from './notion-schemas.ts'

/** How far up the page of a block is looked for. */
const MAX_CLIMB = 30

/**
 * Whether a block is on a page that is published to the web. One that may not be looked at is taken for unpublished.
 * https://developers.notion.com/reference/retrieve-a-block
 */
export async function isBlockPublished(client: RestClient, block: string): Promise<boolean> {
  let id: string | undefined = block
  try {
    for (let step = 0; step < MAX_CLIMB && id !== undefined; step += 1) {
      const place: string = `/v1/blocks/${encodeURIComponent(id)}`
      const { parent } = (await client.json(place, PlacedBlock)).data
      if (parent.page_id !== undefined) {
        const { data } = await client.json(`/v1/pages/${encodeURIComponent(parent.page_id)}`, Page)
        return typeof data.public_url === 'string' && !data.in_trash
      }
      id = parent.block_id
    }
    return false
  } catch (error) {
    const isUntold =
      error instanceof ApiFailure &&
      (error.kind === 'gone' || error.kind === 'forbidden' || error.status === 400)
    if (isUntold) return false
    throw error
  }
}
