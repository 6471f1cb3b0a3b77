import { startStandIn, type StandInAnswer, type StandInRequest } from './stand-in-server.ts'

/** What a balancer of load in front of a wiki sets: its value contains the sign that ends its name. */
const BALANCER = 'node=YQ=='

/** Each part of a list tells about one page; MediaWiki tells about 50 at most if it is asked who may read them. */
const TOLD = 1

/**
 * The lists of a MediaWiki with more pages than it tells about at once, as `ApiQueryInfo` continues them: each part names all of them, and
 * has facts of the next few. Strangers may not read the closed ones.
 */
export async function startLongWiki(pages: readonly { id: number; isClosed: boolean }[]) {
  const factsOf = ({ id, isClosed }: (typeof pages)[number], isSignedIn: boolean) => ({
    lastrevid: id,
    touched: '2026-11-20T10:00:00Z',
    pagelanguagehtmlcode: 'en',
    fullurl: `https://wiki.example/Page_${id}`,
    actions: { read: isSignedIn || !isClosed },
  })

  function list({ query }: StandInRequest, isSignedIn: boolean): StandInAnswer {
    const ids = query.get('pageids')?.split('|').map(Number)
    const named = pages.filter(({ id }) => ids === undefined || ids.includes(id))
    const from = Number(query.get('incontinue') ?? 0)
    const told = ids === undefined ? TOLD : named.length
    const missing = (ids ?? []).filter((asked) => !pages.some(({ id }) => id === asked))
    return {
      body: {
        ...(from + told < named.length && {
          continue: { incontinue: String(from + told), continue: 'gapcontinue||' },
        }),
        query: {
          pages: [
            ...named.map((page, at) => ({
              pageid: page.id,
              ns: 0,
              title: `Page ${page.id}`,
              ...(at >= from && at < from + told && factsOf(page, isSignedIn)),
            })),
            ...missing.map((pageid) => ({ pageid, missing: true })),
          ],
        },
      },
    }
  }

  function query(request: StandInRequest, isSignedIn: boolean): StandInAnswer {
    const { query: asked } = request
    const curtimestamp = '2026-11-20T11:00:00Z'
    if (asked.get('meta') === 'tokens') return { body: { query: { tokens: { logintoken: 'token' } } } }
    if (asked.has('meta'))
      return {
        body: { curtimestamp, query: { general: { sitename: 'Long' }, userinfo: { name: 'Reader' } } },
      }
    if (asked.has('list')) return { body: { curtimestamp, query: { recentchanges: [] } } }
    return list(request, isSignedIn)
  }

  return await startStandIn((request) => {
    const { query: asked, headers } = request
    const cookies = (headers.cookie ?? '').split('; ')
    const isSignedIn = cookies.includes('session=1') && cookies.includes(BALANCER)
    const set = { 'set-cookie': [`${BALANCER}; path=/`, 'session=1; path=/'] }
    if (asked.get('assert') === 'user' && !isSignedIn)
      return { body: { error: { code: 'assertuserfailed', info: 'You are no longer logged in' } } }
    const action = asked.get('action')
    if (action === 'login') return { headers: set, body: { login: { result: 'Success' } } }
    if (action === 'parse') return { body: { parse: { text: `<p>word${asked.get('pageid')}x</p>` } } }
    return query(request, isSignedIn)
  })
}
