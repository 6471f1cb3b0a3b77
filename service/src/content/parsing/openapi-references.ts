import { recordIn, textIn, type Json } from './json-reading.ts'
import { lastSegment } from './last-segment.ts'

/** An API description with a resolver for its references. */
export interface Description {
  root: Json
  title: string
  url: string
  /** Resolves a value or a reference to another value of the description; a dangling reference gives an empty object. */
  resolve: (value: unknown) => Json
  /** Notes that a limit left something out: a sentence. */
  tell: (limit: string) => void
  /** What was noted since this was last called. */
  takeTold: () => string[]
}

const OTHER_FILES = 'References to other files are not followed: what they lead to is left out.'

/** Maximum references that are followed in a row. */
const MAX_REFERENCES = 20

export function createDescription(root: Json, url: string): Description {
  let told = new Set<string>()
  const tell = (limit: string) => {
    told.add(limit)
  }
  const resolve = (value: unknown): Json => {
    let found = recordIn(value)
    for (let step = 0; step < MAX_REFERENCES; step += 1) {
      const reference = textIn(found['$ref'])
      if (reference === undefined) return found
      if (!reference.startsWith('#')) tell(OTHER_FILES)
      found = recordIn(lookUp(root, reference))
    }
    return {}
  }
  return {
    root,
    url,
    resolve,
    title: textIn(recordIn(root['info'])['title'])?.trim() || lastSegment(url),
    tell,
    takeTold: () => {
      const taken = [...told]
      told = new Set()
      return taken
    },
  }
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
