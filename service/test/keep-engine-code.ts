/**
 * Keeps the compiled code of the embedded database in each process that runs tests. V8 shares the code of a module between the threads of a
 * process while one of them holds it: the second database and every one after it starts without compiling (measured: 2.7 s of the processor
 * for an opening and 300 statements become 1.8 s).
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** Node has it, but TypeScript's types of it come with those of the DOM, which the service leaves out. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> }

const kept = globalThis as { citewellEngineCode?: Promise<object> }

kept.citewellEngineCode ??= readFile(
  fileURLToPath(new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))),
).then((bytes) => WebAssembly.compile(bytes))
await kept.citewellEngineCode
