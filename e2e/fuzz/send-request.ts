import { request, type IncomingHttpHeaders } from 'node:http'
import type { FuzzRequest } from './make-request.ts'

export interface FuzzAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** The stream was cut by us while it was still running. */
  isCut: boolean
}

/** How long a stream is read; an answer that has not begun by the second time is a finding. */
const STREAM_MS = 2_000
const ANSWER_TIMEOUT_MS = 30_000

/** Sends the request unchanged, without the normalization of an HTTP client. Rejects if there is no answer. */
export async function sendRequest(address: string, given: FuzzRequest): Promise<FuzzAnswer> {
  const { hostname, port } = new URL(address)
  return await new Promise<FuzzAnswer>((resolve, reject) => {
    const headers = {
      ...given.headers,
      ...(given.body !== undefined && { 'content-length': given.body.byteLength }),
    }
    const sent = request(
      { hostname, port, method: given.method, path: given.target, headers },
      (response) => {
        const chunks: Buffer[] = []
        const done = (isCut: boolean) => {
          clearTimeout(timer)
          const text = Buffer.concat(chunks).toString('utf8')
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, isCut })
        }
        const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true
        const cut = () => {
          done(true)
          sent.destroy()
        }
        const timer = isStream ? setTimeout(cut, STREAM_MS) : undefined
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => done(false))
        response.on('error', reject)
      },
    )
    sent.setTimeout(ANSWER_TIMEOUT_MS, () =>
      sent.destroy(new Error(`no answer within ${ANSWER_TIMEOUT_MS} ms`)),
    )
    sent.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text: '', isCut: true })
    })
    sent.on('error', reject)
    sent.end(given.body)
  })
}
