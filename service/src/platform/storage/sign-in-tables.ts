export interface UserPasswordsTable {
  user_id: string
  /** In the PHC form. */
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

export interface OutsideIdentitiesTable {
  issuer: string
  subject: string
  user_id: string
  /** As the provider had verified it when it was linked: to know it again in a list. */
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

/** How people sign in here. */
export interface SignInTables {
  user_passwords: UserPasswordsTable
  password_links: PasswordLinksTable
  outside_identities: OutsideIdentitiesTable
  browser_sessions: BrowserSessionsTable
}
