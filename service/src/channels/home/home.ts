export { isOnThisMachine } from './on-this-machine.ts'
export { findSampleBase, type SampleBaseDb } from './sample-base-store.ts'
