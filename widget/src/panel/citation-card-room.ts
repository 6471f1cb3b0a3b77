import type { Citation } from '@citewell/sdk'
import { createContext } from 'preact'
import { createStore, type Store } from './store.ts'

/** What the card shows, and which chip it belongs to. */
export interface Card {
  chip: HTMLElement | undefined
  citations: readonly Citation[]
  /** Of the answer. */
  turn: number
}

const NONE: Card = { chip: undefined, citations: [], turn: 0 }

/** How long the card stays when the pointer is on its way to it, and how long a pointer rests before it comes. */
const LEAVE_MS = 200
const ENTER_MS = 100

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

export const CitationCardContext = createContext(createCitationCard())
