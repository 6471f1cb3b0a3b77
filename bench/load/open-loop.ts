/**
 * Sends at a constant rate, whatever becomes of what was sent before: a service that falls behind is not spared, and every
 * time counts from when a request was due, not from when it got its turn.
 *
 * @param send - gets the place and when it was due (milliseconds of `performance.now()`)
 * @returns by how many milliseconds each was sent late, which is the generator's own fault
 */
export function sendAtRate(
  count: number,
  perSecond: number,
  send: (place: number, dueAt: number) => void,
): Promise<number[]> {
  const startAt = performance.now() + 20
  const late: number[] = []
  return new Promise((resolve) => {
    const sendDue = () => {
      for (;;) {
        const dueAt = startAt + (late.length * 1_000) / perSecond
        const wait = dueAt - performance.now()
        if (wait > 0.5) {
          // Timers are late by up to a millisecond: the last bit is spent turning.
          if (wait > 2) setTimeout(sendDue, wait - 1.5)
          else setImmediate(sendDue)
          return
        }
        const place = late.length
        late.push(Math.max(0, -wait))
        send(place, dueAt)
        if (late.length === count) {
          resolve(late)
          return
        }
      }
    }
    sendDue()
  })
}
