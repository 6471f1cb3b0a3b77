const SHARES = [0, 0.02, 0.05, 0.1, 0.2]

const percent = (share: number) => `${Number((share * 100).toFixed(2))} %`

const optionOf = (share: number) =>
  [
    String(share),
    share === 0 ? 'If any question loses its page' : `If more than ${percent(share)} lose their page`,
  ] as const

/** When a sync is held back, as a person chooses it; a share that a script has set is among them. */
export function holdBackOptions(current: number | null): (readonly [value: string, label: string])[] {
  const shares =
    current === null ? SHARES : [...new Set([...SHARES, current])].toSorted((one, other) => one - other)
  return [['', 'Never'], ...shares.map(optionOf)]
}

/** The share of a chosen option; null: never. */
export const readHoldBack = (chosen: string): number | null => (chosen === '' ? null : Number(chosen))
