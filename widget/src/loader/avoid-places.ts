/** Hides the launcher while the page's footer, or an element with `data-citewell-avoid` or the panel, is where it is: at the bottom. */
export function avoidPlaces(button: HTMLElement, signal: AbortSignal): void {
  const under = new Set<Element>()
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) under[isIntersecting ? 'add' : 'delete'](target)
      // On a page that is too short to scroll, the launcher would never be seen.
      button.classList.toggle('away', under.size * scrollY > 0)
    },
    { rootMargin: '-90% 0% 0%' },
  )
  for (const place of document.querySelectorAll('body>footer,citewell-ask,[data-citewell-avoid]'))
    observer.observe(place)
  signal.addEventListener('abort', () => observer.disconnect())
}
