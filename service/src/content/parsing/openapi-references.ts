import { recordIn, textIn, type Json } from './json-reading.ts'
import { lastSegment } from './last-segment.ts'

/** An API description with a resolver for its references. */
export interface Description {
  root: Json
  title: string
  url: string
  /** Resolves a value or a reference to another value of the description; a dangling reference gives an empty object. */
  resolve: (value: unknown) => Json
}

/** Maximum references that are followed in a row. */
const MAX_REFERENCES = 20

export function createDescription(root: Json, url: string): Description {
  const resolve = (value: unknown): Json => {
    let found = recordIn(value)
    for (let step = 0; step < MAX_REFERENCES; step += 1) {
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
