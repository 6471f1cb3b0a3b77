import type { Hono } from 'hono'
import type { CustomAnswers } from '../../content/custom-answers/custom-answers.ts'
import { isUuid } from '../../kernel/ids.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { PLAIN_PAGE_HEADERS } from '../../platform/http/plain-page.ts'
import { customAnswerPage, noSuchPage } from './custom-answer-page.ts'

/**
 * Where the citation of a custom answer without an address of its own leads. Public ones of external bases at work alone have a
 * page; of all others nobody learns that they exist.
 */
export function createCustomAnswerPages({ readPublic }: Pick<CustomAnswers, 'readPublic'>) {
  return (app: Hono<HttpEnv>): void => {
    app.get('/answers/:id', async (context) => {
      const id = context.req.param('id')
      const answer = isUuid(id) ? await readPublic(id) : undefined
      return answer === undefined
        ? context.html(noSuchPage(), 404, PLAIN_PAGE_HEADERS)
        : context.html(customAnswerPage(answer), 200, PLAIN_PAGE_HEADERS)
    })
  }
}
