import { Component } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Composer } from './composer.tsx'
import { Icon } from './icons.tsx'
import { useStore } from './store.ts'
import { useSurroundings, type Answers } from './surroundings.ts'
import type { Turn } from './turn.ts'

/** Nearer to the end than this, in pixels, the view follows the text. */
const NEAR = 40

/** Space above a question that is scrolled to, in pixels. */
const SPACE = 16

/** The first screen: what one may ask. */
function Welcome() {
  const { shared, ask } = useSurroundings()
  const { say, suggested } = useStore(shared)
  return (
    <div class="welcome">
      <p class="welcome-title">{say('welcome')}</p>
      <p class="welcome-hint">{say('welcomeHint')}</p>
      {suggested && suggested.length > 0 && (
        <ul class="suggested" aria-label={say('suggested')}>
          {suggested.slice(0, 8).map((question) => (
            <li key={question}>
              <button type="button" dir="auto" onClick={() => ask(question, 'suggested')}>
                {question}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/**
 * How the view follows an answer: to the `start`, so that the question stays in sight and the reader begins to read at the top; to its
 * `end`, once the reader has gone there; or not at all, since the reader reads elsewhere.
 */
type Following = 'start' | 'end' | 'nothing'

function useFollowing(turns: readonly unknown[], isAnswering: boolean) {
  const scroller = useRef<HTMLDivElement>(null)
  const following = useRef<Following>('end')
  const placed = useRef(0)
  const count = useRef(turns.length)
  const [hasNews, setNews] = useState(false)
  const distance = (element: HTMLElement) => element.scrollHeight - element.scrollTop - element.clientHeight

  const follow = () => {
    const element = scroller.current
    // Reading a size makes the browser lay the page out: not for the first screen, which must come fast.
    if (!element || turns.length === 0 || following.current === 'nothing') return
    const last = element.querySelector<HTMLElement>('.turn:last-of-type')
    const end = element.scrollHeight - element.clientHeight
    const start = (last?.offsetTop ?? end) - SPACE
    element.scrollTop = following.current === 'start' ? Math.min(start, end) : end
    placed.current = element.scrollTop
  }
  useLayoutEffect(() => {
    if (turns.length > count.current) following.current = 'start'
    count.current = turns.length
    follow()
    const element = scroller.current
    setNews(isAnswering && element !== null && distance(element) > NEAR)
  }, [turns])
  return {
    scroller,
    hasNews,
    onScroll: () => {
      const element = scroller.current
      // What was placed here is not the reader's scrolling.
      if (!element || Math.abs(element.scrollTop - placed.current) < 2) return
      following.current = distance(element) <= NEAR ? 'end' : 'nothing'
      if (following.current === 'end') setNews(false)
    },
    toEnd: () => {
      following.current = 'end'
      setNews(false)
      follow()
    },
  }
}

/** A turn that is drawn again only if it has changed: while one is answered, the others have not. */
class SteadyTurn extends Component<{ turn: Turn; answers: Answers }> {
  override shouldComponentUpdate({ turn }: { turn: Turn }): boolean {
    return turn !== this.props.turn
  }
  override render() {
    const { turn, answers } = this.props
    return <answers.TurnView turn={turn} />
  }
}

/** A question as long as what shows its answer has not come, or could not be fetched. */
function BareTurn({ turn }: { turn: Turn }) {
  const { shared, askAgain } = useSurroundings()
  const { say, answers } = useStore(shared)
  return (
    <div class="turn">
      <h3 class="question" dir="auto">
        {turn.question}
      </h3>
      {answers === 'failed' && (
        <p role="alert">
          {say('unavailable')}{' '}
          <button type="button" class="button" onClick={() => askAgain(turn)}>
            {say('tryAgain')}
          </button>
        </p>
      )}
    </div>
  )
}

/** The conversation. */
function Thread() {
  const { shared, conversation } = useSurroundings()
  const { say, answers } = useStore(shared)
  const { turns } = useStore(conversation.store)
  const isAnswering = conversation.isAnswering()
  const { scroller, hasNews, onScroll, toEnd } = useFollowing(turns, isAnswering)
  return (
    <div class="thread-frame">
      <div
        ref={scroller}
        class="thread"
        role="log"
        aria-live="off"
        aria-label={say('conversation')}
        aria-busy={isAnswering}
        tabIndex={0}
        onScroll={onScroll}
      >
        {turns.length === 0 && <Welcome />}
        {turns.map((turn) =>
          typeof answers === 'object' ? (
            <SteadyTurn key={turn.id} turn={turn} answers={answers} />
          ) : (
            <BareTurn key={turn.id} turn={turn} />
          ),
        )}
      </div>
      {hasNews && (
        <button type="button" class="news" onClick={toEnd}>
          <Icon name="down" /> {say('newText')}
        </button>
      )}
    </div>
  )
}

export function AskView() {
  const { shared } = useSurroundings()
  const { say, isOffline } = useStore(shared)
  return (
    <>
      <Thread />
      {isOffline && (
        <p class="offline" role="status">
          {say('offline')}
        </p>
      )}
      <Composer />
    </>
  )
}
