import type { Client, createClient } from '@citewell/sdk'
import { createContext, type FunctionComponent } from 'preact'
import { useContext } from 'preact/hooks'
import type { Say } from '../languages/say.ts'
import type * as markdownModule from '../markdown/markdown.ts'
import type { Emit, Tab } from '../options/widget-events.ts'
import type { PublicConfig } from '../options/public-config.ts'
import type { WidgetOptions } from '../options/widget-options.ts'
import type { ToolLink } from '../tools/tools.ts'
import type { ConversationRoom } from './conversation.ts'
import type { TellFailure } from './failure.ts'
import type { RecentSearches } from './recent-searches.ts'
import type { Store } from './store.ts'
import type { Turn } from './turn.ts'

/** What makes elements of answers. It is fetched after the panel, and needed when the first words come. */
export type Markdown = typeof markdownModule

/** What asks, and shows questions with their answers. It is fetched after the panel. */
export interface Answers {
  createClient: typeof createClient
  TurnView: FunctionComponent<{ turn: Turn }>
  CitationCard: FunctionComponent
  css: string
}

/** What all places of the panel share. */
export interface Shared {
  options: WidgetOptions
  say: Say
  language: string
  /** Undefined until they are fetched. */
  suggested: readonly string[] | undefined
  isOffline: boolean
  /** Undefined until it is fetched. */
  markdown: Markdown | 'failed' | undefined
  answers: Answers | 'failed' | undefined
}

/** The panel at one place: the dialog, or an element of the page. */
export interface Place {
  isEmbedded: boolean
  mode: WidgetOptions['mode']
  isOpen: boolean
  tab: Tab
  /** What stands in the composer. */
  draft: string
  /** What the reader selected on the page. */
  quote: string
  /** What stands in the search field. */
  searched: string
  /** Counts the wishes to put the focus into the field. */
  focused: number
  /** The last of them that was fulfilled. */
  handled: number
}

export interface Surroundings {
  config: PublicConfig
  /** Fetched after the panel. */
  client(): Promise<Client>
  emit: Emit
  /** Tells the page and its owner of a failure. */
  tell: TellFailure
  shared: Store<Shared>
  place: Store<Place>
  conversation: ConversationRoom
  /** Begins what a question or a search needs: the proof of work. */
  prepare(action: 'chat' | 'search'): void
  /** Says something to those who hear the page. */
  announce(text: string): void
  ask(question: string, source: string): void
  /** Asks the question of a turn again. While another is answered, it waits in the composer. */
  askAgain(turn: Turn): void
  close(): void
  /** Colours code, if the browser can. Fetched with the first code. */
  paintCode(text: Text, lang: string): Promise<() => void>
  /** What the reader searched for before. */
  recentSearches: RecentSearches
  /** How AI tools connect. Fetched when a reader wants to know. */
  toolLinks(): Promise<readonly ToolLink[]>
}

const Context = createContext<Surroundings | undefined>(undefined)

export const SurroundingsProvider = Context.Provider

/** What the views of a panel have in common. */
export function useSurroundings(): Surroundings {
  const surroundings = useContext(Context)
  if (surroundings === undefined) throw new Error('A view of Citewell is outside its panel.')
  return surroundings
}
