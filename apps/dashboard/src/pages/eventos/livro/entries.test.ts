import { expect, it } from 'vitest'
import { fixtureIncidente } from '../../../test/incidente-fixture.ts'
import { entriesOf } from './entries.ts'

const minute = (n: number) => new Date(Date.UTC(2026, 10, 21, 6, n)).toISOString()

it('the book has answers and hand-overs in one order, oldest first', () => {
  const answer = (id: number, at: number) => ({
    id,
    incidente: fixtureIncidente({ id }),
    atendimento: { resposta: 'falso' as const, nota: null, revisor: 'ana', atendido_em: minute(at) },
  })
  const handOver = (id: number) => ({ id, empresa_id: 1, autor: 'ana', texto: 'Portão 2 travado', em: minute(20) })
  const entries = entriesOf({ respostas: [answer(2, 30), answer(1, 10)], passagens: [handOver(4), handOver(3)] })
  expect(entries.map(({ key }) => key)).toEqual(['resposta 1', 'passagem 3', 'passagem 4', 'resposta 2'])
})
