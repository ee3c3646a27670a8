import { type LimitesEmpresa, porTipoLimite } from '@vigia/contracts/limites'
import { expect, it } from 'vitest'
import { treeOf } from './empresa-tree.ts'

const empresa = (empresa_id: number, empresa_pai_id: number | null, nome: string): LimitesEmpresa => ({
  empresa_id,
  empresa_pai_id,
  nome,
  limites: porTipoLimite(() => ({ limite: 1, uso: 0, livres: 1 })),
  bytes: { limite: null, uso: 0, livres: null, espera: null },
})

it('lists each Empresa after the one above it, with the path to it', () => {
  const list = [empresa(4, 2, 'Ar'), empresa(3, 1, 'Bar'), empresa(2, 1, 'Cia'), empresa(1, 9, 'Integradora')]
  expect(treeOf(list).map(({ empresa: { nome }, acima }) => [nome, acima.join(' › ')])).toEqual([
    ['Integradora', ''],
    ['Bar', 'Integradora'],
    ['Cia', 'Integradora'],
    ['Ar', 'Integradora › Cia'],
  ])
})
