import type { ReactNode } from 'react'
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

/** The questions and answers of a conversation. An answer that is being written is not read out piece by piece, but whole at its end. */
export function AnswerLog({ turns, children }: { turns: readonly Turn[]; children: ReactNode }) {
  return (
    <>
      <div role="log" aria-live="off" aria-label="Conversation">
        {children}
      </div>
      <p role="status" className="visually-hidden">
        {toldOf(turns.at(-1))}
      </p>
    </>
  )
}
