import { leftOutOf, ParseFailure, type Block, type ParsedDocument } from '../../parsing/parsing.ts'
import type { ConnectorInput } from '../connector.ts'
import { escapeMarkdown, parseBody, type ApiDeps, type ItemBody } from '../rest/api-connector.ts'
import { withoutNames } from './without-names.ts'

/** Messages of one thread that are read; the first ones. */
export const MAX_MESSAGES = 1_000

/** Characters of their bodies together, as they come: a server that sends long ones would fill the memory. */
const MAX_CHARACTERS = 8_000_000

/**
 * Whether no further message of a thread is asked for.
 * @param bodies of the messages that were read
 */
export const isThreadFull = (bodies: readonly string[]): boolean =>
  bodies.length >= MAX_MESSAGES || bodies.reduce((sum, { length }) => sum + length, 0) >= MAX_CHARACTERS

const LONG_THREAD = `Of one thread the first ${MAX_MESSAGES.toLocaleString('en')} messages are read, and of their text ${MAX_CHARACTERS / 1_000_000} MB.`

/** Told of a thread of which a message is missing. */
export const UNREADABLE_MESSAGE = 'A message that could not be read is left out.'

const writtenIn = (body: ItemBody['body']): string =>
  'html' in body ? body.html : 'markdown' in body ? body.markdown : ''

/** Below the heading of a message. */
const BODY_DEPTH = 2
const MAX_DEPTH = 6

/** What someone wrote in a thread. */
export interface ThreadMessage {
  /** What they are there: `Author`, `Maintainer`. */
  role: string
  /** As others mention them. */
  name: string | undefined
  /** ISO 8601. */
  at: string
  /** What sets it apart: `accepted answer`. */
  mark?: string | undefined
  /** Fragment of the thread's address at which it is. */
  anchor?: string | undefined
  body: ItemBody['body']
}

/** A conversation: an issue, a topic, a thread of a channel. */
export interface Thread extends Pick<ItemBody, 'title' | 'url' | 'path' | 'language' | 'leftOut'> {
  /** What there is to know of it besides what was said, as Markdown; empty if nothing. */
  about: string
  messages: readonly ThreadMessage[]
  /** Whether names are shown. Otherwise each message has the role of its writer only. */
  showsNames: boolean
}

function headingOf({ role, name, at, mark, anchor }: ThreadMessage, showsNames: boolean): Block {
  const who = showsNames && name !== undefined ? `${role} ${name}` : role
  const when = /^\d{4}-\d\d-\d\d/.exec(at)?.[0]
  const text = [who, when, mark].filter((part) => part !== undefined && part !== '').join(', ')
  return { kind: 'heading', depth: BODY_DEPTH, text: escapeMarkdown(text), anchor }
}

const below = (blocks: readonly Block[]): Block[] =>
  blocks.map((block) =>
    block.kind === 'heading' ? { ...block, depth: Math.min(MAX_DEPTH, block.depth + BODY_DEPTH) } : block,
  )

/**
 * Makes one document of a thread, with a heading for each message. Each message is parsed by itself, so that none of them can take the next
 * ones into its code or its list; one that cannot be parsed is left out, and told.
 * @throws ParseFailure if none can be parsed
 */
export async function parseThread(
  deps: Pick<ApiDeps, 'parse'>,
  input: ConnectorInput<unknown>,
  thread: Thread,
): Promise<ParsedDocument> {
  const { title, url, path = [], messages, showsNames } = thread
  const roles = new Map<string, string>()
  for (const { name, role } of messages) if (name !== undefined) roles.set(name.toLowerCase(), role)

  const blocks: Block[] = []
  let language = thread.language
  const read: ParsedDocument[] = []
  let failure: ParseFailure | undefined
  const told = new Set(thread.leftOut)
  if (isThreadFull(messages.map(({ body }) => writtenIn(body)))) told.add(LONG_THREAD)
  for (const message of messages.slice(0, MAX_MESSAGES)) {
    try {
      const parsed = await parseBody(deps, input, { title, url, body: message.body })
      const said = showsNames ? parsed.blocks : withoutNames(parsed.blocks, roles)
      blocks.push(headingOf(message, showsNames), ...below(said))
      language ??= parsed.language
      read.push(parsed)
    } catch (error) {
      if (!(error instanceof ParseFailure)) throw error
      failure = error
      told.add(UNREADABLE_MESSAGE)
    }
  }
  if (read.length === 0 && failure !== undefined) throw failure
  // Above the messages: where it is filed, and what is known of it.
  const head = await parseBody(deps, input, { title, url, path, body: { markdown: thread.about } })
  const leftOut = [...told, ...[head, ...read].flatMap((part) => part.leftOut ?? [])]
  return { title: head.title, language, blocks: [...head.blocks, ...blocks], ...leftOutOf(leftOut) }
}
