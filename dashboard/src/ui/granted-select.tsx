type Granted = readonly ('config' | 'chat')[]

const CHOICES = [
  { value: '', label: 'Same as every member', permissions: [] },
  { value: 'chat', label: 'Chat: ask it', permissions: ['chat'] },
  { value: 'config', label: 'Config: set it up', permissions: ['config'] },
  { value: 'config chat', label: 'Config and Chat', permissions: ['config', 'chat'] },
] as const satisfies readonly { value: string; label: string; permissions: Granted }[]

const valueOf = (granted: Granted): string =>
  CHOICES.find(
    ({ permissions }) =>
      permissions.length === granted.length && permissions.every((one) => granted.includes(one)),
  )?.value ?? ''

/** What one member may do with one base, to choose. */
export function GrantedSelect({
  label,
  granted,
  isDisabled,
  onChoose,
}: {
  label: string
  granted: Granted
  isDisabled: boolean
  onChoose: (permissions: ('config' | 'chat')[]) => void
}) {
  return (
    <select
      aria-label={label}
      value={valueOf(granted)}
      disabled={isDisabled}
      onChange={(event) =>
        onChoose([...(CHOICES.find(({ value }) => value === event.target.value)?.permissions ?? [])])
      }
    >
      {CHOICES.map(({ value, label: word }) => (
        <option key={value} value={value}>
          {word}
        </option>
      ))}
    </select>
  )
}
