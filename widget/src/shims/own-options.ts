import { FOLDER } from '../chunks/built-in.ts'
import { serviceOf } from '../chunks/load-chunk.ts'
import { createWidget } from '../loader/create-widget.ts'
import type { CitewellApi } from '../loader/citewell-api.ts'
import type { GivenOptions } from '../options/given-options.ts'

/** What other widgets have no word for. The address of a shim may say them, so that a site changes nothing but an address. */
const OWN = ['knowledge-base-id', 'widget-id', 'client-key', 'source-group-ids', 'endpoint'] as const

/** The options of a shim's own: of its address (`?knowledge-base-id=…`), or of attributes beside those of the other widget. */
function ownOptions(script: HTMLScriptElement): Record<string, string> {
  const query = new URL(script.src).searchParams
  const given: Record<string, string> = {}
  for (const name of OWN) {
    const value = query.get(name) ?? script.getAttribute(`data-${name}`)
    if (value !== null && value !== '')
      given[name.replace(/-./g, ([, letter = '']) => letter.toUpperCase())] = value
  }
  return given
}

/** Puts the widget on the page; nothing, and a line in the console, if the address names no knowledge base. */
export function startWidget(script: HTMLScriptElement, options: GivenOptions): CitewellApi | undefined {
  const own = ownOptions(script)
  if (own['knowledgeBaseId'] === undefined && own['widgetId'] === undefined) {
    console.warn(`Citewell: add ?knowledge-base-id=… to the address of ${new URL(script.src).pathname}.`)
    return undefined
  }
  const service = serviceOf(script.src)
  const endpoint = new URL(own['endpoint'] ?? '', service).href.replace(/\/*$/, '/')
  return createWidget({ ...options, ...own }, endpoint, service + FOLDER)
}

/** One line for everything that has no counterpart here. */
export function tellIgnored(of: string, names: readonly string[]): void {
  if (names.length > 0)
    console.warn(`Citewell: of ${of}, these have no counterpart and are ignored: ${names.join(', ')}.`)
}
