import { remember, remembered } from './remembered.ts'

/** Whether single letters are shortcuts. They can be switched off: speech input and unsteady hands press them by accident. */
export const areSingleKeysOn = (): boolean => remembered('single-keys') !== 'off'

export const setSingleKeys = (isOn: boolean): void => remember('single-keys', isOn ? 'on' : 'off')
