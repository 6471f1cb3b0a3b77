/** The screen of a base behind each letter after G. */
export const GO_TO = {
  o: { name: 'Overview', path: '' },
  a: { name: 'Playground', path: '/ask' },
  s: { name: 'Sources', path: '/sources' },
  d: { name: 'Documents', path: '/documents' },
  g: { name: 'Knowledge gaps', path: '/gaps', otherwise: '/analytics' },
  c: { name: 'Conversations', path: '/conversations' },
  w: { name: 'Widgets', path: '/widgets' },
  k: { name: 'Client keys', path: '/keys' },
} as const satisfies Record<string, { name: string; path: string; otherwise?: string }>

export type GoKey = keyof typeof GO_TO

export const isGoKey = (key: string): key is GoKey => Object.hasOwn(GO_TO, key)

/** Whether this is an Apple system, where the command key takes the place of the control key. */
export const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent)

/** The keys of the palette, as they are written on keyboards. */
export const paletteKeys = (): string => (isApple() ? '⌘K' : 'Ctrl+K')
