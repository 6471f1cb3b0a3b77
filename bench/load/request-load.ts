import { Agent, request as httpRequest } from 'node:http'
import { sendAtRate } from './open-loop.ts'

export interface Target {
  address: string
  path: string
  headers: Record<string, string>
  /** Text in every valid response, if a status of 200 is not enough. */
  holds?: string
}

export interface RequestLoad {
  target: Target
  /** One for each request. */
  bodies: readonly string[]
  perSecond: number
}

export interface RequestTimes {
  /** From when it was due to the end of its response. */
  ms: number[]
  /** Responses with a status other than 200, and broken connections. */
  failures: string[]
  /** For each request, how late the generator sent it. */
  lateMs: number[]
  /** From the first request to the last response. */
  seconds: number
}

const agent = new Agent({ keepAlive: true, maxSockets: Infinity })

/** Sends one request and waits for the whole response; rejects unless its status is 200 and it contains the expected text. */
function ask({ address, path, headers, holds = '' }: Target, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asking = httpRequest(new URL(path, address), { method: 'POST', agent, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (part: string) => (text += part))
      answer.on('end', () => {
        if (answer.statusCode === 200 && text.includes(holds)) resolve()
        else reject(new Error(`${answer.statusCode} ${text.slice(0, 200)}`))
      })
      answer.on('error', reject)
    })
    asking.on('error', reject)
    asking.end(body)
  })
}

/** Sends requests at a constant rate, and waits for all responses. */
export async function loadWithRequests({ target, bodies, perSecond }: RequestLoad): Promise<RequestTimes> {
  const ms: number[] = []
  const failures: string[] = []
  const answered: Promise<void>[] = []
  const begun = performance.now()
  const lateMs = await sendAtRate(bodies.length, perSecond, (place, dueAt) => {
    const done = ask(target, bodies[place] ?? '').then(
      () => void ms.push(performance.now() - dueAt),
      (error: unknown) => void failures.push(String(error)),
    )
    answered.push(done)
  })
  await Promise.all(answered)
  return { ms, failures, lateMs, seconds: (performance.now() - begun) / 1_000 }
}
