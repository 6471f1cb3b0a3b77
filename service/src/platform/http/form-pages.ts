import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { REFUSALS } from '@citewell/contract/refusals'
import { Refusal } from '../../kernel/refusal.ts'
import type { HttpEnv } from './http-app.ts'
import { PLAIN_PAGE_HEADERS, type Markup } from './plain-page.ts'

export type Page = Context<HttpEnv>

/** Fields of a form that are text; of one that is there twice, the last. */
export type Form = Record<string, string>

const FORM_TYPE = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i

/** The one character that PostgreSQL stores in no text. No keyboard types it. */
const NUL = '\0'

/**
 * The fields of a form that are text, each with all of its values; none where something else than a form was sent.
 *
 * @throws Refusal BAD_REQUEST for a form that cannot be read, or whose text nothing could be looked up by
 */
export async function readFormLists(context: Page): Promise<Record<string, string[]>> {
  const fields = Object.create(null) as Record<string, string[]>
  if (!FORM_TYPE.test(context.req.header('content-type') ?? '')) return fields
  const body = await context.req.parseBody({ all: true }).catch((cause: unknown) => {
    if (cause instanceof Refusal) throw cause
    throw new Refusal('BAD_REQUEST', { because: 'This form cannot be read.', cause })
  })
  for (const [name, value] of Object.entries(body)) {
    const texts = [value].flat().filter((item) => typeof item === 'string')
    if ([name, ...texts].some((text) => text.includes(NUL))) {
      throw new Refusal('BAD_REQUEST', { because: 'This form has a character that no text here may have.' })
    }
    fields[name] = texts
  }
  return fields
}

/** The same, where each field has one value. */
export async function readForm(context: Page): Promise<Form> {
  const form = Object.create(null) as Form
  for (const [name, texts] of Object.entries(await readFormLists(context))) {
    const text = texts.at(-1)
    if (text !== undefined) form[name] = text
  }
  return form
}

export const showPage = async (
  context: Page,
  page: Markup,
  status: ContentfulStatusCode = 200,
): Promise<Response> => await context.html(page, status, PLAIN_PAGE_HEADERS)

type RefusalPage = (because: string) => Markup | Promise<Markup>

/** Shows why something was refused, with the status that belongs to it. */
export async function showRefusal(context: Page, refusal: Refusal, page: RefusalPage): Promise<Response> {
  if (refusal.retryAfterSeconds !== undefined)
    context.header('retry-after', String(refusal.retryAfterSeconds))
  return await showPage(context, await page(refusal.message), REFUSALS[refusal.code].status)
}

/** People are here, not programs: what was refused is told on a page. */
export const asPage =
  (serve: (context: Page) => Promise<Response>, pageOf: RefusalPage) =>
  async (context: Page): Promise<Response> => {
    try {
      return await serve(context)
    } catch (fault) {
      if (fault instanceof Refusal) return await showRefusal(context, fault, pageOf)
      throw fault
    }
  }

/**
 * Does what a form asks for. What was wrong with it is told on the form, shown again; where its link is good for nothing any more,
 * NOT_FOUND is thrown on: no form would help.
 */
export async function orFormAgain(
  context: Page,
  formAgain: RefusalPage,
  act: () => Promise<Response>,
): Promise<Response> {
  try {
    return await act()
  } catch (fault) {
    if (!(fault instanceof Refusal) || fault.code === 'NOT_FOUND') throw fault
    return await showRefusal(context, fault, formAgain)
  }
}
