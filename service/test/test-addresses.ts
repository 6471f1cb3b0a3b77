import { createAddresses } from '../src/content/addresses/addresses.ts'

/** Where documents open, of a service that nobody reaches. */
export const testAddresses = createAddresses({ publicUrl: () => 'http://citewell.test' })
