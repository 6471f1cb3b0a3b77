import type { CitewellApi } from '../loader/citewell-api.ts'
import type { GivenOptions } from '../options/given-options.ts'
import { startWidget, tellIgnored } from './own-options.ts'

interface DocSearchOptions {
  container?: string | HTMLElement
  placeholder?: string
  initialQuery?: string
  theme?: string
  translations?: { button?: { buttonText?: string; buttonAriaLabel?: string } }
  keyboardShortcuts?: Record<string, boolean>
  onReady?: () => void
  onOpen?: () => void
  onClose?: () => void
  [other: string]: unknown
}

/** What `docsearch()` returns. */
interface DocSearchInstance {
  readonly isReady: boolean
  readonly isOpen: boolean
  open(): void
  close(): void
  openAskAi(given?: { query?: string }): void
  destroy(): void
}

declare global {
  interface Window {
    docsearch?: (options: DocSearchOptions) => DocSearchInstance
  }
}

const USED = [
  'container',
  'placeholder',
  'initialQuery',
  'theme',
  'translations',
  'keyboardShortcuts',
  'onReady',
  'onOpen',
  'onClose',
  // The index is that of the knowledge base.
  'appId',
  'apiKey',
  'indexName',
  'indices',
  'askAi',
]

function optionsOf({ placeholder, theme, keyboardShortcuts = {} }: DocSearchOptions): GivenOptions {
  return {
    launcher: 'none',
    defaultTab: 'search',
    placeholder,
    theme: theme === 'light' || theme === 'dark' ? theme : 'page',
    shortcut: keyboardShortcuts['Ctrl/Cmd+K'] === false ? 'none' : 'mod+k',
    slash: keyboardShortcuts['/'] !== false,
  }
}

/** An element with a text. Their class names, so that the looks that a site has given its button stay. */
function make(tag: string, className: string, ...children: (Node | string)[]): HTMLElement {
  const element = document.createElement(tag)
  element.className = className
  element.append(...children)
  return element
}

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

function buttonOf({ translations, keyboardShortcuts = {} }: DocSearchOptions): HTMLElement {
  const text = translations?.button?.buttonText ?? 'Search'
  const button = make(
    'button',
    'DocSearch DocSearch-Button',
    make('span', 'DocSearch-Button-Container', make('span', 'DocSearch-Button-Placeholder', text)),
  )
  if (keyboardShortcuts['Ctrl/Cmd+K'] !== false)
    button.append(
      make('span', 'DocSearch-Button-Keys', make('kbd', 'DocSearch-Button-Key', isApple ? '⌘K' : 'Ctrl K')),
    )
  button.setAttribute('type', 'button')
  button.setAttribute('aria-label', translations?.button?.buttonAriaLabel ?? text)
  return button
}

const script = document.currentScript as HTMLScriptElement
/** One widget, however many buttons open it: sites have one for wide and one for narrow screens. */
let api: CitewellApi | undefined
let buttons = 0

window.docsearch = (options) => {
  const { container, initialQuery } = options
  tellIgnored(
    'docsearch()',
    Object.keys(options).filter((name) => !USED.includes(name)),
  )
  const given = optionsOf(options)
  api ??= startWidget(script, given)
  const place = typeof container === 'string' ? document.querySelector(container) : container
  const open = (query = initialQuery) =>
    api?.open({ tab: 'search', source: 'trigger', ...(query && { query }) })
  const button = buttonOf(options)
  button.addEventListener('click', () => open())
  if (place === null || place === undefined)
    console.warn('Citewell: docsearch() found no container for its button.')
  place?.append(button)
  buttons += 1
  const is = { ready: false, open: false }
  let isDestroyed = false
  const change = (name: keyof typeof is, now: boolean, tell: (() => void) | undefined) => () => {
    if (isDestroyed) return
    is[name] = now
    tell?.()
  }
  void api?.ready.then(change('ready', true, options.onReady))
  const stops = [
    api?.on('open', change('open', true, options.onOpen)),
    api?.on('close', change('open', false, options.onClose)),
  ]
  return {
    get isReady() {
      return is.ready
    },
    get isOpen() {
      return is.open
    },
    open: () => void open(),
    close: () => api?.close(),
    openAskAi: ({ query } = {}) =>
      void api?.open({ tab: 'ask', source: 'api', ...(query && { query, submit: true }) }),
    destroy: () => {
      // Only once: the others' buttons count, too.
      if (isDestroyed) return
      isDestroyed = true
      for (const stop of stops) stop?.()
      button.remove()
      buttons -= 1
      if (buttons > 0) return
      api?.destroy()
      api = undefined
    },
  }
}
