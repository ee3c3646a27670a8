import { candidatoSchema } from '@vigia/contracts/candidate'
import { expect, it } from 'vitest'
import { candidate } from '../../../test/records/records.ts'
import { eventRow } from './candidate-row.ts'

const camera = { id: 1, empresa_id: 1, nome: 'Portaria', instrucoes_json: '[]' }
const rowOf = (detalhes: unknown) => {
  const { registro } = candidate(1, 1)
  const read = candidatoSchema.parse({ ...registro, detalhes })
  return eventRow(read, camera, { id: 1, edgeId: 1, now: 1, retroativo: false })
}

it('keeps the details of the IA and stores the path of the object separately', () => {
  const trajeto = [{ ms: -400, x: 0.1, y: 0.2, w: 0.1, h: 0.3 }]
  expect(rowOf({ direcao: 'ab', trajeto })).toMatchObject({
    detalhes_json: '{"direcao":"ab"}',
    trajeto_json: JSON.stringify(trajeto),
  })
})

it.each([
  ['an older edge says nothing', undefined],
  ['a newer edge says what is not known here', { problema: 'invertida' }],
])('keeps the event with %s', (_, detalhes) => {
  expect(rowOf(detalhes)).toMatchObject({ detalhes_json: '{}', trajeto_json: null })
})
