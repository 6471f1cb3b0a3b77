import { createArticleDesk, type DeskArticle } from './article-desk.ts'
import { startStandIn, unknownFields, type StandInAnswer, type StandInRequest } from './stand-in-server.ts'

export const FRESHDESK_KEY = 'freshdesk-api-key'

const refusal = (status: number, code: string, message: string): StandInAnswer => ({
  status,
  body: { code, message },
})
const CATEGORY = 3

/**
 * The solutions of a Freshdesk as https://developers.freshdesk.com/api/#solutions describes them: categories, folders and folders within
 * them, the articles of a folder, one article, and who the key belongs to. Lists are paged by `Link` headers.
 */
export async function startFreshdesk(given: { pageSize?: number } = {}) {
  const desk = createArticleDesk()
  /** False: its role may not view solutions. */
  const agent = { maySee: true }

  const present = (article: DeskArticle) => ({
    id: article.id,
    type: 1,
    category_id: CATEGORY,
    folder_id: article.place,
    title: article.title,
    description: desk.bodyOf(article),
    description_text: `The word of this article is ${article.word}.`,
    status: article.isPublished ? 2 : 1,
    agent_id: 1,
    thumbs_up: 0,
    seo_data: {},
    created_at: desk.iso(1_760_000_000),
    updated_at: desk.iso(article.updated),
  })
  const folders = (parent: number | undefined) =>
    [...desk.places.values()]
      .filter((place) => place.parent === parent)
      .map(({ id, name, isOpen }) => ({
        id,
        name,
        visibility: isOpen ? 1 : 4,
        ...(!isOpen && { company_ids: [7] }),
        sub_folders_count: [...desk.places.values()].filter((inner) => inner.parent === id).length,
        articles_count: 0,
        updated_at: desk.iso(1_760_000_000),
      }))

  function page({ query, path }: StandInRequest, all: readonly object[], origin: string): StandInAnswer {
    const [unknown] = unknownFields(query, ['page', 'per_page'])
    const invalid = (field: string, message: string): StandInAnswer => ({
      status: 400,
      body: { description: 'Validation failed', errors: [{ field, message, code: 'invalid_field' }] },
    })
    if (unknown !== undefined) return invalid(unknown, 'Unexpected/invalid field in request')
    const size = Number(query.get('per_page') ?? 30)
    const at = Number(query.get('page') ?? 1)
    if (!(size >= 1 && size <= 100))
      return invalid('per_page', 'It should be a Positive Integer less than or equal to 100')
    const used = Math.min(size, given.pageSize ?? size)
    const next = `${origin}${path}?per_page=${size}&page=${at + 1}`
    return {
      body: all.slice((at - 1) * used, at * used),
      ...(all.length > at * used && { headers: { link: `<${next}>; rel="next"` } }),
    }
  }

  function solutions(request: StandInRequest, origin: string): StandInAnswer {
    const below = request.path.replace('/api/v2/solutions/', '')
    const [, id = ''] = /\/(\d+)/.exec(below) ?? []
    const one = desk.visible().find((article) => article.id === Number(id))
    const here = desk.visible().filter(({ place }) => place === Number(id))
    const answers: Record<string, () => StandInAnswer> = {
      categories: () => page(request, [{ id: CATEGORY, name: 'Help' }], origin),
      [`categories/${CATEGORY}/folders`]: () => page(request, folders(undefined), origin),
      [`folders/${id}/subfolders`]: () => page(request, folders(Number(id)), origin),
      [`folders/${id}/articles`]: () => page(request, here.map(present), origin),
      ...(one !== undefined && { [`articles/${id}`]: () => ({ body: present(one) }) }),
    }
    return answers[below]?.() ?? { status: 404, body: '' }
  }

  const server = await startStandIn((request, origin) => {
    const { headers, method, path } = request
    if (headers.authorization !== `Basic ${Buffer.from(`${FRESHDESK_KEY}:X`).toString('base64')}`)
      return refusal(401, 'invalid_credentials', 'You have to be logged in to perform this action.')
    if (method !== 'GET') return refusal(405, 'method_not_allowed', 'GET method is allowed')
    if (path === '/api/v2/agents/me')
      return { body: { id: 1, contact: { name: 'Ada', email: 'ada@acme.example' } } }
    if (!agent.maySee) return refusal(403, 'access_denied', 'You are not authorized to perform this action.')
    return solutions(request, origin)
  })
  const model = desk.model({
    type: 'freshdesk_solutions',
    config: { url: server.origin },
    credentials: { token: FRESHDESK_KEY },
    server,
  })
  return { ...desk, model, server, agent, [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}
