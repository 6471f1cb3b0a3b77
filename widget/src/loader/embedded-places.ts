/** Tells of the container, and of each `<citewell-ask>` of the page, also of those added later. A place may be told of again. */
export function findEmbedded(container: string | undefined, onFound: (element: Element) => void): void {
  const place = container && document.querySelector(container)
  if (place) onFound(place)
  class Place extends HTMLElement {
    declare static found?: (element: Element) => void
    connectedCallback() {
      Place.found?.(this)
    }
  }
  // An element cannot be defined twice: what is defined goes over to the widget that comes after a `destroy`.
  if (!customElements.get('citewell-ask')) customElements.define('citewell-ask', Place)
  ;(customElements.get('citewell-ask') as typeof Place).found = onFound
  for (const element of document.querySelectorAll('citewell-ask')) onFound(element)
}
