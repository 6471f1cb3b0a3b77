import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { REFUSALS } from '@citewell/contract/refusals'
import { Refusal } from '../../kernel/refusal.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { PLAIN_PAGE_HEADERS, type Markup } from '../../platform/http/plain-page.ts'

export type Page = Context<HttpEnv>

/** Fields of a form that are text; others count as left out. */
export type Form = Record<string, string>

export async function readForm(context: Page): Promise<Form> {
  const type = context.req.header('content-type') ?? ''
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type)) return {}
  const form: Form = Object.create(null) as Form
  for (const [name, value] of Object.entries(await context.req.parseBody())) {
    if (typeof value === 'string') form[name] = value
  }
  return form
}

export const showPage = async (
  context: Page,
  page: Markup,
  status: ContentfulStatusCode = 200,
): Promise<Response> => await context.html(page, status, PLAIN_PAGE_HEADERS)

/** Shows why something was refused, with the status that belongs to it. */
export async function showRefusal(
  context: Page,
  refusal: Refusal,
  page: (because: string) => Markup,
): Promise<Response> {
  if (refusal.retryAfterSeconds !== undefined)
    context.header('retry-after', String(refusal.retryAfterSeconds))
  return await showPage(context, page(refusal.message), REFUSALS[refusal.code].status)
}

/** What a page that takes this form says where it was sent by something else. */
export const notFromHere = (): Refusal =>
  new Refusal('FORBIDDEN', {
    because: 'This form is out of date, or was not sent from this page. Please try again.',
  })

/** People are here, not programs: what was refused is told on a page. */
export const asPage =
  (serve: (context: Page) => Promise<Response>, pageOf: (because: string) => Markup) =>
  async (context: Page): Promise<Response> => {
    try {
      return await serve(context)
    } catch (fault) {
      if (fault instanceof Refusal) return await showRefusal(context, fault, pageOf)
      throw fault
    }
  }
