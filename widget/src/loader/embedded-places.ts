/** Tells of the container, and of each `<citewell-ask>` of the page, also of those added later. */
export function findEmbedded(container: string | undefined, onFound: (element: Element) => void): void {
  const place = container && document.querySelector(container)
  if (place) onFound(place)
  // An element cannot be defined twice, and after `destroy` there is nothing to define it for.
  if (!customElements.get('citewell-ask'))
    customElements.define(
      'citewell-ask',
      class extends HTMLElement {
        connectedCallback() {
          onFound(this)
        }
      },
    )
}
