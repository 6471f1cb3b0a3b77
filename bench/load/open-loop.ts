/**
 * Sends at a constant rate, independent of earlier requests (an open loop): a service that falls behind gets no relief, and each time is
 * measured from when a request was due, not from when it was sent.
 *
 * @param send - receives the index and when it was due (milliseconds of `performance.now()`)
 * @returns how many milliseconds late each was sent, which is the generator's fault
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
          // Timers are late by up to a millisecond: the rest is a busy wait.
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
