type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** The limits of the service, in characters. A longer text is asked by its start. */
const MOST = { subject: 300, body: 20_000 }

/** The element of a selector, in the form or, if it is not there, on the page; undefined for a selector that is wrong. */
export function find(root: ParentNode | undefined, selector: string | null): Element | undefined {
  if (!selector) return undefined
  try {
    return root?.querySelector(selector) ?? document.querySelector(selector) ?? undefined
  } catch {
    return undefined
  }
}

function textOf(element: Element | undefined, most: number): string {
  if (element === undefined) return ''
  const text = 'value' in element ? (element as Field).value : (element.textContent ?? '')
  return Array.from(text.trim().slice(0, 2 * most))
    .slice(0, most)
    .join('')
}

/** What the form says: what the service is asked. */
export interface FormText {
  subject: string
  body: string
}

export const readText = (
  form: ParentNode | undefined,
  subject: string | null,
  body: string | null,
): FormText => ({
  subject: textOf(find(form, subject), MOST.subject),
  body: textOf(find(form, body), MOST.body),
})

/** Writes into a field as typing would, so that frameworks that hold its value notice. */
export function writeField(element: Element | undefined, text: string): void {
  if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)) return
  const prototype = Object.getPrototypeOf(element) as object
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(element, text)
  for (const type of ['input', 'change']) element.dispatchEvent(new Event(type, { bubbles: true }))
}
