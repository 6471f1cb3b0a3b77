/** From the start of a drawing to the next, as many times as long as it took: the page has three quarters of its processor. */
const REST = 4

/** Words wait no longer than this, in milliseconds. */
const LONGEST_MS = 200

/** Pause between two drawings of a page that is not seen, where no frame is, in milliseconds. */
const UNSEEN_MS = 200

/** Runs when what changed in this frame is drawn. */
function afterDrawing(run: () => void): void {
  const { port1, port2 } = new MessageChannel()
  port1.addEventListener('message', () => {
    port1.close()
    run()
  })
  port1.start()
  port2.postMessage(0)
}

/**
 * Says when a text that grows is drawn again: before the next frame where that is cheap. On a slow processor, in a long answer, fewer
 * frames have new words, and none comes late.
 */
export function createPace() {
  let rest = 0
  let last = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const soon = (run: () => void): void => {
    const draw = () =>
      requestAnimationFrame(() => {
        last = performance.now()
        run()
        afterDrawing(() => (rest = Math.min(LONGEST_MS, (performance.now() - last) * REST)))
      })
    const wait = last + rest - performance.now()
    if (document.hidden) timer = setTimeout(run, UNSEEN_MS)
    else if (wait > 0) timer = setTimeout(draw, wait)
    else draw()
  }
  /** Nothing waits any more. */
  const stop = (): void => clearTimeout(timer)
  return { soon, stop }
}
