import type { Random } from './random.ts'

/** Values of unexpected types. */
const FOREIGN: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  Number.MAX_SAFE_INTEGER,
  -9.3e18,
  1.7e308,
  '',
  ' ',
  'text',
  '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10',
  [],
  [[]],
  [null],
  {},
  { $ne: null },
]

const TEXTS: readonly string[] = [
  '',
  ' \t\n',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\ufeff\u202e\u2066',
  'é'.repeat(101),
  '🔑'.repeat(4_001),
  'x'.repeat(1_001),
  'x'.repeat(100_000),
  '../../../../etc/passwd',
  "'; drop table workspaces; --",
  '<script>alert(1)</script>',
  '${7*7}{{7*7}}',
  '%00%ff%2e%2e',
  'a\r\nX-Injected: 1',
  '(a+)+$',
  'https://169.254.169.254/latest/meta-data',
  'javascript:alert(1)',
  'file:///etc/passwd',
  '9'.repeat(400),
  '2026-02-30T25:61:61Z',
]

/** Property names with a meaning in JavaScript, and one without any. */
const NAMES: readonly string[] = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  'zz_unknown',
]

type Holder = Record<string | number, unknown>

/** Every position in a value, as its container and key. */
function* placesIn(value: unknown): Generator<{ holder: Holder; key: string | number }> {
  if (typeof value !== 'object' || value === null) return
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const holder = value as Holder
    yield { holder, key }
    yield* placesIn(holder[key])
  }
}

const objectsIn = (value: unknown): object[] => {
  const inside = [...placesIn(value)].map(({ holder, key }) => holder[key])
  return [value, ...inside].filter(
    (one): one is object => typeof one === 'object' && one !== null && !Array.isArray(one),
  )
}

/** Changes a JSON value in one position, so that it may no longer fit its schema. Returns what it did. */
export function mutateValue(value: unknown, random: Random): { value: unknown; did: string } {
  const root: { value: unknown } = { value: structuredClone(value) }
  const { holder, key } = random.pick([...placesIn(root)])
  const did = random.pick(['wrong-type', 'text', 'missing', 'unknown-field', 'long-list'] as const)
  switch (did) {
    case 'wrong-type':
      holder[key] = structuredClone(random.pick(FOREIGN))
      break
    case 'text':
      holder[key] = random.pick(TEXTS)
      break
    case 'missing':
      if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else if (holder !== root) delete holder[key]
      break
    case 'unknown-field': {
      const objects = objectsIn(root.value)
      if (objects.length === 0) break
      // As a JSON parser creates it: an own property, not the prototype.
      Object.defineProperty(random.pick(objects), random.pick(NAMES), {
        value: structuredClone(random.pick(FOREIGN)),
        enumerable: true,
        configurable: true,
        writable: true,
      })
      break
    }
    case 'long-list':
      holder[key] = Array.from(
        { length: random.pick([0, 9, 101, 5_000]) },
        () => structuredClone(holder[key]) ?? 'x',
      )
      break
  }
  return { value: root.value, did }
}
