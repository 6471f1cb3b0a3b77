import { DangerZone } from './danger-zone.tsx'
import { useSettingsBase } from './use-settings-base.ts'

/** Archiving, restoring and deleting. */
export function DangerPage() {
  return <DangerZone base={useSettingsBase()} />
}
