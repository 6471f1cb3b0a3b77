import { CHUNKS, VERSION } from '../chunks/built-in.ts'
import { createChunkLoader, folderOf } from '../chunks/load-chunk.ts'
const script = document.currentScript as HTMLScriptElement
void createChunkLoader(folderOf(script.src, VERSION), CHUNKS)('panel')
