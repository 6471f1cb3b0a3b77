export interface UserPasswordsTable {
  user_id: string
  /** In the PHC string format. */
  hash: string
  created_at: Date
  updated_at: Date
}

export interface PasswordLinksTable {
  code_hash: string
  user_id: string
  expires_at: Date
  created_at: Date
}

export interface ExternalIdentitiesTable {
  issuer: string
  subject: string
  user_id: string
  /** As verified by the provider when the account was linked: shown to recognise it in a list. */
  email: string | null
  created_at: Date
}

export interface BrowserSessionsTable {
  id: string
  token_hash: string
  user_id: string
  created_at: Date
  last_seen_at: Date
}

/** Sign-in of members. */
export interface SignInTables {
  user_passwords: UserPasswordsTable
  password_links: PasswordLinksTable
  outside_identities: ExternalIdentitiesTable
  browser_sessions: BrowserSessionsTable
}
