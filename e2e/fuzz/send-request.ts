import { request, type IncomingHttpHeaders } from 'node:http'
import type { FuzzRequest } from './make-request.ts'

export interface FuzzAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** Its stream was still going when we had heard enough. */
  isCut: boolean
}

/** A stream is listened to for so long; an answer that is not there by the later time is a finding. */
const STREAM_MS = 2_000
const ANSWER_MS = 30_000

/** Sends it as it is: no client's tidiness in between. Rejects where there is no answer at all. */
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
    sent.setTimeout(ANSWER_MS, () => sent.destroy(new Error(`no answer within ${ANSWER_MS} ms`)))
    sent.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text: '', isCut: true })
    })
    sent.on('error', reject)
    sent.end(given.body)
  })
}
