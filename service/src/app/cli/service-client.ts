import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseJson } from '../../kernel/json.ts'
import { DirectoryInUse } from '../../platform/storage/embedded/directory-lock.ts'
import { OPERATOR_TOKEN_FILE, startService } from '../start-service.ts'
import { CommandFailure, EXIT, type CommandInput } from './command.ts'

export interface ServiceClient {
  /** Where a person reaches the service, or undefined where it runs inside this command alone. */
  address: string | undefined
  /** Sends a management request; a refusal becomes a `CommandFailure`. */
  request(method: string, path: string, body?: unknown): Promise<Response>
  /** The same, with the answer's JSON. */
  json<Answer>(method: string, path: string, body?: unknown): Promise<Answer>
  close(): Promise<void>
}

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
  const { options, settings, signal } = input
  if (typeof options['url'] === 'string') {
    const address = options['url'].replace(/\/+$/, '')
    const token = typeof options['token'] === 'string' ? options['token'] : undefined
    if (token === undefined) {
      throw new CommandFailure(
        EXIT.permission,
        'An access token is needed for a service at another address.',
        {
          hint: 'give it with --token or CITEWELL_TOKEN',
        },
      )
    }
    return clientOf(address, token, signal, fetch, async () => {})
  }
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
    if (!(error instanceof DirectoryInUse) || error.holder?.address === undefined) throw error
    const token = readFileSync(join(resolve(settings.dataDirectory), OPERATOR_TOKEN_FILE), 'utf8').trim()
    return clientOf(error.holder.address, token, signal, fetch, async () => {})
  }
}

export function clientOf(
  address: string | undefined,
  token: string,
  signal: AbortSignal,
  send: Send,
  close: () => Promise<void>,
): ServiceClient {
  async function request(method: string, path: string, body?: unknown): Promise<Response> {
    const target = new URL(path, address ?? 'http://citewell.internal')
    const response = await Promise.resolve(
      send(
        new Request(target, {
          method,
          signal,
          headers: {
            authorization: `Bearer ${token}`,
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      ),
    ).catch((error: unknown) => {
      if (signal.aborted) throw error
      throw new CommandFailure(EXIT.error, `The service at ${target.origin} cannot be reached.`, {
        hint: 'citewell doctor',
      })
    })
    if (!response.ok) throw await refusalOf(response)
    return response
  }
  return {
    address,
    request,
    json: async <Answer>(method: string, path: string, body?: unknown) =>
      (await (await request(method, path, body)).json()) as Answer,
    close,
  }
}

async function refusalOf(response: Response): Promise<CommandFailure> {
  const body = parseJson(await response.text()) as
    | { error?: string; request_id?: string; details?: { path: string; message: string }[] }
    | undefined
  const details = (body?.details ?? []).map((detail) => `\n  ${detail.path}: ${detail.message}`).join('')
  return new CommandFailure(
    EXIT_OF_STATUS[response.status] ?? EXIT.error,
    `${body?.error ?? `The service answered ${response.status}.`}${details}`,
    body?.request_id === undefined ? {} : { requestId: body.request_id },
  )
}
