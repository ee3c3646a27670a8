import type { IaBench } from '../bench-entry.ts'

/** Every camera is in order unless a label contradicts. */
export const bench: IaBench = { absentUnlabelled: 'everywhere' }
