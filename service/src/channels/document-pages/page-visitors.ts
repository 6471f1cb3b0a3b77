import { REFUSALS } from '@citewell/contract/refusals'
import { showPage, type Page } from '../../platform/http/form-pages.ts'
import { signInAddress } from '../sign-in/sign-in.ts'
import { noDocumentPage, tooManyPagesPage } from './document-page.ts'

export interface PageVisitorsDeps {
  /** The bases whose restricted documents whoever looks may read; undefined for somebody who is not signed in. */
  basesOf: (context: Page) => Promise<readonly string[] | undefined>
  /** Seconds to wait, where too many pages were opened from there already. */
  takeVisit: (context: Page) => Promise<number | undefined>
}

/** Who opens a page of what is known: strangers see what everybody may, members also what is theirs, and nobody what there is besides. */
export function createPageVisitors({ basesOf, takeVisit }: PageVisitorsDeps) {
  /**
   * @param serve gives nothing for what there is not and for what they may not read: the answer is the same
   */
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
      return await showPage(context, noDocumentPage(signIn), REFUSALS.NOT_FOUND.status)
    }
  return { visit }
}

export type PageVisitors = ReturnType<typeof createPageVisitors>
