import { setTimeout as sleep } from 'node:timers/promises'
import type { AnswerEvent } from '../../answers/answering/answering.ts'
import type { TakenEvent } from '../platform-hooks/platform-hooks.ts'
import type { Draft, LiveReply } from './chat-platform.ts'

/** Between the first and another word of it. A short answer is there before anybody reads along: showing it twice would only use up what the platform allows. */
const AFTER_MS = 1_000

export interface ShownLive {
  /** The same events; what they say is shown. */
  tap(events: AsyncIterable<AnswerEvent>): AsyncGenerator<AnswerEvent>
  /** Shows nothing more. Returns the message that shows the answer; undefined if none is known. */
  end(): Promise<Draft | undefined>
}

/**
 * Shows an answer while it is written. That a message is begun is stored before it is, and what it is called afterwards: the next process
 * ends the message that this one began, and begins none if it does not know.
 */
export function showLive(live: LiveReply, event: TakenEvent<unknown>['live']): ShownLive {
  const ending = new AbortController()
  let text = ''
  let showing: Promise<void> | undefined
  let ref: string | undefined
  let firstAt: number | undefined

  const pause = (ms: number) => sleep(ms, undefined, { signal: ending.signal }).catch(() => undefined)

  async function show(): Promise<void> {
    if (!(await event.note(''))) return
    ref = await live.begin()
    if (ref === undefined || !(await event.note(ref))) return
    for (let shown = ''; !ending.signal.aborted;) {
      const next = text
      if (next !== shown && !(await live.show(next, ending.signal))) return
      shown = next
      await pause(live.everyMs)
    }
  }

  return {
    async *tap(events) {
      for await (const one of events) {
        if (one.kind === 'delta') {
          text += one.text
          firstAt ??= performance.now()
          // It is only shown: the answer does not depend on it.
          if (performance.now() - firstAt >= AFTER_MS) showing ??= show().catch(() => undefined)
        }
        yield one
      }
    },
    end: async () => {
      ending.abort()
      await showing
      return ref === undefined ? undefined : { ref, shown: live.shown?.() }
    },
  }
}
