import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { ParsedDocument } from '../../parsing/parsing.ts'
import type { PageMemory } from '../connector.ts'

/** Bumped when what is remembered, or how pages are read, changes: all pages are then read anew. */
const STATE_VERSION = 1

const State = z.object({
  version: z.literal(STATE_VERSION),
  /** The settings that the page was read with; with others it is read anew. */
  settings: z.string(),
  /** Of the text, whatever the address; `''` where there is none. */
  textHash: z.string(),
  /** Links and frames on the crawled origins, normalised, none that must not be followed. */
  links: z.array(z.string()),
  canonical: z.string().optional(),
  refresh: z.string().optional(),
  isNoindex: z.boolean(),
  /** Read through a browser: what the server says of its bytes then says nothing about the page. */
  isRendered: z.boolean(),
})

/** What a crawl knows of a page without its body. */
export type PageState = z.output<typeof State>

/** The state that is remembered of a page, where it was read in the same way as now. */
export function recalledState(memory: PageMemory | undefined, settings: string): PageState | undefined {
  const parsed = State.safeParse(memory?.state)
  return parsed.success && parsed.data.settings === settings ? parsed.data : undefined
}

export const newState = (state: Omit<PageState, 'version'>): PageState => ({
  version: STATE_VERSION,
  ...state,
})

/** Shorter texts are only told to be the same when their titles are too. */
const SHORT_TEXT_CHARACTERS = 500

/**
 * A hash that two copies of a page share: of its text, not of where its links lead (relative ones differ by place) nor of the
 * anchors of its headings.
 */
export function hashText({ title, blocks }: ParsedDocument): string {
  const text = JSON.stringify(blocks, (key, value: unknown) => (key === 'anchor' ? undefined : value))
  const plain = text.replaceAll(/\]\([^()]*\)/g, ']').replaceAll(/\s+/g, ' ')
  const hashed = plain.length < SHORT_TEXT_CHARACTERS ? `${title}\n${plain}` : plain
  return createHash('sha256').update(hashed).digest('base64url').slice(0, 22)
}
