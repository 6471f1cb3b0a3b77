import type { WidgetEvents } from '../options/widget-events.ts'
import type { GivenOptions } from '../options/given-options.ts'
import type { OpenRequest } from '../panel/panel-handle.ts'

/** `window.Citewell`: what a page can do with the widget. Every method may be called before the widget is ready. */
export interface CitewellApi {
  open(request?: OpenRequest): unknown
  close(): void
  toggle(): unknown
  /** Opens the panel and asks a question of 1 to 4,000 characters. */
  ask(question: string, request?: { source?: string }): unknown
  /** Opens the search with this text. */
  search(query: string): unknown
  /** Changes settings, in the words of the attributes. `null` goes back to those of the page. */
  update(config: GivenOptions | null): void
  /** Forgets the conversation. */
  reset(): void
  /** Who the reader is, for the team's analytics. */
  identify(user: { id?: string; email?: string }): void
  /** Takes the widget off the page, with all that listens. */
  destroy(): void
  /** Hears of an event, and returns a function that stops it. */
  on<Type extends keyof WidgetEvents>(type: Type, heard: (detail: WidgetEvents[Type]) => void): () => unknown
  /** Resolves when the service has said that this page has a widget; stays open if it has none. */
  ready: Promise<void>
}
