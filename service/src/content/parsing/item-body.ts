import { ParseFailure } from './parse-failure.ts'
import type { ParseInput } from './parsing-blocks.ts'

/** The type of an item of an API: JSON of its title and the parts of its body. Only connectors make it; no file or page has it. */
export const ITEM_TYPE = 'application/vnd.citewell.item+json'

/** A part of the body of an item, in the format in which its API sends it. */
export type BodyPart =
  | { html: string }
  /** Confluence's storage format, with the address of the Confluence, without a slash at its end, and the key of the page's space. */
  | { storage: string; site: string; space: string }
  /** Atlassian Document Format. */
  | { adf: unknown }

/**
 * An item for the parser, which turns its parts into HTML: that may take long, so it is not done here.
 *
 * @param title plain text
 * @throws ParseFailure if a part is nested too deep to be handed over
 */
export function itemInput(title: string, parts: readonly BodyPart[], url: string): ParseInput {
  let json: string
  try {
    json = JSON.stringify({ title, parts })
  } catch (cause) {
    throw new ParseFailure('Its text is nested too deep.', { cause })
  }
  return { mediaType: ITEM_TYPE, charset: 'utf-8', bytes: Buffer.from(json), url }
}
