import { OP } from './gateway-frames.ts'

/**
 * Sends heartbeats: the first after a random part of the interval, so that not all clients of Discord send at the same time.
 *
 * @param given.position the last event that is stored, or null
 * @param given.isDead called when a heartbeat was not acknowledged before the next
 */
export function startHeartbeat(given: {
  everyMs: number
  send: (text: string) => void
  position: () => number | null
  isDead: () => void
}): { beat: () => void; acknowledged: () => void; stop: () => void } {
  const { everyMs, send, position, isDead } = given
  let isAcknowledged = true
  const beat = () => send(JSON.stringify({ op: OP.heartbeat, d: position() }))
  const next = () => {
    if (!isAcknowledged) return isDead()
    isAcknowledged = false
    beat()
    timer = setTimeout(next, everyMs)
    return undefined
  }
  let timer = setTimeout(next, everyMs * Math.random())
  return {
    /** Sends one more, which Discord may ask for. */
    beat,
    acknowledged: () => {
      isAcknowledged = true
    },
    stop: () => clearTimeout(timer),
  }
}
