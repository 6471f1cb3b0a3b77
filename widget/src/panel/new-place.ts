import { createStore, type Store } from './store.ts'
import type { Place } from './surroundings.ts'

/** A place of the panel before anybody has used it. */
export const newPlace = (changes: Partial<Place>): Store<Place> =>
  createStore<Place>({
    isEmbedded: false,
    mode: 'modal',
    isOpen: false,
    tab: 'ask',
    draft: '',
    quote: '',
    searched: '',
    focused: 0,
    handled: 0,
    ...changes,
  })
