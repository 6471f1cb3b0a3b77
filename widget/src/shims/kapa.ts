import type { CitewellApi } from '../loader/citewell-api.ts'
import { listenAsKapa } from './kapa-events.ts'
import { readKapaTag } from './kapa-options.ts'
import { startWidget, tellIgnored } from './own-options.ts'

type Handler = (detail: Record<string, unknown>) => void

interface OpenOptions {
  mode?: 'ai' | 'search'
  query?: string
  submit?: boolean
}

/** What kapa's snippet leaves before its script has loaded: `Kapa('open', …)` waits in `q`. */
interface Stub {
  q?: ArrayLike<unknown>[]
}

declare global {
  interface Window {
    Kapa?: unknown
  }
}

/** Runs our widget in the place of kapa's: its tag, and `window.Kapa` with its functions and events. */
function start(script: HTMLScriptElement): void {
  const tag = readKapaTag(script.dataset)
  let api: CitewellApi | undefined
  /** By handler, so that it can be removed, and heard again after `unmount` and `render`. */
  const listeners = new Map<Handler, { type: string; stop: (() => unknown) | undefined }>()

  const functions = {
    open: ({ mode, query, submit }: OpenOptions = {}) =>
      api?.open({
        tab: mode === 'search' ? 'search' : 'ask',
        source: 'api',
        ...(query && { query, submit: submit === true }),
      }),
    close: () => api?.close(),
    render: ({ onRender }: { onRender?: () => void } = {}) => {
      api ??= startWidget(script, tag.options)
      for (const [heard, listener] of listeners)
        listener.stop ??= api && listenAsKapa(api, listener.type, heard)
      void api?.ready.then(onRender)
    },
    unmount: () => {
      api?.destroy()
      api = undefined
      for (const listener of listeners.values()) listener.stop = undefined
    },
  }

  function listen(type: string, heard: Handler, change?: 'add' | 'remove'): void {
    listeners.get(heard)?.stop?.()
    listeners.delete(heard)
    if (change !== 'remove') listeners.set(heard, { type, stop: api && listenAsKapa(api, type, heard) })
  }

  /** `Kapa('open', …)` and `Kapa('onAskAIQuerySubmit', handler)`. */
  function run(name?: unknown, value?: unknown, change?: unknown): void {
    if (typeof value === 'function' && String(name).startsWith('on'))
      listen(String(name), value as Handler, change as 'add' | 'remove')
    else if (Object.hasOwn(functions, String(name)))
      (functions[name as keyof typeof functions] as (given: unknown) => unknown)(value ?? {})
    else tellIgnored('window.Kapa', [String(name)])
  }

  const earlier = window.Kapa as Stub | undefined
  window.Kapa = Object.assign(run, functions)
  tellIgnored('the kapa tag', tag.ignored)
  if (tag.rendersOnLoad) functions.render()
  for (const call of Array.from(earlier?.q ?? []).slice(0, 1_000)) run(...Array.from(call))
  if (tag.opensByDefault) functions.open()
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || !(event.target instanceof Element)) return
    const { target } = event
    const trigger = tag.triggers.find(({ selector }) => target.closest(selector) !== null)
    if (trigger === undefined || api === undefined) return
    event.preventDefault()
    api.open({ tab: trigger.tab, source: 'trigger' })
  })
}

start(document.currentScript as HTMLScriptElement)
