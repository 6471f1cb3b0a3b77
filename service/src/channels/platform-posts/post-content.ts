import { z } from 'zod'
import { parseJson } from '../../kernel/json.ts'
import { openedOrNothing, type SealedPlace, type Sealer } from '../../platform/secrets/sealed.ts'

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

/** A body without a note is stored as it is. */
const writeContent = ({ body, note, keepsProblem }: PostContent): string =>
  JSON.stringify(
    note === undefined && keepsProblem !== true ? body : { is: 'noted', body, note, keepsProblem },
  )

function readContent(text: string): PostContent {
  const stored = parseJson(text)
  const { is: _, ...content } = Noted.safeParse(stored).data ?? { is: undefined, body: stored }
  return content
}

const placeOf = (id: string): SealedPlace => ({ table: 'platform_posts', row: id, column: 'sealed_body' })

/** As it is stored with a post. */
export const sealContent = (sealer: Sealer, id: string, content: PostContent): string =>
  sealer.seal(writeContent(content), placeOf(id))

/** What is stored with a post, if there is anything; undefined if it cannot be opened. */
export const openContent = (
  sealer: Sealer,
  { id, sealed_body: sealed }: { id: string; sealed_body: string | null },
): PostContent | undefined =>
  sealed === null ? { body: undefined } : openedOrNothing(() => readContent(sealer.open(sealed, placeOf(id))))
