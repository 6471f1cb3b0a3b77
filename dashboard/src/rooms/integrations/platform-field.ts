/** A setting or a secret that the integration of a platform needs. */
export interface PlatformField {
  /** Its key in `config` or `credentials`. */
  name: string
  label: string
  hint?: string
  /** What it can be; the first is the usual one. Undefined: any text. */
  choices?: readonly (readonly [value: string, label: string])[]
  /** Secrets are stored encrypted and never shown again; settings are shown to everyone who may read the record. */
  isSecret: boolean
  /** It may be left out of new credentials. */
  isOptional?: boolean
  /** A setting without which it cannot work. */
  isNeeded?: boolean
}

export interface Platform {
  name: string
  /** What it takes besides what every integration takes. Empty: lines of `name = value`. */
  fields: readonly PlatformField[]
  /** What the service answers there itself: tickets, if it is not said. */
  handles?: 'chats'
}
