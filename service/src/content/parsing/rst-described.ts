import type { ReadDirective, RstReading } from './rst-reading.ts'
import { escapeHtml } from './rst-text.ts'

/** Objects that Sphinx describes, by the last part of the directive's name. */
export const DESCRIBED = new Set(
  (
    'function method class attribute data exception classmethod staticmethod property decorator decoratormethod cmdoption ' +
    'option envvar describe object confval macro type struct union enum enumerator member var opcode 2to3fixer ' +
    'pdbcommand coroutinefunction coroutinemethod awaitablefunction awaitablemethod abstractmethod directive role ' +
    'setting templatetag templatefilter fieldlookup django-admin autofunction autoclass automethod autoexception'
  ).split(' '),
)

/** An entry for the object, with its contents nested under the object's name. */
export function describedHtml({ argument, content }: ReadDirective, reading: RstReading): string {
  const signatures = argument
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter(Boolean)
  const terms = signatures.map((signature) => {
    const name = /^(?:[\w.]+ )*([\w.$-]+)/.exec(signature)?.[1] ?? signature
    const id = [...reading.scope, name].join('.')
    return `<dt class="sig" id="${escapeHtml(id)}">${escapeHtml(signature.replaceAll(/\\(.)/g, '$1'))}</dt>`
  })
  const [first = ''] = signatures
  const own = /^(?:class )?([\w.]+)/.exec(first)?.[1]
  const outer = reading.scope
  if (own !== undefined) reading.scope = [...outer, own]
  const html = `<dl>${terms.join('')}<dd>${reading.blocksHtml(content)}</dd></dl>`
  reading.scope = outer
  return html
}
