/** Identifies a call as precisely as possible: a cancellation is a separate request, and must not end a call of another client. */
export interface CallIdentity {
  /** The key or the person. */
  caller: string
  /** The address, and the User-Agent. */
  cameFrom: string
  serverName: string | undefined
  /** The client's request id: unique within one client, but different clients use the same ones. */
  requestId: string | number
}

const nameOf = ({ caller, cameFrom, serverName, requestId }: CallIdentity) =>
  JSON.stringify([caller, cameFrom, serverName, requestId])

/**
 * In-flight calls of this process. Clients of the earlier protocol version cancel a call with a notification, while the connection that
 * waits for the call stays open. Best effort: with several processes the notification may reach another one.
 */
export function createInFlightCalls() {
  const open = new Map<string, Set<() => void>>()

  /** @returns to be called when the call is over */
  function begin(call: CallIdentity, end: () => void): () => void {
    const name = nameOf(call)
    const same = open.get(name) ?? new Set()
    open.set(name, same.add(end))
    return () => {
      same.delete(end)
      if (same.size === 0) open.delete(name)
    }
  }

  /** Ends the call if it is identified unambiguously: of two identical ones, neither is ended. */
  function cancel(call: CallIdentity): void {
    const [end, another] = open.get(nameOf(call)) ?? []
    if (another === undefined) end?.()
  }

  return { begin, cancel }
}

export type InFlightCalls = ReturnType<typeof createInFlightCalls>
