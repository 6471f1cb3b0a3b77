import { useEffect, useState } from 'preact/hooks'

/** A value that views follow. */
export interface Store<Value> {
  get(): Value
  set(change: Partial<Value>): void
  follow(heard: () => void): () => void
}

export function createStore<Value extends object>(first: Value): Store<Value> {
  let value = first
  const followers = new Set<() => void>()
  return {
    get: () => value,
    set: (change) => {
      value = { ...value, ...change }
      for (const heard of followers) heard()
    },
    follow: (heard) => {
      followers.add(heard)
      return () => followers.delete(heard)
    },
  }
}

/**
 * A part of a store's value, in a view that is drawn again only when the part changes.
 *
 * @param select - makes of equal values the same part: a text, a number, an object of the value
 */
export function usePart<Value extends object, Part>(
  store: Store<Value>,
  select: (value: Value) => Part,
): Part {
  const [part, setPart] = useState(() => select(store.get()))
  useEffect(() => {
    const read = () => setPart(() => select(store.get()))
    read()
    return store.follow(read)
  }, [store])
  return part
}

const whole = <Value>(value: Value): Value => value

/** The value of a store, in a view that is drawn again when it changes. */
export const useStore = <Value extends object>(store: Store<Value>): Value => usePart(store, whole)
