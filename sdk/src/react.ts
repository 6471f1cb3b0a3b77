import {
  createContext,
  createElement,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type FunctionComponent,
  type ReactNode,
} from 'react'
import type { CitewellError } from './citewell-error.ts'
import type { Client } from './client.ts'
import {
  createConversation,
  type Conversation,
  type ConversationOptions,
  type ConversationState,
} from './conversation.ts'
import type { RelatedArticle, SearchResult } from './records.ts'

export type { ConversationOptions, ConversationState, Turn } from './conversation.ts'

const ClientContext = createContext<Client | undefined>(undefined)

/** Gives a client to the hooks below it. Create the client outside of components, or with `useState`. */
export const CitewellProvider: FunctionComponent<{ client: Client; children?: ReactNode }> = ({
  client,
  children,
}) => createElement(ClientContext.Provider, { value: client }, children)

/**
 * The client of the provider, for what no hook does.
 *
 * @throws Error outside of a provider
 */
export function useCitewell(): Client {
  const client = useContext(ClientContext)
  if (client === undefined) throw new Error('Put <CitewellProvider client={…}> above this component.')
  return client
}

/** What {@link useAsk} returns. */
export interface AskState
  extends ConversationState, Pick<Conversation, 'ask' | 'stop' | 'retry' | 'rate' | 'reset'> {}

/**
 * A conversation: what was asked and answered, and the means to go on. It is drawn at most once a frame while an answer is written, and
 * ends its answer when the component is removed.
 *
 * @example
 * const { turns, status, ask, stop } = useAsk()
 */
export function useAsk(options: ConversationOptions = {}): AskState {
  const client = useCitewell()
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const conversation = useMemo(() => createConversation(client, () => latest.current), [client])
  useEffect(() => conversation.stop, [conversation])
  const state = useSyncExternalStore(conversation.subscribe, conversation.getState, conversation.getState)
  const { ask, stop, retry, rate, reset } = conversation
  return { ...state, ask, stop, retry, rate, reset }
}

/** How far a request is that follows its input. */
export type FetchStatus = 'idle' | 'loading' | 'done' | 'error'

interface Fetched<Value> {
  value: Value
  status: FetchStatus
  error: CitewellError | undefined
}

/** Requests again whenever the key changes, after a pause; what was there stays until the new answer comes. Undefined requests nothing. */
function useFetched<Value>(
  key: string | undefined,
  empty: Value,
  debounceMs: number,
  request: (signal: AbortSignal) => Promise<Value>,
): Fetched<Value> {
  const client = useCitewell()
  const [fetched, setFetched] = useState<Fetched<Value>>({ value: empty, status: 'idle', error: undefined })
  const latest = useRef({ request, empty })
  useEffect(() => {
    latest.current = { request, empty }
  })
  useEffect(() => {
    if (key === undefined) {
      setFetched({ value: latest.current.empty, status: 'idle', error: undefined })
      return undefined
    }
    const controller = new AbortController()
    setFetched(({ value }) => ({ value, status: 'loading', error: undefined }))
    const timer = setTimeout(async () => {
      try {
        const value = await latest.current.request(controller.signal)
        if (!controller.signal.aborted) setFetched({ value, status: 'done', error: undefined })
      } catch (error) {
        if (!controller.signal.aborted)
          setFetched(({ value }) => ({ value, status: 'error', error: error as CitewellError }))
      }
    }, debounceMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [client, key, debounceMs])
  return fetched
}

/** Options of {@link useSearch}. */
export interface UseSearchOptions {
  /** Pause after a keystroke, in milliseconds; default 70. */
  debounceMs?: number | undefined
  limit?: number | undefined
  groupIds?: readonly string[] | undefined
}

/** The pages that match while somebody types. An empty query searches nothing. */
export function useSearch(
  query: string,
  { debounceMs = 70, ...options }: UseSearchOptions = {},
): { results: readonly SearchResult[]; status: FetchStatus; error: CitewellError | undefined } {
  const client = useCitewell()
  const text = query.trim()
  const { value, status, error } = useFetched<readonly SearchResult[]>(
    text === '' ? undefined : JSON.stringify([text, options]),
    [],
    debounceMs,
    async (signal) => (await client.search(text, { ...options, signal })).results,
  )
  return { results: value, status, error }
}

/** Questions to suggest to a reader; often none. */
export function useSuggested(): {
  questions: readonly string[]
  status: FetchStatus
  error: CitewellError | undefined
} {
  const client = useCitewell()
  const { value, status, error } = useFetched<readonly string[]>('', [], 0, (signal) =>
    client.suggested({ signal }),
  )
  return { questions: value, status, error }
}

/** Up to five pages about a text. An empty text finds nothing. */
export function useRelated(text: string): {
  articles: readonly RelatedArticle[]
  status: FetchStatus
  error: CitewellError | undefined
} {
  const client = useCitewell()
  const { value, status, error } = useFetched<readonly RelatedArticle[]>(
    text.trim() === '' ? undefined : text,
    [],
    0,
    async (signal) => (await client.related(text, { signal })).articles,
  )
  return { articles: value, status, error }
}
