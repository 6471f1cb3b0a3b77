/** Runs when the next frame has been drawn, or soon, where nobody sees the page and there is none: the first screen waits for no request. */
export function behindNextFrame(run: () => unknown): void {
  if (document.hidden) setTimeout(run)
  else requestAnimationFrame(() => setTimeout(run))
}
