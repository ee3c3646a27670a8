import type { Me } from '@vigia/contracts/sessoes'
import type { Usuario } from '@vigia/contracts/usuarios'
import { expect, it } from 'vitest'
import { actionsOn } from './actions.ts'

const me = { id: 1, empresa_id: 3, alcance: 'abaixo' } as Me
const login = (change: Partial<Usuario> = {}) =>
  ({ id: 2, papel: 'usuario', empresa_id: 3, ativo: true, segundo_fator: true, ...change }) as Usuario

it('offers nothing on the own login', () => {
  expect(actionsOn(me, login({ id: 1 }))).toEqual([])
})

it('offers to enable a disabled login', () => {
  expect(actionsOn(me, login({ ativo: false, segundo_fator: false }))).toEqual(['ativar', 'remover'])
})

it('offers to reset no factor of an administrador with the reach of a list', () => {
  const peer = login({ papel: 'administrador', empresa_id: 4 })
  expect(actionsOn({ ...me, alcance: [3, 4] }, peer)).not.toContain('redefinir')
})

it.each([
  ['a usuario', login(), true],
  ['a peer', login({ papel: 'administrador' }), false],
  ['an administrador below', login({ papel: 'administrador', empresa_id: 4 }), true],
  ['an operator', login({ papel: 'administrador', empresa_id: null }), false],
  ['a login without a factor', login({ segundo_fator: false }), false],
])('offers to reset the second factor of %s: %s', (_who, usuario, offered) => {
  expect(actionsOn(me, usuario).includes('redefinir')).toBe(offered)
})
