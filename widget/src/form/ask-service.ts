import { createClient, type CaptchaAction, type Client, type DeflectionDone } from '@citewell/sdk'
import { createAltcha, type Altcha } from '@citewell/sdk/captcha'
import type { CreateProviderCheck } from '../captcha/provider-check.ts'
import type { FormText } from './form-fields.ts'

export interface ServiceOptions {
  /** Without a slash at its end. */
  endpoint: string
  knowledgeBaseId: string
  /** Undefined: that of the base's own widget. */
  clientKey: string | undefined
  formId: string | undefined
  groupIds: string[] | undefined
  userId: string | undefined
  userEmail: string | undefined
  /** Of the form: what the service itself says is in it, where the question does not show its language. */
  language: string
  /** Fetches what loads the checks of other providers. */
  loadProviderCheck(): Promise<{ createProviderCheck: CreateProviderCheck }>
  /** Where a check that needs the reader is shown. */
  openPlace(): HTMLElement
}

interface Connection {
  client: Client
  /** Begins the proof of work, if the service asks for one. */
  prepare: Altcha['prepare'] | undefined
}

/** One request of a form at a time may take this long; it has a limit of its own above it. */
const TIMEOUT_MS = 8_000

/** `keepalive`: the page may be left in the next moment. */
const outliving: typeof fetch = (input, init) => fetch(input, { ...init, keepalive: true })

/** The questions of one form. Nothing is sent before `prepare` or `ask`. */
export function createService(options: ServiceOptions) {
  const { endpoint, knowledgeBaseId, formId, groupIds, userId, userEmail } = options
  let connecting: Promise<Connection> | undefined
  let { clientKey: known } = options

  async function keyOf(): Promise<string> {
    if (known !== undefined) return known
    const path = `/api/v1/public/knowledge-bases/${encodeURIComponent(knowledgeBaseId)}/widget-key`
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const answer = await fetch(endpoint + path, { credentials: 'omit', signal })
    const { client_key: key, code } = (await answer.json()) as { client_key?: string; code?: string }
    if (key === undefined) throw new Error(code ?? String(answer.status))
    known = key
    return key
  }

  async function connect(): Promise<Connection> {
    const clientKey = await keyOf()
    const headers = { 'accept-language': options.language }
    const http = { endpoint, clientKey, retries: 0, timeoutMs: TIMEOUT_MS, headers }
    const config = await createClient({ ...http, knowledgeBaseId }).config()
    const { captchaRequired, captchaProvider: provider, captchaSiteKey: siteKey } = config
    const client = (captcha?: (action: CaptchaAction, signal?: AbortSignal) => Promise<string>) =>
      createClient({ ...http, knowledgeBaseId, captcha })
    if (!captchaRequired) return { client: client(), prepare: undefined }
    if (provider === 'altcha' || provider === undefined) {
      const altcha = createAltcha(http)
      return { client: client(altcha), prepare: altcha.prepare }
    }
    const { createProviderCheck } = await options.loadProviderCheck()
    const { language, openPlace } = options
    return {
      client: client(createProviderCheck({ provider, siteKey, language, openPlace })),
      prepare: undefined,
    }
  }

  const connected = () => {
    connecting ??= connect()
    // Tried again at the next question.
    connecting.catch(() => (connecting = undefined))
    return connecting
  }

  return {
    /** Before it is needed: when somebody begins to write. */
    prepare: async (): Promise<void> => {
      const { prepare } = await connected()
      prepare?.('form_deflect')
    },
    /**
     * Asks the text of a form. Nothing of an answer leaves this function before its last frame says that it may be shown.
     *
     * @param onPages hears the titles of the pages that were found
     * @throws whatever went wrong; the form is then sent as if nothing had been asked
     */
    ask: async (
      { subject, body }: FormText,
      signal: AbortSignal,
      onPages: (titles: string[]) => void,
    ): Promise<DeflectionDone> => {
      const { client } = await connected()
      const user = userId || userEmail ? { id: userId, email: userEmail } : undefined
      const form = { subject: subject || undefined, body, formId, groupIds, user }
      for await (const frame of client.deflect(form, { signal })) {
        if (frame.type === 'start') onPages(frame.citations.map(({ title }) => title))
        if (frame.type === 'done') return frame
      }
      throw new Error('The answer broke off.')
    },
    /** Reports how it ended, also when the page is left meanwhile. Nobody waits for it. */
    tell: (conversationId: string | undefined, outcome: 'deflected' | 'submitted'): void => {
      if (conversationId === undefined || known === undefined) return
      const client = createClient({
        endpoint,
        knowledgeBaseId,
        clientKey: known,
        fetch: outliving,
        retries: 0,
      })
      client.tellOutcome(conversationId, outcome).catch(() => undefined)
    },
  }
}

export type Service = ReturnType<typeof createService>
