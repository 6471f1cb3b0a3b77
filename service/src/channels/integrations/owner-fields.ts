import type { Credentials } from './integration-kind.ts'

/** What an owner enters, by the name of the field, with what it is or where it is found; in the order in which it is shown. */
export type OwnerFields = Readonly<Record<string, string>>

export const shownSettings = (fields: OwnerFields) =>
  Object.entries(fields).map(([name, description]) => ({ name, description }))

/** Whether each is stored is told; what is stored never is. */
export const shownCredentials = (fields: OwnerFields, stored: Credentials) =>
  shownSettings(fields).map((one) => ({ ...one, is_set: (stored[one.name] ?? '') !== '' }))
