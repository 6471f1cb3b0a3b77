import { createContext } from 'react'

export interface Toasts {
  /** Says in a corner, for some seconds, what was done. */
  tell: (text: string) => void
  /** Says what went wrong. It stays until it is closed. */
  tellFault: (error: unknown) => void
}

export const ToastContext = createContext<Toasts>({ tell: () => {}, tellFault: () => {} })
