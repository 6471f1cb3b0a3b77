import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'

export interface BuildOptions {
  /** Folder of the output. What it had before is deleted. */
  outDir: string
  /** The page of the build. Default: the app. */
  page?: 'index.html' | 'gallery.html'
}

/** Builds the web app: `index.html`, and files named after a hash of their content below `dashboard/`. Takes a few seconds. */
export async function buildDashboard({ outDir, page = 'index.html' }: BuildOptions): Promise<void> {
  await rm(outDir, { recursive: true, force: true })
  await mkdir(outDir, { recursive: true })
  await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'error',
    publicDir: false,
    resolve: { conditions: ['citewell-source', 'module', 'browser', 'production'] },
    // Whatever NODE_ENV says in the environment of the build.
    oxc: { jsx: { runtime: 'automatic', development: false } },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir,
      rolldownOptions: { input: join(import.meta.dirname, page) },
      emptyOutDir: false,
      assetsDir: 'dashboard',
      target: ['es2022'],
      // The policy of the page allows no inline scripts, and every current browser knows modulepreload.
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
    },
  })
}
