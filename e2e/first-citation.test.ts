import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { verifies } from '@citewell/spec/verifies'
import { expect } from 'vitest'
import { freePort } from '../service/test/free-port.ts'
import { emptyDataDirectory } from './run-citewell.ts'
import { openChromium } from './open-chromium.ts'

const ROOT = resolve(import.meta.dirname, '..')

/** Runs `npm start` with an empty folder until it prints its address. Returns everything printed by then. */
async function startForTheFirstTime() {
  const child = spawn(process.execPath, [join(ROOT, 'service/bin/citewell.js'), 'up'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: String(await freePort()),
      CITEWELL_DATA_DIR: emptyDataDirectory(),
    },
  })
  let printed = ''
  const { promise: listening, resolve: ready, reject } = Promise.withResolvers<void>()
  const read = (text: Buffer) => {
    printed += text.toString()
    if (/^Citewell is at\s+\S+/m.test(printed)) ready()
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  child.once('exit', (code) => reject(new Error(`It ended with ${code}:\n${printed}`)))
  await listening
  return {
    printed,
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** The highlighted texts of the page, and whether a reader sees them without scrolling. */
const READ_MARKS = `(() => {
  const marks = [...document.querySelectorAll('mark')]
  const places = marks.map((mark) => mark.getBoundingClientRect())
  return {
    words: marks.map((mark) => mark.textContent).join(''),
    isOnScreen: places.every(({ top, bottom, width }) => top >= 0 && bottom <= innerHeight && width > 0),
  }
})()`

const letters = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase()

verifies(
  ['documents.page', 'documents.url'],
  'the first citation of the first answer opens at the cited words, visible and highlighted',
  async () => {
    await using first = await startForTheFirstTime()
    const [, quoted] = /^> ((?:.+\n> ?)*.*?)\[1\]$/m.exec(first.printed) ?? []
    const [, address] = /^\[1\] .*\n\s+(https?:\S+)$/m.exec(first.printed) ?? []
    expect([first.printed, quoted, address].map((text) => typeof text)).toEqual([
      'string',
      'string',
      'string',
    ])

    const browser = await openChromium()
    try {
      for (const viewport of [
        { width: 390, height: 844 },
        { width: 1280, height: 720 },
      ]) {
        const page = await browser.newPage({ viewport })
        const answer = await page.goto(address ?? '')
        expect(answer?.status()).toBe(200)
        const { words, isOnScreen } = await page.evaluate<{ words: string; isOnScreen: boolean }>(READ_MARKS)
        expect(isOnScreen).toBe(true)
        // Of several sentences quoted as one, the address names the one before the number.
        expect(letters(words).length).toBeGreaterThan(15)
        expect(letters(quoted ?? '')).toContain(letters(words))
      }
    } finally {
      await browser.close()
    }
  },
  240_000,
)
