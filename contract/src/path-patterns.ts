import { z } from 'zod'
import { text } from './fields.ts'

/** Patterns over paths and addresses. */
export const patterns = (what: string) =>
  z
    .array(text(1, 500))
    .max(200)
    .default([])
    .describe(`${what} \`*\` matches anything within a path segment, \`**\` across segments.`)
