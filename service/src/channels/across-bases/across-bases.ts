export type { AcrossBasesDb } from './across-bases-store.ts'
export { narrowBases, type NarrowedBase, type Narrowing } from './narrow-bases.ts'
export { bestBase, bestPages, searchBases } from './search-bases.ts'
