import type { Hono } from 'hono'
import type { CustomAnswers } from '../../content/custom-answers/custom-answers.ts'
import { isUuid } from '../../kernel/ids.ts'
import { showPage } from '../../platform/http/form-pages.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import type { PageVisitors } from '../document-pages/document-pages.ts'
import { customAnswerPage } from './custom-answer-page.ts'

/**
 * Where the citation of a custom answer without an address of its own leads. Strangers read the public ones of external bases at work,
 * members those of the bases that they may chat in; of all others nobody learns that they exist.
 */
export function createCustomAnswerPages({
  customAnswers,
  visitors,
}: {
  customAnswers: Pick<CustomAnswers, 'readShown'>
  visitors: PageVisitors
}) {
  return (app: Hono<HttpEnv>): void => {
    app.get(
      '/answers/:id',
      visitors.visit(async (context, memberBaseIds) => {
        const id = context.req.param('id') ?? ''
        const answer = isUuid(id) ? await customAnswers.readShown(id, memberBaseIds) : undefined
        return answer && (await showPage(context, customAnswerPage(answer)))
      }),
    )
  }
}
