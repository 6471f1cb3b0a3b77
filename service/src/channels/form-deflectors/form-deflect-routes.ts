import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { FormDeflection } from '@citewell/contract/form-deflectors'
import { collectAnswer } from '../../answers/answering/answering.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import type { EventStream } from '../../platform/http/sse.ts'
import {
  mapFrames,
  openChatStream,
  refusalOfFailure,
  streamOfFrames,
  UNANSWERED,
  type PublicCaller,
} from '../public-api/public-api.ts'
import type { Deflections, OpenDeflection, Verdict } from './deflections.ts'

const endpoint = endpointsFor<'public-key', PublicCaller>()

const TOO_SHORT = { answered: false, skipped_reason: 'too_short', confidence: 0 } as const

const wantsEvents = (accept: string | null) => accept !== null && /\btext\/event-stream\b/i.test(accept)

/** Support forms, answered before they are submitted: as one JSON body, or as chat frames if the client accepts events. */
export function createFormDeflectRoutes({ deflections }: { deflections: Deflections }) {
  return [
    endpoint(ENDPOINTS.deflectForm, async ({ caller, body, request, requestId, signal }) => {
      const isStream = wantsEvents(request.headers.get('accept'))
      const opened = await deflections.open(caller, body, signal)
      if (opened === 'too_short')
        return isStream ? tooShortStream() : { ...TOO_SHORT, answer: null, citations: [] }
      return isStream ? await streamOf(opened, requestId) : await bodyOf(opened)
    }),
    endpoint(ENDPOINTS.tellFormOutcome, async ({ caller, params, body }) => {
      await deflections.reportOutcome(caller, params.conversationId, body.outcome)
    }),
  ]
}

/** The whole answer; withheld if its confidence is too low. Throws the refusal of one that failed. */
async function bodyOf({ events, evaluate }: OpenDeflection): Promise<FormDeflection> {
  const { text, finished, failed } = await collectAnswer(events)
  if (failed !== undefined) throw refusalOfFailure(failed)
  if (finished === undefined) throw new Refusal('INTERNAL')
  const verdict = await evaluate(finished)
  return {
    ...verdict,
    answer: verdict.answered ? text : null,
    citations: verdict.answered ? finished.cited : [],
    confidence: finished.confidence,
    ...(finished.ids !== undefined && { message_id: finished.ids.messageId }),
  }
}

async function streamOf({ events, evaluate }: OpenDeflection, requestId: string): Promise<EventStream> {
  let verdict: Verdict | undefined
  async function* concluding() {
    for await (const event of events) {
      if (event.kind === 'finished') verdict = await evaluate(event)
      yield event
    }
  }
  const stream = await openChatStream(concluding(), { requestId, accept: null })
  return mapFrames(stream, (frame) => (frame['done'] === true ? { ...frame, ...verdict } : frame))
}

const tooShortStream = (): EventStream => streamOfFrames([{ done: false }, { ...UNANSWERED, ...TOO_SHORT }])
