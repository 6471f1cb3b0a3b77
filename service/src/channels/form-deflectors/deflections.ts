import { FORM_DEFAULTS } from '@citewell/contract/closed-lists'
import { type FormDeflectBody, type FormDeflection } from '@citewell/contract/form-deflectors'
import { LIMITS } from '@citewell/contract/limits'
import type { Answering, AnswerEvent } from '../../answers/answering/answering.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Events } from '../../platform/events/events.ts'
import { userRefOf, type PublicCaller, type PublicQuestions } from '../public-api/public-api.ts'
import { recordWebhookEvent } from '../webhooks/webhooks.ts'
import { findDeflection, insertDeflection, saveOutcome, type DeflectionsDb } from './deflections-store.ts'
import { findRecord } from '../../platform/storage/base-records.ts'

export interface DeflectionsDeps {
  db: DeflectionsDb
  questions: Pick<PublicQuestions, 'questionOf'>
  answering: Pick<Answering, 'answerQuestion'>
  events: Pick<Events, 'announce'>
  newId: () => string
  now: () => Date
}

type Finished = Extract<AnswerEvent, { kind: 'finished' }>

/** The result that is sent along with an answer. */
export type Verdict = Pick<FormDeflection, 'answered' | 'skipped_reason' | 'conversation_id'>

/** A form that is being answered. */
export interface OpenDeflection {
  events: AsyncGenerator<AnswerEvent, void, void>
  /** Evaluates the finished answer, and stores the result: call once, before the result is sent. */
  evaluate: (finished: Finished) => Promise<Verdict>
}

const charactersOf = (text: string) => Array.from(text)

/** Text of support forms, which is answered before the form is submitted, and the outcomes. */
export function createDeflections({ db, questions, answering, events, newId, now }: DeflectionsDeps) {
  async function settingsOf(caller: PublicCaller, formId: string | null | undefined) {
    if (formId === null || formId === undefined) return { id: undefined, ...FORM_DEFAULTS }
    const form = await findRecord(db, 'form_deflectors', { knowledgeBaseId: caller.base.id, id: formId })
    if (form === undefined) throw new Refusal('NOT_FOUND', { because: 'There is no such form deflector.' })
    if (!form.enabled) throw new Refusal('FORBIDDEN', { because: 'This form deflector is switched off.' })
    return form
  }

  /**
   * Starts answering a form; `too_short` if there is too little text, which is not counted.
   *
   * @throws Refusal NOT_FOUND or FORBIDDEN for its form, GROUP_NOT_ALLOWED
   */
  async function open(
    caller: PublicCaller,
    body: FormDeflectBody,
    signal: AbortSignal,
  ): Promise<OpenDeflection | 'too_short'> {
    const form = await settingsOf(caller, body.form_id)
    const written = [body.subject ?? '', body.body].filter((part) => part !== '').join('\n\n')
    const characters = charactersOf(written)
    const question = await questions.questionOf(caller, {
      surface: 'form_deflector',
      query: characters.slice(0, LIMITS.query).join(''),
      userRef: userRefOf(body.user),
      top_k: LIMITS.topK.default,
      group_ids: body.group_ids,
    })
    if (characters.length < Math.max(1, form.min_characters)) return 'too_short'
    return {
      events: answering.answerQuestion(question, signal),
      evaluate: async ({ covered, confidence, ids }) => {
        const answered = covered && confidence >= form.min_confidence
        const skipped_reason = answered ? null : ('low_confidence' as const)
        if (ids === undefined) return { answered, skipped_reason }
        await insertDeflection(db, {
          knowledge_base_id: caller.base.id,
          conversation_id: ids.threadId,
          form_deflector_id: form.id ?? null,
          client_key_id: caller.clientKey.clientKeyId,
          answered,
          confidence,
          outcome: null,
          created_at: now(),
          updated_at: now(),
        })
        return { answered, skipped_reason, conversation_id: ids.threadId }
      },
    }
  }

  /**
   * Stores the outcome of a form, with its webhook event. A later outcome replaces the earlier one; repeating the same one has no effect.
   *
   * @throws Refusal NOT_FOUND for a conversation that this key did not start with a form, and under zero retention
   */
  async function reportOutcome(
    caller: PublicCaller,
    conversationId: string,
    outcome: 'deflected' | 'submitted',
  ): Promise<void> {
    const of = { knowledgeBaseId: caller.base.id, conversationId }
    const { clientKeyId } = caller.clientKey
    const deflection = await findDeflection(db, { ...of, clientKeyId })
    if (deflection === undefined)
      throw new Refusal('NOT_FOUND', { because: 'There is no such conversation of a form.' })
    const at = now()
    const { confidence } = deflection
    const data = { conversation_id: conversationId, confidence, deflected: outcome === 'deflected' }
    const event = { ...of, event: 'deflection.completed', data, at, threadId: conversationId } as const
    const recorded = await db
      .transaction()
      .execute(async (transaction: DeflectionsDb) =>
        (await saveOutcome(transaction, { ...of, now: at }, outcome))
          ? await recordWebhookEvent(transaction, event, newId)
          : 0,
      )
    if (recorded > 0) events.announce('webhooks.recorded', { knowledgeBaseId: of.knowledgeBaseId })
  }

  return { open, reportOutcome }
}

export type Deflections = ReturnType<typeof createDeflections>
