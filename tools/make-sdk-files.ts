/**
 * `npm run sdk-files` writes what `@citewell/sdk` has of the contract: the table of routes, and plain types, so that the published package
 * needs neither zod nor the contract. `tools/make-sdk-files.test.ts` fails if a file is stale.
 */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { sdkRoutes, sdkTypes } from './sdk/sdk-files.ts'

const SDK = resolve(import.meta.dirname, '../sdk/src')
writeFileSync(join(SDK, 'routes.ts'), sdkRoutes())
writeFileSync(join(SDK, 'management-api.ts'), sdkTypes())
