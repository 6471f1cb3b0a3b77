/** What rooms tell each other about after it has happened. Names are noun.past-participle. */
export interface EventPayloads {
  'sync.finished': { knowledgeBaseId: string; sourceId: string; syncId: string; hasChangedDocuments: boolean }
  'document.visibility-changed': { knowledgeBaseId: string; documentId: string }
  'conversation.completed': { knowledgeBaseId: string; threadId: string; messageId: string }
}

export type EventName = keyof EventPayloads

export interface Events {
  announce<Name extends EventName>(name: Name, payload: EventPayloads[Name]): void
  listen<Name extends EventName>(
    name: Name,
    listener: (payload: EventPayloads[Name]) => Promise<void> | void,
  ): void
}

/** An in-process bus. A listener that fails is reported, and disturbs neither the announcer nor the others. */
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
