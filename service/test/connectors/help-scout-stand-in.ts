import { createArticleDesk, type DeskArticle } from './article-desk.ts'
import { startStandIn, unknownFields, type StandInAnswer, type StandInRequest } from './stand-in-server.ts'

export const HELP_SCOUT_KEY = 'help-scout-docs-key'

const refusal = (status: number, error: string): StandInAnswer => ({ status, body: { code: status, error } })
const SITE = '52404efc4566740003092640'

/**
 * Help Scout Docs as https://developer.helpscout.com/docs-api describes it: sites with their restrictions, collections, the published
 * articles of a collection without their text, and one article with it.
 */
export async function startHelpScout(given: { pageSize?: number } = {}) {
  const desk = createArticleDesk()
  // Collections are not within others.
  for (const place of desk.places.values()) place.parent = undefined
  /** Undefined: Help Scout does not say whether the site needs a sign-in. */
  const site = { isRestricted: false as boolean | undefined }

  const reference = (article: DeskArticle) => ({
    id: String(article.id),
    number: article.id,
    collectionId: String(article.place),
    slug: 'an-article',
    status: article.isPublished ? 'published' : 'notpublished',
    hasDraft: false,
    name: article.title,
    publicUrl: `https://acme.helpscoutdocs.com/article/${article.id}-an-article`,
    popularity: 4.3,
    viewCount: 237,
    createdBy: 1,
    updatedBy: 1,
    createdAt: desk.iso(1_760_000_000),
    updatedAt: desk.iso(article.updated),
    lastPublishedAt: desk.iso(article.updated),
  })

  function page(
    { query }: StandInRequest,
    name: string,
    { all, known = [] }: { all: readonly object[]; known?: readonly string[] },
  ): StandInAnswer {
    const wrong = unknownFields(query, ['page', 'pageSize', ...known])
    if (wrong.length > 0) return refusal(400, `${wrong.join()} is not a valid parameter`)
    const size = Number(query.get('pageSize') ?? 50)
    const at = Number(query.get('page') ?? 1)
    if (!(size >= 1 && size <= 100)) return refusal(400, 'pageSize must be at most 100')
    const used = Math.min(size, given.pageSize ?? size)
    const items = all.slice((at - 1) * used, at * used)
    return {
      body: { [name]: { page: at, pages: Math.ceil(all.length / used), count: all.length, items } },
    }
  }

  const server = await startStandIn((request) => {
    const { headers, method, path, query } = request
    if (headers.authorization !== `Basic ${Buffer.from(`${HELP_SCOUT_KEY}:X`).toString('base64')}`)
      return refusal(401, 'API key is not valid')
    if (method !== 'GET') return refusal(405, 'Method not allowed')
    if (path === '/v1/sites')
      return page(request, 'sites', {
        all: [{ id: SITE, subDomain: 'acme', title: 'Acme Help', status: 'active' }],
      })
    if (path === `/v1/sites/${SITE}/restricted`)
      return site.isRestricted === undefined
        ? refusal(404, 'Not found')
        : { body: { enabled: site.isRestricted, ...(site.isRestricted && { authentication: 'CALLBACK' }) } }
    if (path === '/v1/collections') {
      const all = [...desk.places.values()].map(({ id, name, isOpen }) => ({
        id: String(id),
        siteId: SITE,
        number: id,
        slug: 'a-collection',
        visibility: isOpen ? 'public' : 'private',
        name,
        updatedAt: desk.iso(1_760_000_000),
      }))
      return page(request, 'collections', { all })
    }
    const [, collection] = /^\/v1\/collections\/(\w+)\/articles$/.exec(path) ?? []
    if (collection !== undefined) {
      if (
        query.get('status') !== 'published' ||
        query.get('sort') !== 'number' ||
        query.get('order') !== 'asc'
      )
        return refusal(400, 'this stand-in lists published articles by number')
      const here = desk.visible().filter((one) => String(one.place) === collection && one.isPublished)
      return page(request, 'articles', { all: here.map(reference), known: ['status', 'sort', 'order'] })
    }
    const [, id] = /^\/v1\/articles\/(\d+)$/.exec(path) ?? []
    const article = desk.visible().find((one) => one.id === Number(id))
    if (article === undefined) return refusal(404, 'Article not found')
    return {
      body: { article: { ...reference(article), text: desk.bodyOf(article), categories: [], related: [] } },
    }
  })
  const model = desk.model({
    type: 'help_scout_docs',
    config: { site: 'acme', publish_all: false },
    credentials: { token: HELP_SCOUT_KEY },
    server,
  })
  return { ...desk, model, server, site, [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}
