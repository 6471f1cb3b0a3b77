import type { Citation } from '@citewell/sdk'
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isWebAddress } from '../markdown/safe-link.ts'
import { CitationCardContext, type Card } from './citation-card-room.ts'
import { Icon } from './icons.tsx'
import { useStore } from './store.ts'
import { useSurroundings } from './surroundings.ts'

/** Height of the panel's header, which the card leaves free if it can, in pixels. */
const HEADER = 56

/** The address of a citation, or undefined if it is none of the web. */
const addressOf = ({ url }: Citation) => (isWebAddress(url) ? url : undefined)

/** `[n]` in an answer: a link to the cited words. */
export function CitationChip({ index, citations, turn }: Omit<Card, 'chip'> & { index: number }) {
  const card = useContext(CitationCardContext)
  const { shared, emit, conversation } = useSurroundings()
  const { say, options } = useStore(shared)
  const first = citations[0]
  if (!first) return <>[{index}]</>
  const href = addressOf(first)
  const isForThis = (target: EventTarget) => card.store.get().chip === target
  return (
    <a
      part="citation"
      class="chip"
      {...(href !== undefined && { href })}
      target={options.openLinks === 'new' ? '_blank' : undefined}
      rel="noopener"
      aria-label={`${say('source', { n: index })}: ${first.title}`}
      onPointerEnter={(event) =>
        event.pointerType === 'mouse' && card.showSoon({ chip: event.currentTarget, citations, turn })
      }
      onPointerLeave={card.hideSoon}
      onFocus={(event) =>
        event.currentTarget.matches(':focus-visible') &&
        card.show({ chip: event.currentTarget, citations, turn })
      }
      onBlur={card.hideSoon}
      onClick={(event) => {
        // The first touch shows the card, as a hover does for a mouse.
        if ((event as unknown as PointerEvent).pointerType === 'touch' && !isForThis(event.currentTarget)) {
          event.preventDefault()
          card.show({ chip: event.currentTarget, citations, turn })
        } else emit('citation', { message_id: conversation.messageOf(turn), url: href ?? '' })
      }}
    >
      {index}
    </a>
  )
}

/** The passage behind a chip, beside it. */
export function CitationCard() {
  const card = useContext(CitationCardContext)
  const { shared, emit, conversation } = useSurroundings()
  const { say, options } = useStore(shared)
  const element = useRef<HTMLDivElement>(null)
  const { chip, citations, turn } = useStore(card.store)
  const [place, setPlace] = useState({ left: 0, top: 0 })
  useLayoutEffect(() => {
    const panel = element.current?.parentElement
    if (!chip || !element.current || !panel) return
    const at = chip.getBoundingClientRect()
    const within = panel.getBoundingClientRect()
    const { offsetWidth, offsetHeight } = element.current
    const left = at.left - within.left + at.width / 2 - offsetWidth / 2
    const above = at.top - within.top - offsetHeight - 6
    const below = at.bottom - within.top + 6
    setPlace({
      left: Math.max(8, Math.min(left, within.width - offsetWidth - 8)),
      top: above >= HEADER || below + offsetHeight > within.height ? Math.max(8, above) : below,
    })
  }, [chip, citations])
  useEffect(() => {
    const panel = element.current?.parentElement
    // What is scrolled leaves its card behind.
    const hide = () => card.hide()
    if (chip) panel?.addEventListener('scroll', hide, { capture: true, once: true })
    return () => panel?.removeEventListener('scroll', hide, { capture: true })
  }, [chip])
  useEffect(() => () => card.hide(), [card])
  const first = citations[0]
  if (!chip || !first) return null
  const href = addressOf(first)
  return (
    <div
      ref={element}
      class="card"
      style={{ left: `${place.left}px`, top: `${place.top}px` }}
      onPointerEnter={card.stay}
      onPointerLeave={card.hideSoon}
    >
      <p class="card-title" dir="auto">
        {first.title}
      </p>
      {first.headingPath.length > 0 && (
        <p class="card-path" dir="auto">
          {first.headingPath.join(' › ')}
        </p>
      )}
      {citations.slice(0, 2).map(({ chunkId, excerpt }) => (
        <blockquote key={chunkId} dir="auto">
          {excerpt}
        </blockquote>
      ))}
      {href && (
        <a
          class="card-link"
          href={href}
          target={options.openLinks === 'new' ? '_blank' : undefined}
          rel="noopener"
          onClick={() => emit('citation', { message_id: conversation.messageOf(turn), url: href })}
        >
          {say('openPage')} <Icon name="link" />
        </a>
      )}
    </div>
  )
}
