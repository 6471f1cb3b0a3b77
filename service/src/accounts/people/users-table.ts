export interface UsersTable {
  id: string
  email: string
  name: string
  created_at: Date
  updated_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    users: UsersTable
  }
}
