import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Composer } from './composer.tsx'
import { Icon } from './icons.tsx'
import { useStore } from './store.ts'
import { useSurroundings } from './surroundings.ts'
import { TurnView } from './turn-view.tsx'

/** Nearer to the end than this, in pixels, the view follows the text. */
const NEAR = 40

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

/** The conversation. It follows the text as long as the reader is at its end. */
function Thread() {
  const { shared, conversation } = useSurroundings()
  const { say } = useStore(shared)
  const { turns } = useStore(conversation.store)
  const scroller = useRef<HTMLDivElement>(null)
  const isFollowing = useRef(true)
  const [hasNews, setNews] = useState(false)
  const toEnd = () => {
    const element = scroller.current
    if (element) element.scrollTop = element.scrollHeight
  }
  useLayoutEffect(() => {
    if (isFollowing.current) toEnd()
    else if (conversation.isAnswering()) setNews(true)
  }, [turns])
  useEffect(() => {
    // A new question is always followed.
    isFollowing.current = true
    setNews(false)
    toEnd()
  }, [turns.length])
  const onScroll = () => {
    const element = scroller.current
    if (!element) return
    isFollowing.current = element.scrollHeight - element.scrollTop - element.clientHeight <= NEAR
    if (isFollowing.current) setNews(false)
  }
  return (
    <div class="thread-frame">
      <div
        ref={scroller}
        class="thread"
        role="log"
        aria-live="off"
        aria-label={say('conversation')}
        aria-busy={conversation.isAnswering()}
        tabIndex={0}
        onScroll={onScroll}
      >
        {turns.length === 0 ? <Welcome /> : turns.map((turn) => <TurnView key={turn.id} turn={turn} />)}
      </div>
      {hasNews && (
        <button
          type="button"
          class="news"
          onClick={() => {
            isFollowing.current = true
            setNews(false)
            toEnd()
          }}
        >
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
