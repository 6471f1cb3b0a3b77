import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseJson } from '../../kernel/json.ts'
import { DirectoryInUse } from '../../platform/storage/embedded/directory-lock.ts'
import { OPERATOR_TOKEN_FILE, startService } from '../start-service.ts'
import { CommandFailure, EXIT, type CommandInput, type FaultDetail } from './command.ts'

export interface ServiceClient extends AsyncDisposable {
  /** Where a person reaches the service, or undefined where it runs inside this command alone. */
  address: string | undefined
  /** Sends a management request; a refusal becomes a `CommandFailure`. */
  request(method: string, path: string, body?: unknown): Promise<Response>
  /** The same, with the answer's JSON. */
  json<Answer>(method: string, path: string, body?: unknown): Promise<Answer>
  /** A request that still goes out once the person has pressed Ctrl+C: what was begun is taken back. Its faults are swallowed. */
  lastly(method: string, path: string, body?: unknown): Promise<unknown>
}

/** How long something may take that is done after the person has ended the command. */
const LASTLY_MS = 60_000

type Send = (request: Request) => Promise<Response> | Response

const EXIT_OF_STATUS: Record<number, number> = {
  400: EXIT.validation,
  401: EXIT.permission,
  403: EXIT.permission,
  404: EXIT.notFound,
  409: EXIT.validation,
  413: EXIT.validation,
  415: EXIT.validation,
}

/**
 * The service that a command talks to: the one named by `--url`; else the one that runs on the data directory; else one
 * started inside this command, on the same storage, for as long as the command takes. The requests are the same.
 */
export async function connectService(input: CommandInput): Promise<ServiceClient> {
  const { settings, signal } = input
  const named = connectNamed(input)
  if (named !== undefined) return named
  try {
    const service = await startService(settings, {
      listens: false,
      works: true,
      // Nobody else can ask it anything.
      readsNamedFolders: true,
    })
    const send: Send = (request) => service.fetch(request)
    return clientOf(undefined, service.operatorToken, signal, send, () => service.close())
  } catch (error) {
    return connectHolder(input, error)
  }
}

/** The service that `--url` names. */
export function connectNamed({ options, signal }: CommandInput): ServiceClient | undefined {
  if (typeof options['url'] !== 'string') return undefined
  const address = options['url'].replace(/(?<!\/)\/+$/, '')
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? ''))
    throw new CommandFailure(EXIT.usage, `--url ${address} is no address of a service.`, {
      hint: '--url https://citewell.example.com',
    })
  const token = typeof options['token'] === 'string' ? options['token'] : undefined
  if (token === undefined)
    throw new CommandFailure(EXIT.permission, 'An access token is needed for a service at another address.', {
      hint: 'give it with --token or CITEWELL_TOKEN',
    })
  return clientOf(address, token, signal, fetch)
}

/** The service that holds the data directory, where that is why this one could not start; else the fault is thrown on. */
export function connectHolder({ settings, signal }: CommandInput, error: unknown): ServiceClient {
  if (!(error instanceof DirectoryInUse)) throw error
  if (error.holder?.address === undefined)
    throw new CommandFailure(
      EXIT.error,
      `${error.message.split('.')[0] ?? ''}, and does not answer yet: it starts, or it is another command.`,
      { code: 'DIRECTORY_IN_USE', hint: 'again in a moment' },
    )
  const token = readFileSync(join(resolve(settings.dataDirectory), OPERATOR_TOKEN_FILE), 'utf8').trim()
  return clientOf(error.holder.address, token, signal, fetch)
}

/** How long another process may take to say who it is. */
const WHO_MS = 1_000

/** Whether a service of ours answers there. */
export async function isCitewellAt(address: string): Promise<boolean> {
  const ask: Send = fetch
  try {
    const signal = AbortSignal.timeout(WHO_MS)
    const response = await ask(new Request(`${address}/healthz`, { signal, redirect: 'error' }))
    const text = response.headers.has('x-request-id') ? await response.text() : ''
    return text.startsWith('{"status":"alive"')
  } catch {
    return false
  }
}

export function clientOf(
  address: string | undefined,
  token: string,
  signal: AbortSignal,
  send: Send,
  close: () => Promise<void> = async () => {},
): ServiceClient {
  async function requestWithin(within: AbortSignal, method: string, path: string, body?: unknown) {
    const target = new URL(path, address ?? 'http://citewell.internal')
    const response = await Promise.resolve(
      send(
        new Request(target, {
          method,
          signal: within,
          headers: {
            authorization: `Bearer ${token}`,
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      ),
    ).catch((error: unknown) => {
      if (within.aborted) throw error
      throw new CommandFailure(EXIT.error, `The service at ${target.origin} cannot be reached.`, {
        code: 'UNREACHABLE',
        hint: 'citewell doctor',
      })
    })
    if (!response.ok) throw await refusalOf(response)
    return response
  }
  const request = (method: string, path: string, body?: unknown) => requestWithin(signal, method, path, body)
  return {
    address,
    request,
    json: async <Answer>(method: string, path: string, body?: unknown) =>
      (await (await request(method, path, body)).json()) as Answer,
    lastly: async (method, path, body) => {
      try {
        const response = await requestWithin(AbortSignal.timeout(LASTLY_MS), method, path, body)
        return parseJson(await response.text())
      } catch {
        return undefined
      }
    },
    [Symbol.asyncDispose]: close,
  }
}

async function refusalOf(response: Response): Promise<CommandFailure> {
  const body = parseJson(await response.text()) as
    | { error?: string; code?: string; request_id?: string; details?: FaultDetail[] }
    | undefined
  return new CommandFailure(
    EXIT_OF_STATUS[response.status] ?? EXIT.error,
    body?.error ?? `The service answered ${response.status}.`,
    {
      ...(body?.code !== undefined && { code: body.code }),
      ...(Array.isArray(body?.details) && { details: body.details }),
      ...(body?.request_id !== undefined && { requestId: body.request_id }),
    },
  )
}
