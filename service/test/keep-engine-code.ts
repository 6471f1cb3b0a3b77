/**
 * Keeps the compiled code of the embedded database in each process that runs tests. V8 shares the code of a module between the threads of a
 * process while one of them holds it: a database starts without compiling (measured: 2.7 s of the processor for an opening and 300
 * statements become 1.8 s), and with the code that the making of the template compiled.
 */
import { inject } from 'vitest'
import { openEngineCode, type EngineCode } from './engine-code.ts'

const kept = globalThis as { citewellEngineCode?: EngineCode }

const template = inject('storageTemplate')
kept.citewellEngineCode ??= openEngineCode(template.kind === 'embedded' ? template.code : undefined)
