import { defineLimits, none } from '@vigia/contracts/limit-rows'
import { EMPRESAS_POR_ARVORE } from './create-empresa.ts'

/** Accounts. */
export const limitRows = defineLimits([
  {
    what: 'Objects: Empresas',
    who: 'administrador, key',
    item: none('each field has a length in the contract'),
    connection: none('counted by root'),
    edge: none('an edge creates none'),
    empresa: none('counted by root'),
    root: { limit: EMPRESAS_POR_ARVORE.toLocaleString('en'), test: 'bounds the number of Empresas in one tree' },
    installation: none('the operator creates the root Empresas'),
  },
])
