import { createAddresses } from '../src/content/addresses/addresses.ts'

/** Addresses of documents, for a service that is not reachable. */
export const testAddresses = createAddresses({ publicUrl: () => 'http://citewell.test' })
