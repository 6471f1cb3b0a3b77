import { FORM_DEFAULTS, type FormDeflectBody, type FormDeflection } from '@citewell/contract/form-deflectors'
import { LIMITS } from '@citewell/contract/limits'
import type { Answering, AnswerEvent } from '../../answers/answering/answering.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Events } from '../../platform/events/events.ts'
import { userRefOf, type PublicCaller, type PublicQuestions } from '../public-api/public-api.ts'
import { findDeflection, insertDeflection, saveOutcome, type DeflectionsDb } from './deflections-store.ts'
import { findRecord } from '../../platform/storage/base-records.ts'

export interface DeflectionsDeps {
  db: DeflectionsDb
  questions: Pick<PublicQuestions, 'questionOf'>
  answering: Pick<Answering, 'answerQuestion'>
  events: Pick<Events, 'announce'>
  now: () => Date
}

type Finished = Extract<AnswerEvent, { kind: 'finished' }>

/** What is said of an answer beside the answer itself. */
export type Verdict = Pick<FormDeflection, 'answered' | 'skipped_reason' | 'conversation_id'>

/** A form that is being answered. */
export interface OpenDeflection {
  events: AsyncGenerator<AnswerEvent, void, void>
  /** Judges the finished answer, and keeps that: to be called once, before the reader is told. */
  conclude: (finished: Finished) => Promise<Verdict>
}

const charactersOf = (text: string) => Array.from(text)

/** What was written into support forms: answered before it is sent, and what became of it. */
export function createDeflections({ db, questions, answering, events, now }: DeflectionsDeps) {
  async function settingsOf(caller: PublicCaller, formId: string | null | undefined) {
    if (formId === null || formId === undefined) return { id: undefined, ...FORM_DEFAULTS }
    const form = await findRecord(db, 'form_deflectors', { knowledgeBaseId: caller.base.id, id: formId })
    if (form === undefined) throw new Refusal('NOT_FOUND', { because: 'There is no such form deflector.' })
    if (!form.enabled) throw new Refusal('FORBIDDEN', { because: 'This form deflector is switched off.' })
    return form
  }

  /**
   * Begins to answer a form; `too_short` where there is too little to go by. Nothing is counted then.
   *
   * @throws Refusal NOT_FOUND or FORBIDDEN by its form, GROUP_NOT_ALLOWED
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
      conclude: async ({ covered, confidence, ids }) => {
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
   * Notes what became of a form, and announces it. A later outcome replaces the one before; the same one again changes
   * nothing.
   *
   * @throws Refusal NOT_FOUND for a conversation that this key did not begin with a form
   */
  async function tellOutcome(
    caller: PublicCaller,
    conversationId: string,
    outcome: 'deflected' | 'submitted',
  ): Promise<void> {
    const of = { knowledgeBaseId: caller.base.id, conversationId }
    const { clientKeyId } = caller.clientKey
    const deflection = await findDeflection(db, { ...of, clientKeyId })
    if (deflection === undefined) {
      throw new Refusal('NOT_FOUND', { because: 'There is no such conversation of a form.' })
    }
    if (!(await saveOutcome(db, { ...of, now: now() }, outcome))) return
    const { confidence } = deflection
    events.announce('deflection.completed', { ...of, confidence, deflected: outcome === 'deflected' })
  }

  return { open, tellOutcome }
}

export type Deflections = ReturnType<typeof createDeflections>
