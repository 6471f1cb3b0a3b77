export interface ExternalIdentitiesTable {
  issuer: string
  subject: string
  user_id: string
  /** As verified by the provider when the account was linked: shown to recognise it in a list. */
  email: string | null
  created_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    outside_identities: ExternalIdentitiesTable
  }
}
