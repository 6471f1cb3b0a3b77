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

/** The value of a store, in a view that is drawn again when it changes. */
export function useStore<Value extends object>(store: Store<Value>): Value {
  const [value, setValue] = useState(store.get())
  useEffect(() => {
    setValue(store.get())
    return store.follow(() => setValue(store.get()))
  }, [store])
  return value
}
