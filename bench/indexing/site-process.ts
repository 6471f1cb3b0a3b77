/** A website of small pages on a free port, in its own process. */
import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { answerParent } from '../processes/child.ts'
import { writeSite } from './small-site.ts'

/** Number of responses by status since the last call. */
export type Answered = Record<number, number>

let server: Server | undefined
let answered: Answered = {}

answerParent({
  open: async ({ pages }: { pages: number }): Promise<{ address: string }> => {
    const site = new Map(
      Array.from(writeSite(pages), ([path, html]) => {
        const body = Buffer.from(html)
        return [path, { body, etag: `"${createHash('sha1').update(body).digest('hex')}"` }] as const
      }),
    )
    const { promise, resolve } = Promise.withResolvers<string>()
    server = createServer((request, response) => {
      const page = site.get(request.url ?? '')
      const isKnown = page !== undefined && request.headers['if-none-match'] === page.etag
      const status = page === undefined ? 404 : isKnown ? 304 : 200
      answered[status] = (answered[status] ?? 0) + 1
      response.writeHead(status, {
        'content-type': 'text/html; charset=utf-8',
        ...(page !== undefined && { etag: page.etag }),
      })
      response.end(status === 200 ? page?.body : undefined)
    })
    server.listen(0, '127.0.0.1', () => {
      const address = server?.address()
      resolve(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`)
    })
    return { address: await promise }
  },
  answered: (): Answered => {
    const since = answered
    answered = {}
    return since
  },
})
