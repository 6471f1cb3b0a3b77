import type { Citation } from '@citewell/sdk'
import { createContext } from 'preact'
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isWebAddress } from '../markdown/safe-link.ts'
import { Icon } from './icons.tsx'
import { createStore, useStore, type Store } from './store.ts'
import { useSurroundings } from './surroundings.ts'

/** What the card shows, and which chip it belongs to. */
interface Card {
  chip: HTMLElement | undefined
  citations: readonly Citation[]
  /** Of the answer. */
  turn: number
}

const NONE: Card = { chip: undefined, citations: [], turn: 0 }

/** How long the card stays when the pointer is on its way to it, and how long a pointer rests before it comes. */
const LEAVE_MS = 200
const ENTER_MS = 100

/** Height of the panel's header, which the card leaves free if it can, in pixels. */
const HEADER = 56

/** One card for all chips of a place. */
export function createCitationCard() {
  const store: Store<Card> = createStore(NONE)
  let timer: ReturnType<typeof setTimeout> | undefined
  const later = (run: () => void, milliseconds: number) => {
    clearTimeout(timer)
    timer = setTimeout(run, milliseconds)
  }
  const hide = () => {
    clearTimeout(timer)
    if (store.get().chip) store.set({ chip: undefined })
  }
  const show = (card: Card) => {
    clearTimeout(timer)
    store.set(card)
  }
  return {
    store,
    show,
    hide,
    showSoon: (card: Card) => later(() => show(card), ENTER_MS),
    hideSoon: () => later(hide, LEAVE_MS),
    stay: () => clearTimeout(timer),
    isShown: () => store.get().chip !== undefined,
  }
}

export type CitationCardRoom = ReturnType<typeof createCitationCard>

const Context = createContext<CitationCardRoom | undefined>(undefined)

export const CitationCardProvider = Context.Provider

/** The address of a citation, or undefined if it is none of the web. */
const addressOf = ({ url }: Citation) => (isWebAddress(url) ? url : undefined)

/** `[n]` in an answer: a link to the cited words. */
export function CitationChip({ index, citations, turn }: Omit<Card, 'chip'> & { index: number }) {
  const card = useContext(Context)
  const { shared, emit, conversation } = useSurroundings()
  const { say, options } = useStore(shared)
  const first = citations[0]
  if (!first || !card) return <>[{index}]</>
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
  const card = useContext(Context)
  const { shared, emit, conversation } = useSurroundings()
  const { say, options } = useStore(shared)
  const element = useRef<HTMLDivElement>(null)
  const { chip, citations, turn } = useStore((card ?? EMPTY).store)
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
    const hide = () => card?.hide()
    if (chip) panel?.addEventListener('scroll', hide, { capture: true, once: true })
    return () => panel?.removeEventListener('scroll', hide, { capture: true })
  }, [chip])
  useEffect(() => () => card?.hide(), [card])
  const first = citations[0]
  if (!chip || !first || !card) return null
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

const EMPTY = { store: createStore(NONE) }
