import { REFUSALS } from '@citewell/contract/refusals'
import { showPage, type Page } from '../../platform/http/form-pages.ts'
import { signInAddress } from '../sign-in/sign-in.ts'
import { documentNotFoundPage, tooManyPagesPage } from './document-page.ts'

export interface PageVisitorsDeps {
  /** The bases whose restricted documents the visitor may read; undefined if not signed in. */
  basesOf: (context: Page) => Promise<readonly string[] | undefined>
  /** Counts a page view; returns the seconds to wait if the limit is reached. */
  takeVisit: (context: Page) => Promise<number | undefined>
}

/**
 * Access of visitors to content pages: anonymous ones see public content, members also that of their bases, and everything else is answered
 * as not found.
 */
export function createPageVisitors({ basesOf, takeVisit }: PageVisitorsDeps) {
  /** @param serve returns undefined both for missing content and for content that they may not read: the response is the same */
  const visit =
    (serve: (context: Page, memberBaseIds: readonly string[]) => Promise<Response | undefined>) =>
    async (context: Page): Promise<Response> => {
      const wait = await takeVisit(context)
      if (wait !== undefined) {
        context.header('retry-after', String(wait))
        return await showPage(context, tooManyPagesPage(), REFUSALS.RATE_LIMITED.status)
      }
      const memberBaseIds = await basesOf(context)
      const served = await serve(context, memberBaseIds ?? [])
      if (served !== undefined) return served
      const { pathname, search } = new URL(context.req.url)
      const signIn = memberBaseIds === undefined ? signInAddress(pathname + search) : undefined
      return await showPage(context, documentNotFoundPage(signIn), REFUSALS.NOT_FOUND.status)
    }
  return { visit }
}

export type PageVisitors = ReturnType<typeof createPageVisitors>
