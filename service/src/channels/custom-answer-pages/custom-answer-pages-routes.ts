import type { Hono } from 'hono'
import type { CustomAnswers } from '../../content/custom-answers/custom-answers.ts'
import { isUuid } from '../../kernel/ids.ts'
import { showPage } from '../../platform/http/form-pages.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import type { PageVisitors } from '../document-pages/document-pages.ts'
import { customAnswerPage } from './custom-answer-page.ts'

/**
 * The page that the citation of a custom answer without its own address leads to. Anonymous visitors read the public ones of active
 * external bases, members those of the bases that they may chat in; all others are answered as not found.
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
