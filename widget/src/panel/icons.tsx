/** Icons of 24 by 24, drawn by lines. */
const PATHS = {
  close: 'M6 6l12 12M18 6L6 18',
  search: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16 16l4 4',
  send: 'M12 19V5M6 11l6-6 6 6',
  renew: 'M12 5v14M5 12h14',
  copy: 'M9 9h10v10a1 1 0 0 1-1 1H10a1 1 0 0 1-1-1zM15 9V5a1 1 0 0 0-1-1H6a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1h3',
  done: 'M5 13l4 4L19 7',
  again: 'M4 11a8 8 0 0 1 14-5l2 2M20 4v4h-4M20 13a8 8 0 0 1-14 5l-2-2M4 20v-4h4',
  good: 'M7 11v9H4v-9zM7 11l4-7c1.5 0 2.5 1 2 3l-.6 3H19a1.5 1.5 0 0 1 1.5 1.9l-1.7 6.5A2 2 0 0 1 17 20H7',
  link: 'M14 4h6v6M20 4l-9 9M18 14v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h5',
  down: 'M12 5v14M6 13l6 6 6-6',
  page: 'M6 3h8l4 4v13a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM14 3v5h4M9 13h6M9 17h4',
  ask: 'M6 4h12a3 3 0 0 1 3 3v7a3 3 0 0 1-3 3h-6l-5 4v-4H6a3 3 0 0 1-3-3V7a3 3 0 0 1 3-3z',
  tools: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4',
  alert: 'M12 4l9 16H3zM12 10v4M12 17h0',
  unknown: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 17h0',
  wider: 'M4 12h16M4 12l4-4M4 12l4 4M20 12l-4-4M20 12l-4 4',
  narrower: 'M3 12h7M14 12h7M10 12L7 9M10 12l-3 3M14 12l3-3M14 12l3 3',
  enter: 'M19 6v6H6M6 12l4-4M6 12l4 4',
} as const

/** `bad` is `good` upside down. */
export type IconName = keyof typeof PATHS | 'bad'

export function Icon({ name }: { name: IconName }) {
  return (
    <svg viewBox="0 0 24 24" class="icon" aria-hidden="true">
      {name === 'bad' ? <path d={PATHS.good} transform="rotate(180 12 12)" /> : <path d={PATHS[name]} />}
    </svg>
  )
}

/** A button that shows an icon and is named by words. */
export function IconButton(properties: {
  icon: IconName
  label: string
  onPress(): void
  isPressed?: boolean
  class?: string
  isDisabled?: boolean
}) {
  const { icon, label, onPress, isPressed, isDisabled } = properties
  return (
    <button
      type="button"
      class={`icon-button ${properties.class ?? ''}`}
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      disabled={isDisabled}
      onClick={onPress}
    >
      <Icon name={icon} />
    </button>
  )
}
