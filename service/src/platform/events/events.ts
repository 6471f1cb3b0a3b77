/** Events that rooms send each other after something has happened. Names are noun.past-participle. */
export interface EventPayloads {
  'sync.finished': {
    knowledgeBaseId: string
    sourceId: string
    syncId: string
    /** What readers see has changed. */
    hasChangedDocuments: boolean
    /** Its documents wait until they are measured. */
    isHeld: boolean
  }
  /** Documents were added, changed or removed, or moved to another source group. Emitted by the index, whatever the reason. */
  'content.changed': { knowledgeBaseId: string }
  'document.visibility-changed': { knowledgeBaseId: string; documentId: string }
  'conversation.completed': { knowledgeBaseId: string; threadId: string; messageId: string }
  /** A base was deleted, archived or made internal: callers without an account may no longer ask it. */
  'knowledge-base.closed': { knowledgeBaseId: string }
  'client-key.revoked': { knowledgeBaseId: string; clientKeyId: string }
  /** Webhook deliveries were recorded in a transaction that has committed: they can be sent now. */
  'webhooks.recorded': { knowledgeBaseId: string }
}

export type EventName = keyof EventPayloads

export interface Events {
  announce<Name extends EventName>(name: Name, payload: EventPayloads[Name]): void
  listen<Name extends EventName>(
    name: Name,
    listener: (payload: EventPayloads[Name]) => Promise<void> | void,
  ): void
}

/** An in-process event bus. A listener that fails is reported, and affects neither the sender nor other listeners. */
export function createEvents(deps: { onListenerFailed: (name: EventName, error: unknown) => void }): Events {
  const listeners = new Map<EventName, ((payload: never) => Promise<void> | void)[]>()
  return {
    listen: (name, listener) => {
      listeners.set(name, [...(listeners.get(name) ?? []), listener])
    },
    announce: (name, payload) => {
      for (const listener of listeners.get(name) ?? []) {
        void (async () => {
          try {
            await listener(payload as never)
          } catch (error) {
            deps.onListenerFailed(name, error)
          }
        })()
      }
    },
  }
}
