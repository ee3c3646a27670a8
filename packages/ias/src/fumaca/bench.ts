import type { IaBench } from '../bench-entry.ts'

export const bench: IaBench = {
  absentUnlabelled: 'outside_fires',
  pictures: [{ item: null, rotulo: 'smoke', matches: () => true }],
}
