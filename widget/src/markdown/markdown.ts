/** What the form needs of the renderer. The panel has it built in. */
export { createRenderer, headingLevels } from './render-blocks.ts'
export { createStreamedBlocks } from './streamed-blocks.ts'
export { parseBlocks } from './blocks.ts'
