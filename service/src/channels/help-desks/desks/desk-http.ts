import type { z } from 'zod'
import { OutboundFailure } from '../../../platform/outbound/outbound-failure.ts'
import { requestJson, type JsonAnswer } from '../../../platform/outbound/request-json.ts'
import { sendPost, type PostOutcome } from '../../platform-posts/platform-posts.ts'
import { DeskFailure, type DeskAccount } from '../help-desk.ts'
import { wordsOfGone } from './words-of-gone.ts'

const TIMEOUT_MS = 20_000

/** What the owner is told. */
export interface DeskWords {
  desk: string
  /** Why it refused the account; some say it in the body. */
  refused: string | ((body: unknown) => string)
  /** What statuses of a reading mean where they mean something else than usual. */
  meanings?: Readonly<Partial<Record<number, 'gone' | 'refused'>>>
}

export interface DeskRequest {
  url: string
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH'
  headers: Record<string, string>
  body?: unknown
  maxBytes: number
}

const requestDesk = ({ url, ...request }: DeskRequest, account: DeskAccount): Promise<JsonAnswer> =>
  requestJson(url, { ...request, timeoutMs: TIMEOUT_MS }, account)

const whyRefused = ({ refused }: DeskWords, body: unknown): string =>
  typeof refused === 'string' ? refused : refused(body)

/** Reads from a help desk. Undefined if what is asked for is gone. @throws DeskFailure in words for the owner */
export async function readDesk<Schema extends z.ZodType>(
  request: DeskRequest,
  schema: Schema,
  account: DeskAccount,
  words: DeskWords,
): Promise<{ body: z.infer<Schema>; headers: Headers } | undefined> {
  let answer: JsonAnswer
  try {
    answer = await requestDesk(request, account)
  } catch (fault) {
    if (!(fault instanceof OutboundFailure)) throw fault
    throw new DeskFailure(`${words.desk} could not be read: ${fault.message}`, {
      isTooLarge: fault.reason === 'too_large',
    })
  }
  const { status, headers, body } = answer
  const meaning = words.meanings?.[status]
  if (meaning === 'gone' || status === 404 || status === 410) return undefined
  if (meaning === 'refused' || status === 401 || status === 403)
    throw new DeskFailure(whyRefused(words, body), {
      isForbidden: status === 403,
      isUnauthorized: status === 401,
    })
  if (status === 429) throw new DeskFailure(`${words.desk} asks to wait. It is read again later.`)
  const read = schema.safeParse(body)
  if (status >= 300 || !read.success)
    throw new DeskFailure(
      `${words.desk} did not answer as expected (status ${status}). It is read again later.`,
    )
  return { body: read.data, headers }
}

/** Sends something that posts. Failures that every help desk has in common become outcomes; other answers are returned. */
export async function postToDesk(
  request: DeskRequest,
  account: DeskAccount,
  words: DeskWords & { isRepeatable: boolean },
): Promise<PostOutcome | { is: 'answered'; answer: JsonAnswer }> {
  const { desk: platform, isRepeatable } = words
  const posted = await sendPost(() => requestDesk(request, account), { platform, isRepeatable })
  if (posted.is !== 'answered') return posted
  const { status, body } = posted.answer
  if (status === 401 || status === 403) return { is: 'failed', because: whyRefused(words, body) }
  if (status === 404 || status === 410) return { is: 'failed', because: wordsOfGone('ticket') }
  return status === 409 || status === 412 ? { is: 'stale' } : posted
}

/** The same, where nothing is read of the answer: one that is no success is told to the owner. */
export async function postedTo(...given: Parameters<typeof postToDesk>): Promise<PostOutcome> {
  const posted = await postToDesk(...given)
  if (posted.is !== 'answered') return posted
  if (posted.answer.status < 300) return { is: 'posted', ref: undefined }
  const [, , { desk }] = given
  return { is: 'failed', because: `${desk} did not take an answer (status ${posted.answer.status}).` }
}
