/**
 * The compiled code of the embedded database, handed from one process to the next: V8 otherwise compiles in each process what runs often a
 * second time, better. Node has no interface for that; V8 has functions for its own tests. (Measured: a service that starts, indexes and
 * answers takes 6.2 s of the processor instead of 8.5.)
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

/** A compiled module. All databases of a process share its code as long as one of them, or the caller, holds it. */
export type EngineCode = object

/** Node has it, but TypeScript's types of it come with those of the DOM, which the service leaves out. */
declare const WebAssembly: { Module: new (bytes: Uint8Array) => EngineCode }

/** Calls a function of V8's own. Code that Node keeps is of use only with the flags it was compiled with: they stay as they were. */
function callNative(call: string, ...given: readonly unknown[]): unknown {
  setFlagsFromString('--allow-natives-syntax')
  try {
    // oxlint-disable-next-line no-implied-eval, no-new-func -- no other syntax reaches it
    return (new Function('a', 'b', `return ${call}`) as (...these: readonly unknown[]) => unknown)(...given)
  } finally {
    setFlagsFromString('--no-allow-natives-syntax')
  }
}

/** @param file - where another process wrote its code. That of another V8, or of other flags, is not used. */
export function openEngineCode(file?: string): EngineCode {
  const engine = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const bytes = new Uint8Array(readFileSync(join(dirname(engine), 'pglite.wasm')))
  const code =
    file === undefined
      ? undefined
      : callNative('%DeserializeWasmModule(a, b)', new Uint8Array(readFileSync(file)).buffer, bytes)
  return (code as EngineCode | undefined) ?? new WebAssembly.Module(bytes)
}

/** Writes what was compiled well so far: only after a database was used, as V8 ends the process if there is nothing. */
export function writeEngineCode(code: EngineCode, file: string): void {
  writeFileSync(file, new Uint8Array(callNative('%SerializeWasmModule(a)', code) as ArrayBuffer))
}
