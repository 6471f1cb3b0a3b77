import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { REFUSALS } from '@citewell/contract/refusals'
import { Refusal } from '../../kernel/refusal.ts'
import type { HttpEnv } from './http-app.ts'
import { PLAIN_PAGE_HEADERS, type Markup } from './plain-page.ts'

export type Page = Context<HttpEnv>

/** The text fields of a form; for a repeated field, its last value. */
export type Form = Record<string, string>

const FORM_TYPE = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i

/** The one character that PostgreSQL cannot store in text. No keyboard types it. */
const NUL = '\0'

/**
 * The text fields of a form, each with all its values; empty if the body is not a form.
 *
 * @throws Refusal BAD_REQUEST for a form that cannot be read, or that contains U+0000
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
    if ([name, ...texts].some((text) => text.includes(NUL)))
      throw new Refusal('BAD_REQUEST', {
        because: 'A field of the form contains the character U+0000, which is not allowed.',
      })
    fields[name] = texts
  }
  return fields
}

/** The same with one value per field. */
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

/** Renders a page with the reason for a refusal, with its HTTP status. */
export async function showRefusal(context: Page, refusal: Refusal, page: RefusalPage): Promise<Response> {
  if (refusal.retryAfterSeconds !== undefined)
    context.header('retry-after', String(refusal.retryAfterSeconds))
  return await showPage(context, await page(refusal.message), REFUSALS[refusal.code].status)
}

/** Turns refusals into HTML pages, for routes that people open in a browser. */
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
 * Runs the action of a form. A refusal is shown on the form, which is rendered again; NOT_FOUND is rethrown, because the form's link
 * is no longer valid and sending it again would not help.
 */
export async function runFormAction(
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
