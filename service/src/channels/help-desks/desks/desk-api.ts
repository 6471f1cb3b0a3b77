import type { z } from 'zod'
import { apiAddress } from '../../integrations/integrations.ts'
import type { PostOutcome } from '../../platform-posts/platform-posts.ts'
import { DeskFailure, type DeskAccount } from '../help-desk.ts'
import { postedTo, postToDesk, readDesk, type DeskRequest, type DeskWords } from './desk-http.ts'

/** The largest answer that is read: a page of messages with everything that belongs to them. */
const MAX_BYTES = 4 * 1_048_576

/** The address of an API at a path below what is set (`https://acme.zendesk.com`); undefined if that is no address. */
export const apiBelow =
  (path: string) =>
  (config: Record<string, unknown>): string | undefined => {
    const address = apiAddress(config, undefined)
    return address === undefined ? undefined : `${address}${path}`
  }

export interface Posting {
  /** Whether the help desk does one thing if it is sent twice: a change is, a message is not. */
  isRepeatable: boolean
  headers?: Record<string, string>
}

/** The API of a help desk whose requests are proven by headers that are known beforehand. */
export function createDeskApi({
  address,
  headers,
  ...words
}: DeskWords & {
  /** Undefined if what is set is no address. */
  address: (config: Record<string, unknown>) => string | undefined
  headers: (account: DeskAccount) => Record<string, string>
}) {
  const requestOf = (path: string, account: DeskAccount, more?: Record<string, string>) => ({
    url: `${address(account.config) ?? 'https://invalid.invalid'}${path}`,
    headers: { ...headers(account), ...more },
    maxBytes: MAX_BYTES,
  })

  /** Reads a resource, with the headers of the answer; undefined if it is not there. @throws DeskFailure */
  const readWithHeaders = async <Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    account: DeskAccount,
  ): Promise<{ body: z.infer<Schema>; headers: Headers } | undefined> => {
    if (address(account.config) === undefined)
      throw new DeskFailure(`The address of ${words.desk} is not set, or is none that can be used.`)
    return await readDesk(requestOf(path, account), schema, account, words)
  }

  return {
    requestOf,
    readWithHeaders,
    /** Reads a resource; undefined if it is not there. @throws DeskFailure */
    read: async <Schema extends z.ZodType>(
      path: string,
      schema: Schema,
      account: DeskAccount,
    ): Promise<z.infer<Schema> | undefined> => (await readWithHeaders(path, schema, account))?.body,
    /** Sends something that posts, where the answer is read. */
    post: (
      method: NonNullable<DeskRequest['method']>,
      path: string,
      body: Record<string, unknown>,
      account: DeskAccount,
      { isRepeatable, headers: more }: Posting,
    ) => postToDesk({ ...requestOf(path, account, more), method, body }, account, { ...words, isRepeatable }),
    /** Sends something that posts. */
    send: (
      method: NonNullable<DeskRequest['method']>,
      path: string,
      body: Record<string, unknown>,
      account: DeskAccount,
      isRepeatable: boolean,
    ): Promise<PostOutcome> =>
      postedTo({ ...requestOf(path, account), method, body }, account, { ...words, isRepeatable }),
  }
}
