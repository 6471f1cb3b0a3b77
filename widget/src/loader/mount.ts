import { FOLDER } from '../chunks/built-in.ts'
import type { GivenOptions } from '../options/given-options.ts'
import type { CitewellApi } from './citewell-api.ts'
import { createWidget } from './create-widget.ts'

/**
 * Puts the widget on the page of a single-page application, with the words of the script tag's attributes.
 * `endpoint` is the address of the service; everything that the widget fetches comes from there.
 *
 * @example
 * const widget = mount({ endpoint: 'https://answers.example.com', knowledgeBaseId: '0197f0c2-…' })
 * widget.destroy()
 */
export function mount(options: GivenOptions & { endpoint: string }): CitewellApi {
  const endpoint = options.endpoint.replace(/\/*$/, '/')
  return createWidget(options, endpoint, endpoint + FOLDER)
}
