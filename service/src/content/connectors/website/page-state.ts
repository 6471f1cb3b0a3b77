import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { ParsedDocument } from '../../parsing/parsing.ts'
import type { PageMemory } from '../connector.ts'

/** Increment when what is remembered, or how pages are read, changes: all pages are then read again. */
const STATE_VERSION = 2

const State = z.object({
  version: z.literal(STATE_VERSION),
  /** The settings that the page was read with; if they differ it is read again. */
  settings: z.string(),
  /** Hash of the text, independent of the address; `''` if there is none. */
  textHash: z.string(),
  /** Links and frames on the crawled origins, normalized, without nofollow links. */
  links: z.array(z.string()),
  canonical: z.string().optional(),
  refresh: z.string().optional(),
  isNoindex: z.boolean(),
  /** Read through a browser: the server's validators then say nothing about the page. */
  isRendered: z.boolean(),
})

/** What a crawl knows of a page without its body. */
export type PageState = z.output<typeof State>

/** The remembered state of a page, if it was read with the same version and settings. */
export function recalledState(memory: PageMemory | undefined, settings: string): PageState | undefined {
  const parsed = State.safeParse(memory?.state)
  return parsed.success && parsed.data.settings === settings ? parsed.data : undefined
}

export const newState = (state: Omit<PageState, 'version'>): PageState => ({
  version: STATE_VERSION,
  ...state,
})

/** Shorter texts only count as equal if their titles are equal too. */
const SHORT_TEXT_CHARACTERS = 500

/** A hash that two copies of a page share: of its text, without link targets (relative ones differ by place) and heading anchors. */
export function hashText({ title, blocks }: ParsedDocument): string {
  const text = JSON.stringify(blocks, (key, value: unknown) => (key === 'anchor' ? undefined : value))
  const plain = text.replaceAll(/\]\([^()]*\)/g, ']').replaceAll(/\s+/g, ' ')
  const hashed = plain.length < SHORT_TEXT_CHARACTERS ? `${title}\n${plain}` : plain
  return createHash('sha256').update(hashed).digest('base64url').slice(0, 22)
}
