/** Replaced by the panel itself in the next commits. */
export function mount(): void {}
