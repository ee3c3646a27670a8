import { expect, it } from 'vitest'
import { NOVA_EMPRESA } from '../../../domains/locais/cameras/camera-form.ts'
import { scanAbsence } from './scan-absence.ts'

const caixa = (status: 'aguardando' | 'online' | 'offline') => ({ status, nome: `Caixa ${status}` })
const none = { empresa: '3', serving: [], usesLocal: false }

it('offers the scan with one online caixa', () => {
  expect(scanAbsence({ ...none, serving: [caixa('offline'), caixa('online')] })).toBeNull()
})

it.each([
  ['no Empresa yet', { empresa: '' }, 'empresa', ''],
  ['a new Empresa', { empresa: NOVA_EMPRESA }, 'nova', ''],
  ['no caixa', {}, 'nenhuma', ''],
  ['only the caixa of the installation', { usesLocal: true }, 'local', ''],
  ['a caixa that was not activated', { serving: [caixa('aguardando')] }, 'aguardando', 'Caixa aguardando'],
  ['a caixa without contact', { serving: [caixa('aguardando'), caixa('offline')] }, 'offline', 'Caixa offline'],
] as const)('says why it is absent: %s', (_name, given, motivo, nome) => {
  expect(scanAbsence({ ...none, ...given })).toEqual({ motivo, nome })
})
