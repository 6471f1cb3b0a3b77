import type { SaidOptions } from '../options/given-options.ts'
import type { PublicConfig } from '../options/public-config.ts'
import type { Emit, Tab } from '../options/widget-events.ts'
import type { WidgetOptions } from '../options/widget-options.ts'

export interface OpenRequest {
  tab?: Tab
  mode?: WidgetOptions['mode']
  /** Put into the composer or the search field, at most 4,000 characters. */
  query?: string
  /** Ask it immediately. */
  submit?: boolean
  /** Where the reader came from, for the event: `launcher`, `shortcut`, `trigger`, `api`, … */
  source?: string
}

/** What the loader gives to the panel. */
export interface PanelHost {
  said: SaidOptions
  config: PublicConfig
  clientKey: string
  /** Origin of the service, with its path if it has one; ends with a slash. */
  endpoint: string
  /** Folder of the built files of this version. */
  folder: string
  emit: Emit
  /** The button that opens the panel. */
  launcher: HTMLElement
}

/** What the panel lets the loader do. */
export interface PanelHandle {
  open(request: OpenRequest): void
  close(): void
  isOpen(): boolean
  /** Fetches what the first screen shows. Called when the reader seems to be about to open it. */
  warm(): void
  /** Opens with the question in the address of the page, if there is one. */
  followLink(): void
  /** Shows the panel inside an element of the page, if it is there and has none. */
  embed(element: Element): void
  /** The options changed. */
  update(said: SaidOptions): void
  /** Forgets the conversation. */
  reset(): void
  destroy(): void
}

export interface PanelModule {
  mountPanel(host: PanelHost): PanelHandle
}
