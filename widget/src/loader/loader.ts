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

function start({ src, dataset }: HTMLScriptElement): void {
  const earlier = window.Citewell
  if (earlier?.ready) {
    console.warn('Citewell: second tag ignored')
    return
  }
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

start(document.currentScript as HTMLScriptElement)
