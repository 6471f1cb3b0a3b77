/** Runs when the page has loaded and is idle. */
export function whenIdle(run: () => void): void {
  const soon = () => (globalThis.requestIdleCallback ?? setTimeout)(run)
  if (document.readyState === 'complete') soon()
  else addEventListener('load', soon)
}
