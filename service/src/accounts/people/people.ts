export { findMemberByEmail, lockPerson } from './people-store.ts'
