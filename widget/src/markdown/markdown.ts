/** What the panel and the form need of the renderer: a file of its own. */
export { createRenderer, headingLevels } from './render-blocks.ts'
export { createStreamedBlocks } from './streamed-blocks.ts'
export { parseBlocks } from './blocks.ts'
