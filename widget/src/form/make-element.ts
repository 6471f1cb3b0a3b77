/** Names that differ between attributes and the properties that the renderer writes. */
const ATTRIBUTES: Record<string, string> = { tabIndex: 'tabindex' }

/**
 * Makes an element with attributes and texts. A text is never markup, and an attribute never a handler.
 *
 * @param properties booleans are attributes without a value, or none; functions listen
 */
export function makeElement(
  tag: string,
  properties: Record<string, unknown> | null,
  ...children: (Node | string)[]
): HTMLElement {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (typeof value === 'function') element.addEventListener(name, value as EventListener)
    else if (typeof value === 'string' || typeof value === 'number')
      element.setAttribute(ATTRIBUTES[name] ?? name, String(value))
    else if (value === true) element.setAttribute(name, '')
  }
  element.append(...children)
  return element
}
