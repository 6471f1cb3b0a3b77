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

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    user_passwords: UserPasswordsTable
    password_links: PasswordLinksTable
  }
}
