import type { Citation, Source } from '@citewell/sdk/management'
import type { ReactNode } from 'react'
import { AnswerText } from './answer-text.tsx'
import classes from './answer-turn.module.css'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { Fault } from './fault.tsx'
import { Outcome } from './outcome.tsx'
import { ReadSoFar } from './read-so-far.tsx'

/** A question with its answer, as far as it has come. */
export interface Turn {
  id: number
  query: string
  text: string
  citations: readonly Citation[]
  state: 'asked' | 'writing' | 'done' | 'stopped' | 'failed'
  covered: boolean
  confidence: number | undefined
  messageId: string | undefined
  /** The knowledge base that answers, where several were asked. */
  base: { id: string; name: string } | undefined
  error: unknown
}

const isWeb = (url: string) => /^https?:\/\//i.test(url)

/** The answer as Markdown, with its sources, for pasting elsewhere. */
function copiedText({ text, citations }: Turn): string {
  const sources = citations.map(
    ({ index, title, url }) => `[${index}] ${title}${isWeb(url) ? ` ${url}` : ''}`,
  )
  return [text, ...(sources.length === 0 ? [] : ['', ...sources])].join('\n')
}

/** The pages that an answer cites, each once, as buttons that show the passage. */
function CitedPages({
  citations,
  onCitation,
}: {
  citations: readonly Citation[]
  onCitation: (citation: Citation) => void
}) {
  if (citations.length === 0) return null
  return (
    <ul className={classes['sources']} aria-label="Sources">
      {citations.map((citation) => (
        <li key={citation.index}>
          <button type="button" className={classes['source']} onClick={() => onCitation(citation)}>
            <span className={classes['number']}>{citation.index}</span>
            {citation.title}
          </button>
        </li>
      ))}
    </ul>
  )
}

const titlesOf = (citations: readonly Citation[]) =>
  [...new Set(citations.map(({ title }) => title))].slice(0, 3).join(', ')

/** A question and its answer, with what can be done with it. */
export function AnswerTurn({
  turn,
  onCitation,
  actions,
  sources,
  areSourcesBeside = false,
  onAgain,
}: {
  turn: Turn
  onCitation: (citation: Citation) => void
  /** More actions on a finished answer. */
  actions?: ReactNode
  /** Those of the knowledge base that is asked, where it may still be reading. */
  sources?: readonly Source[] | undefined
  /** The cited pages are listed elsewhere on the screen. */
  areSourcesBeside?: boolean
  /** Asks it again, if it has failed or was stopped, or if not all pages were read. */
  onAgain?: (() => void) | undefined
}) {
  const { query, text, citations, state, covered, base, error } = turn
  return (
    <article className={classes['turn']} aria-busy={state === 'asked' || state === 'writing'}>
      <h2 dir="auto">{query}</h2>
      {state === 'asked' && (
        <p className={classes['note']} role="status">
          {citations.length === 0 ? 'Searching…' : `Reading ${titlesOf(citations)}…`}
        </p>
      )}
      <AnswerText text={text} isWriting={state !== 'done'} citations={citations} onCitation={onCitation} />
      {state === 'stopped' && (
        <p className={classes['note']}>
          You stopped this answer. {onAgain !== undefined && <Button onClick={onAgain}>Ask again</Button>}
        </p>
      )}
      {state === 'failed' && <Fault error={error} onRetry={onAgain} />}
      {state === 'done' && (
        <>
          {!areSourcesBeside && <CitedPages citations={citations} onCitation={onCitation} />}
          <div className={classes['actions']}>
            <Outcome covered={covered} confidence={turn.confidence} />
            {base !== undefined && <span className={classes['note']}>from {base.name}</span>}
            {actions}
            <CopyButton text={copiedText(turn)} />
          </div>
          {!covered && sources !== undefined && <ReadSoFar sources={sources} onAgain={onAgain} />}
        </>
      )}
    </article>
  )
}
