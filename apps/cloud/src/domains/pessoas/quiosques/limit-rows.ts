import { defineLimits, none } from '@vigia/contracts/limit-rows'
import { QUIOSQUES_MAX } from './create-quiosque.ts'

/** Screens without a login. */
export const limitRows = defineLimits([
  {
    what: 'Access: quiosques',
    who: 'administrador',
    item: none('30 days, with one session'),
    connection: none('counted by Empresa'),
    edge: none('an edge has none'),
    empresa: { limit: `${QUIOSQUES_MAX}`, test: 'is refused above a hundred of an Empresa' },
    root: none('counted by Empresa'),
    installation: none('counted by Empresa'),
  },
])
