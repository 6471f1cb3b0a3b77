import { useEffect, useRef, useState, type ReactNode } from 'react'
import classes from './answer-log.module.css'
import type { Turn } from './answer-turn.tsx'

/** Longest text that is read out. */
const HEARD_CHARACTERS = 5_000

/** A text as it is heard: without marks of Markdown and numbers of citations. */
const heard = (text: string): string =>
  text
    .slice(0, HEARD_CHARACTERS)
    .replaceAll(/\[\d{1,3}\]/g, '')
    .replaceAll(/[*_`#>|]/g, '')

/** What is told of the latest question to those who hear the page. Searching and failing are told where they are shown. */
function toldOf(turn: Turn | undefined): string {
  if (turn?.state === 'writing') return 'The answer is being written.'
  if (turn?.state !== 'done') return ''
  const { length } = turn.citations
  const sources = length === 0 ? '' : length === 1 ? ' 1 source.' : ` ${length} sources.`
  return `${heard(turn.text)} ${turn.covered ? 'The answer is complete.' : 'Not covered.'}${sources}`
}

/** Brings a follow-up question to the top of the window when it is asked, and only then: who reads elsewhere while it is answered stays there. */
function useFollowUpInSight(turns: readonly Turn[]) {
  const log = useRef<HTMLDivElement>(null)
  const [before] = useState(turns.length)
  const latest = turns.at(-1)
  // The first question is below the head of the screen anyway, and those of a stored conversation were asked before.
  const isFollowUp = turns.length > Math.max(1, before)
  const asked = isFollowUp ? latest?.id : undefined
  useEffect(() => {
    if (asked === undefined) return
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    log.current?.lastElementChild?.scrollIntoView({ block: 'start', behavior: isCalm ? 'auto' : 'smooth' })
  }, [asked])
  return { log, isFollowUp }
}

/** The questions and answers of a conversation. An answer that is being written is not read out piece by piece, but whole at its end. */
export function AnswerLog({ turns, children }: { turns: readonly Turn[]; children: ReactNode }) {
  const { log, isFollowUp } = useFollowUpInSight(turns)
  return (
    <>
      <div
        ref={log}
        role="log"
        aria-live="off"
        aria-label="Conversation"
        className={isFollowUp ? classes['followUp'] : undefined}
      >
        {children}
      </div>
      <p role="status" className="visually-hidden">
        {toldOf(turns.at(-1))}
      </p>
    </>
  )
}
