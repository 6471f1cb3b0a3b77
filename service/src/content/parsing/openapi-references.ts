import { recordIn, textIn, type Json } from './json-reading.ts'
import { lastSegment } from './last-segment.ts'

/** An API description with its references at hand. */
export interface Description {
  root: Json
  title: string
  url: string
  /** What a value is, or what it refers to within the description; a reference that leads nowhere is empty. */
  resolve: (value: unknown) => Json
}

/** References lead through at most so many others. */
const LONGEST_CHAIN = 20

export function createDescription(root: Json, url: string): Description {
  const resolve = (value: unknown): Json => {
    let found = recordIn(value)
    for (let step = 0; step < LONGEST_CHAIN; step += 1) {
      const reference = textIn(found['$ref'])
      if (reference === undefined) return found
      found = recordIn(lookUp(root, reference))
    }
    return {}
  }
  return { root, url, resolve, title: textIn(recordIn(root['info'])['title'])?.trim() || lastSegment(url) }
}

/** Follows a JSON pointer (`#/components/schemas/Pet`); other files are not fetched. */
function lookUp(root: Json, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined
  let found: unknown = root
  for (const step of reference.slice(2).split('/')) {
    found = recordIn(found)[decodeStep(step)]
  }
  return found
}

function decodeStep(step: string): string {
  const unescaped = step.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(unescaped)
  } catch {
    return unescaped
  }
}

/** @example nameOfReference({ $ref: '#/components/schemas/Pet' }) // 'Pet' */
export function nameOfReference(value: unknown): string | undefined {
  const reference = textIn(recordIn(value)['$ref'])
  return reference === undefined ? undefined : decodeStep(reference.split('/').at(-1) ?? '')
}
