import type { Joined } from '../../platform/storage/tables.ts'
import { ChatBody } from '@citewell/contract/chat'
import type { Hono } from 'hono'
import { collectAnswer, type Answering } from '../../answers/answering/answering.ts'
import type { ClientKeys } from '../../accounts/client-keys/client-keys.ts'
import type { SuggestedQuestions } from '../../answers/suggested-questions/suggested-questions.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { asPage, readForm, showPage, type Page } from '../../platform/http/form-pages.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import { limitForm } from '../../platform/http/limit-form.ts'
import { parseRequestPart } from '../../platform/http/parse-request-part.ts'
import {
  openAskedBase,
  readerAddress,
  refusalOfFailure,
  takePublicLimits,
  type AskedBasesDb,
  type PublicLimitsDeps,
  type PublicQuestions,
} from '../public-api/public-api.ts'
import { csrfRefusal, type AnonymousCsrf } from '../sign-in/sign-in.ts'
import { homePage, type Answered, type HomeParts, type Sample } from './home-page.ts'
import { isOnThisMachine } from './on-this-machine.ts'
import { findSampleBase, type SampleBaseDb } from './sample-base-store.ts'

export interface HomeRoutesDeps extends PublicLimitsDeps {
  db: Joined<SampleBaseDb | AskedBasesDb>
  clientKeys: Pick<ClientKeys, 'authenticateClient'>
  questions: Pick<PublicQuestions, 'chatQuestion'>
  answering: Pick<Answering, 'answerQuestion'>
  suggestedQuestions: Pick<SuggestedQuestions, 'list'>
  anonymousCsrf: AnonymousCsrf
  /** Whether the service is for this machine only: it listens on the loopback interface, has no public URL, and requires no CAPTCHA. */
  isLocal: boolean
  publicUrl: () => string
}

/** How many suggested questions are offered. */
const OFFERED_QUESTIONS = 3

/** Timeout of an answer on this page; the limits of answering itself are shorter. */
const ANSWER_MS = 120_000

/**
 * `/`: what this is, and where to go. For a browser on the same machine also a form that asks the first knowledge base, with the rights of
 * any reader who has its public key. Remote browsers learn nothing about what is stored here.
 */
export function createHomeRoutes(deps: HomeRoutesDeps) {
  const { db, anonymousCsrf, publicUrl, suggestedQuestions } = deps
  const isOffered = (context: Page) => deps.isLocal && isOnThisMachine(context)

  async function partsFor(context: Page): Promise<HomeParts> {
    const isHere = isOffered(context)
    const found = isHere ? await findSampleBase(db) : undefined
    const offered = found === undefined ? [] : await suggestedQuestions.list(found.id, undefined)
    const sample: Sample | undefined = found && {
      name: found.name,
      key: found.key,
      questions: offered.slice(0, OFFERED_QUESTIONS),
      csrf: anonymousCsrf.csrfFor(context),
    }
    return { sample, answered: undefined, fault: undefined, publicUrl: publicUrl(), isOnThisMachine: isHere }
  }

  async function answerOf(context: Page, asked: string): Promise<Answered> {
    const found = await findSampleBase(db)
    if (found === undefined) throw new Refusal('NOT_FOUND', { because: 'There is no knowledge base to ask.' })
    const body = parseRequestPart(ChatBody, { query: asked })
    const clientKey = await deps.clientKeys.authenticateClient({ key: found.key })
    const base = openAskedBase(clientKey, found.id)
    const address = readerAddress(
      context.env.incoming?.socket.remoteAddress ?? '',
      undefined,
      deps.trustedProxies,
    )
    const counted = { clientKeyId: clientKey.clientKeyId, address }
    const { refusal } = await takePublicLimits(deps, 'chat', counted)
    if (refusal !== undefined) throw refusal
    const question = await deps.questions.chatQuestion(
      { base, clientKey, origin: undefined, acceptLanguage: context.req.header('accept-language') },
      body,
    )
    const signal = AbortSignal.any([context.req.raw.signal, AbortSignal.timeout(ANSWER_MS)])
    const { text, finished, failed } = await collectAnswer(deps.answering.answerQuestion(question, signal))
    if (failed !== undefined) throw refusalOfFailure(failed)
    return { question: body.query, answer: text, citations: finished?.cited ?? [] }
  }

  async function ask(context: Page): Promise<Response> {
    // Only browsers on this machine get the form.
    if (!isOffered(context)) throw new Refusal('METHOD_NOT_ALLOWED')
    const form = await readForm(context)
    if (!anonymousCsrf.isValid(context, form)) throw csrfRefusal()
    const answered = await answerOf(context, form['query'] ?? '')
    return await showPage(context, homePage({ ...(await partsFor(context)), answered }))
  }

  return (app: Hono<HttpEnv>): void => {
    app.get('/', async (context) => await showPage(context, homePage(await partsFor(context))))
    app.post('/', limitForm, async (context) => {
      const again = async (fault: string) => homePage({ ...(await partsFor(context)), fault })
      return await asPage(ask, again)(context)
    })
  }
}
