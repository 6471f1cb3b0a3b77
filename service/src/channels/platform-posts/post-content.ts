import { z } from 'zod'
import { parseJson } from '../../kernel/json.ts'

export interface PostContent {
  /** In the platform's own form. */
  body: unknown
  /** Read when the post has ended, for what depends on its arrival. Plain JSON. */
  note?: unknown
}

const Noted = z.object({ is: z.literal('noted'), body: z.unknown(), note: z.unknown() })

/** As it is stored. A body without a note is stored as it is. */
export const writeContent = ({ body, note }: PostContent): string =>
  JSON.stringify(note === undefined ? body : { is: 'noted', body, note })

export function readContent(text: string): PostContent {
  const stored = parseJson(text)
  return Noted.safeParse(stored).data ?? { body: stored }
}
