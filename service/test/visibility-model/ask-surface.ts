import { WebSocket } from 'ws'
import { askMcp, MCP_SURFACES, type McpSurface } from './ask-mcp.ts'

/** Requests of outsiders over the public API, and a page. */
export const PUBLIC_SURFACES = [
  'chat',
  'chat-in-thread',
  'thread-route',
  'socket',
  'openai',
  'openai-stream',
  'form-deflect',
  'form-deflect-stream',
  'search',
  'related',
  'suggested-questions',
  'widget-config',
  'custom-answer-page',
] as const

/** All surfaces that outsiders can use. */
export const SURFACES = [...PUBLIC_SURFACES, ...MCP_SURFACES] as const

export type Surface = (typeof SURFACES)[number]

export interface Asked {
  address: string
  baseId: string
  key: string
  query: string
  groupIds: readonly string[]
  /** For the surfaces that continue a conversation. */
  threadId: string | undefined
  /** For the page of a custom answer. */
  customAnswerId: string | undefined
  /** For MCP: a page that may be requested as a whole, and the name of the base's server. */
  mcp?: { pageUrl: string; serverName: string }
}

export interface Disclosed {
  status: number
  /** The code of a refusal. */
  code: string | undefined
  /** The complete response, with the pieces of an answer joined. */
  text: string
  threadId: string | undefined
}

type Frame = Record<string, unknown>

/** Frames, and the text of their pieces. */
function disclosedBy(status: number, frames: readonly Frame[]): Disclosed {
  const pieces = frames.map((frame) => (typeof frame['delta'] === 'string' ? frame['delta'] : '')).join('')
  const last = frames.at(-1)
  return {
    status,
    code: undefined,
    text: `${JSON.stringify(frames)}\n${pieces}`,
    threadId: typeof last?.['thread_id'] === 'string' ? last['thread_id'] : undefined,
  }
}

const dataLines = (body: string) =>
  body
    .split('\n')
    .flatMap((line) => (line.startsWith('data: ') && line !== 'data: [DONE]' ? [line.slice(6)] : []))

async function readResponse(response: Response): Promise<Disclosed> {
  const text = await response.text()
  if (!response.ok) {
    const body = JSON.parse(text) as { code?: string; error?: string | { code?: string } }
    const nested = typeof body.error === 'object' ? body.error.code : undefined
    return { status: response.status, code: body.code ?? nested, text, threadId: undefined }
  }
  if (!(response.headers.get('content-type') ?? '').startsWith('text/event-stream'))
    return { status: response.status, code: undefined, text, threadId: undefined }
  const frames = dataLines(text).map((line) => JSON.parse(line) as Frame)
  // In OpenAI's format the pieces are nested deeper.
  const deep = frames.flatMap((frame) => {
    const [choice] = (frame['choices'] ?? []) as { delta?: { content?: string } }[]
    return choice?.delta?.content ?? []
  })
  const disclosed = disclosedBy(response.status, frames)
  return { ...disclosed, text: `${disclosed.text}\n${deep.join('')}` }
}

const OPENAI = '/api/v1/public/openai/chat/completions'

interface PublicRequest {
  method: 'GET' | 'POST'
  path: string
  body?: object
  accept?: string
}

function requestOf(surface: Exclude<Surface, 'socket' | McpSurface>, asked: Asked): PublicRequest {
  const { baseId, query, threadId, groupIds } = asked
  const base = `/api/v1/public/knowledge-bases/${baseId}`
  const body = { query, ...(groupIds.length > 0 && { group_ids: groupIds }) }
  const openai = { model: baseId, messages: [{ role: 'user', content: query }] }
  const form = { body: query, ...(groupIds.length > 0 && { group_ids: groupIds }) }
  switch (surface) {
    case 'chat':
      return { method: 'POST', path: `${base}/chat`, body }
    case 'chat-in-thread':
      return { method: 'POST', path: `${base}/chat`, body: { ...body, thread_id: threadId } }
    case 'thread-route':
      return { method: 'POST', path: `/api/v1/public/threads/${threadId}/chat`, body }
    case 'openai':
      return { method: 'POST', path: OPENAI, body: openai }
    case 'openai-stream':
      return { method: 'POST', path: OPENAI, body: { ...openai, stream: true } }
    case 'form-deflect':
      return { method: 'POST', path: `${base}/form-deflect`, body: form }
    case 'form-deflect-stream':
      return { method: 'POST', path: `${base}/form-deflect`, body: form, accept: 'text/event-stream' }
    case 'search':
      return { method: 'POST', path: `${base}/search`, body }
    case 'related':
      return { method: 'POST', path: `${base}/related`, body: { query } }
    case 'suggested-questions':
      return { method: 'GET', path: `${base}/suggested-questions` }
    case 'widget-config':
      return { method: 'GET', path: `${base}/widget-config` }
    case 'custom-answer-page':
      return { method: 'GET', path: `/answers/${asked.customAnswerId}` }
  }
}

const isMcp = (surface: Surface): surface is McpSurface => MCP_SURFACES.some((name) => name === surface)

/** Asks over a surface, and returns everything that it disclosed. */
export async function askSurface(surface: Surface, asked: Asked): Promise<Disclosed> {
  if (surface === 'socket') return await askSocket(asked)
  if (isMcp(surface))
    return await readResponse(await askMcp(surface, { ...asked, pageUrl: '', serverName: '', ...asked.mcp }))
  const { method, path, body, accept } = requestOf(surface, asked)
  const response = await fetch(new URL(path, asked.address), {
    method,
    headers: {
      'x-client-key': asked.key,
      'content-type': 'application/json',
      ...(accept !== undefined && { accept }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (surface !== 'custom-answer-page') return await readResponse(response)
  return { status: response.status, code: undefined, text: await response.text(), threadId: undefined }
}

/** One question over a new socket. */
async function askSocket({ address, baseId, key, query, groupIds }: Asked): Promise<Disclosed> {
  const url = new URL(`/api/v1/public/knowledge-bases/${baseId}/ws`, address)
  url.protocol = 'ws:'
  const socket = new WebSocket(url)
  const frames: Frame[] = []
  const send = (message: object) => socket.send(JSON.stringify(message))
  const end = Promise.withResolvers<void>()
  socket.on('open', () => send({ type: 'auth', client_key: key }))
  socket.on('error', end.reject)
  socket.on('close', () => end.resolve())
  socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as Frame
    frames.push(frame)
    if (frame['type'] === 'ready')
      send({ type: 'chat', id: 'q', query, ...(groupIds.length > 0 && { group_ids: groupIds }) })
    if (frame['type'] === 'done' || frame['type'] === 'error') end.resolve()
  })
  await end.promise
  socket.terminate()
  const refusal = frames.find((frame) => frame['type'] === 'error')
  if (refusal === undefined) return disclosedBy(200, frames)
  return {
    ...disclosedBy(403, frames),
    code: typeof refusal['code'] === 'string' ? refusal['code'] : undefined,
  }
}
