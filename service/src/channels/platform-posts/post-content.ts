import { z } from 'zod'
import { parseJson } from '../../kernel/json.ts'

export interface PostContent {
  /** In the platform's own form. */
  body: unknown
  /** Read when the post has ended, for what depends on its arrival. Plain JSON. */
  note?: unknown
  /** It tells of another post that failed: that it arrives itself is no reason to forget why. */
  keepsProblem?: boolean | undefined
}

const Noted = z.object({
  is: z.literal('noted'),
  body: z.unknown(),
  note: z.unknown().optional(),
  keepsProblem: z.boolean().optional(),
})

/** As it is stored. A body without a note is stored as it is. */
export const writeContent = ({ body, note, keepsProblem }: PostContent): string =>
  JSON.stringify(
    note === undefined && keepsProblem !== true ? body : { is: 'noted', body, note, keepsProblem },
  )

export function readContent(text: string): PostContent {
  const stored = parseJson(text)
  const { is: _, ...content } = Noted.safeParse(stored).data ?? { is: undefined, body: stored }
  return content
}
