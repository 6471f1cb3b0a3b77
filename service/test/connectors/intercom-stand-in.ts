import { createArticleDesk, type DeskArticle } from './article-desk.ts'
import { startStandIn, unknownFields, type StandInAnswer, type StandInRequest } from './stand-in-server.ts'

export const INTERCOM_TOKEN = 'intercom-access-token'

const refusal = (status: number, code: string, message: string): StandInAnswer => ({
  status,
  body: { type: 'error.list', request_id: 'req_1', errors: [{ code, message }] },
})

/**
 * An Intercom workspace as https://developers.intercom.com/docs/references/2.16/rest-api/api.intercom.io/articles describes it: articles
 * with the last changed one first, collections, one article, and who the token belongs to. Its audience rules are in no answer: a place
 * that is not open is one without a collection.
 */
export async function startIntercom(given: { pageSize?: number } = {}) {
  const desk = createArticleDesk()
  const scopes = new Set(['read_articles'])

  function present(article: DeskArticle) {
    const parent = desk.isOpen(article.place) ? article.place : null
    const content = {
      title: article.title,
      description: '',
      body: desk.bodyOf(article),
      author_id: 1,
      state: article.isPublished ? 'published' : 'draft',
      created_at: 1_760_000_000,
      updated_at: article.updated,
      url: article.isPublished ? `https://help.acme.example/en/articles/${article.id}` : null,
    }
    const other = { type: 'article_content', ...content, title: `Auf Deutsch: ${article.title}` }
    return {
      id: String(article.id),
      type: 'article',
      workspace_id: 'abc12',
      parent_id: parent,
      parent_ids: parent === null ? [] : [parent],
      parent_type: parent === null ? null : 'collection',
      default_locale: 'en',
      translated_content: { type: 'article_translated_content', de: other, fr: null },
      ...content,
    }
  }

  function page({ query }: StandInRequest, all: readonly object[], most: number): StandInAnswer {
    const wrong = unknownFields(query, ['page', 'per_page'])
    if (wrong.length > 0) return refusal(400, 'parameter_invalid', `${wrong.join()} is not a known parameter`)
    const size = Number(query.get('per_page') ?? 25)
    const at = Number(query.get('page') ?? 1)
    if (!(size >= 1 && size <= most && at >= 1))
      return refusal(400, 'parameter_invalid', `per_page must be a number between 1 and ${most}`)
    const used = Math.min(size, given.pageSize ?? size)
    const pages = Math.max(1, Math.ceil(all.length / used))
    return {
      body: {
        type: 'list',
        // As text where a page was asked for: https://developers.intercom.com/docs/references/2.17/rest-api/api.intercom.io/internal-articles
        pages: { type: 'pages', page: String(at), per_page: String(used), total_pages: pages },
        total_count: all.length,
        data: all.slice((at - 1) * used, at * used),
      },
    }
  }

  const server = await startStandIn((request) => {
    const { headers, method, path } = request
    if (headers.authorization !== `Bearer ${INTERCOM_TOKEN}`)
      return refusal(401, 'unauthorized', 'Access Token Invalid')
    if (headers['intercom-version'] !== '2.16')
      return refusal(400, 'intercom_version_invalid', 'The requested version could not be found')
    if (method !== 'GET') return refusal(404, 'not_found', 'Resource Not Found')
    if (path === '/me')
      return {
        body: { type: 'admin', id: '1', name: 'Ada', email: 'ada@acme.example', app: { name: 'Acme' } },
      }
    if (!scopes.has('read_articles'))
      return refusal(403, 'api_plan_restricted', 'Active subscription or scope needed')
    if (path === '/articles') {
      const sorted = desk.visible().toSorted((one, other) => other.updated - one.updated || other.id - one.id)
      return page(request, sorted.map(present), 250)
    }
    if (path === '/help_center/collections') {
      const collections = [...desk.places.values()].map(({ id, name, parent }) => ({
        id: String(id),
        name,
        parent_id: parent === undefined ? null : String(parent),
      }))
      return page(request, collections, 150)
    }
    const id = /^\/articles\/(\d+)$/.exec(path)?.[1]
    const article = desk.visible().find((one) => one.id === Number(id))
    return article === undefined
      ? refusal(404, 'not_found', 'Resource Not Found')
      : { body: present(article) }
  })
  const model = desk.model({
    type: 'intercom',
    config: { region: 'eu', locale: null, publish_all: true },
    credentials: { token: INTERCOM_TOKEN },
    server,
  })
  return { ...desk, model, server, scopes, [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}
