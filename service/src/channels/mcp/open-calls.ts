/** Who asked, as exactly as can be told: a cancellation comes as a request of its own, and must not end somebody else's call. */
export interface CallOf {
  /** The key or the person. */
  caller: string
  /** The address, and the program's name for itself. */
  cameFrom: string
  serverName: string | undefined
  /** The client's number of the call: one client uses each once, but all clients use the same ones. */
  requestId: string | number
}

const nameOf = ({ caller, cameFrom, serverName, requestId }: CallOf) =>
  JSON.stringify([caller, cameFrom, serverName, requestId])

/**
 * Calls that are under way in this process. Clients of the protocol before this one cancel a call by a notification, while the
 * connection that waits for the call stays open. Best effort: with several processes the notification may come to another one.
 */
export function createOpenCalls() {
  const open = new Map<string, Set<() => void>>()

  /** @returns to be called when the call is over */
  function begin(call: CallOf, end: () => void): () => void {
    const name = nameOf(call)
    const same = open.get(name) ?? new Set()
    open.set(name, same.add(end))
    return () => {
      same.delete(end)
      if (same.size === 0) open.delete(name)
    }
  }

  /** Ends the call, if it is the only one that it can be: where two are alike, neither. */
  function cancel(call: CallOf): void {
    const [end, another] = open.get(nameOf(call)) ?? []
    if (another === undefined) end?.()
  }

  return { begin, cancel }
}

export type OpenCalls = ReturnType<typeof createOpenCalls>
