import { expect, it } from 'vitest'
import { checkConvite, conviteCreationOf, emptyConvite, isLocalLink } from './invite-form.ts'

it('sends only the filled fields', () => {
  expect(conviteCreationOf(emptyConvite)).toEqual({ papel: 'usuario' })
  const form = { ...emptyConvite, para: ' Ana ', papel: 'vigilante', empresa_id: '3' }
  expect(conviteCreationOf(form)).toEqual({ papel: 'vigilante', para: 'Ana', empresa_id: 3 })
})

it('requires the Empresa of an operator', () => {
  expect(checkConvite(emptyConvite)).toEqual({ empresa_id: 'empresaFalta' })
  expect(checkConvite({ ...emptyConvite, empresa_id: '1' })).toEqual({})
  expect(checkConvite({ ...emptyConvite, empresa_id: '1' })).toEqual({})
})

it.each([
  ['http://127.0.0.1:8080/convite#x', true],
  ['http://localhost:8080/convite#x', true],
  ['http://[::1]/convite#x', true],
  ['https://vigia.exemplo.com.br/convite#x', false],
  ['http://192.168.0.9:8080/convite#x', false],
])('%s is local: %s', (link, local) => {
  expect(isLocalLink(link)).toBe(local)
})
