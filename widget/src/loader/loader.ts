import { FOLDER } from '../chunks/built-in.ts'
import { serviceOf } from '../chunks/load-chunk.ts'
import type { CitewellApi } from './citewell-api.ts'
import { createWidget } from './create-widget.ts'

/** The stub of the snippet, or the widget itself: `Citewell('open', …)` and `Citewell.open(…)` are the same. */
type Global = ((...call: unknown[]) => void) & Partial<CitewellApi> & { q?: Iterable<unknown>[] }

declare global {
  interface Window {
    Citewell?: Global
  }
}

function start(tag: Element | null): void {
  const earlier = window.Citewell
  if (!tag || earlier?.ready) {
    console.warn('Citewell: no data-knowledge-base-id, or second tag')
    return
  }
  const { src, dataset } = tag as HTMLScriptElement
  const service = serviceOf(src)
  const endpoint = new URL(dataset['endpoint'] ?? '', service).href.replace(/\/*$/, '/')
  const api = createWidget(dataset, endpoint, service + FOLDER)
  const run = (method: keyof CitewellApi, ...values: unknown[]) =>
    (api[method] as ((...values: unknown[]) => unknown) | undefined)?.(...values)
  window.Citewell = Object.assign(run as Global, api, {
    destroy: () => {
      api.destroy()
      delete window.Citewell
    },
  })
  for (const call of earlier?.q ?? []) run(...(call as [keyof CitewellApi]))
}

// There is no current script for a tag with `type="module"`: then it is the one with the id of a base.
start(document.currentScript ?? document.querySelector('script[data-knowledge-base-id]'))
