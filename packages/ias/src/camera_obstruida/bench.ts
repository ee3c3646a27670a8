import type { IaBench } from '../bench-entry.ts'

/** Without a label every camera counts as unobstructed. */
export const bench: IaBench = { absentUnlabelled: 'everywhere' }
