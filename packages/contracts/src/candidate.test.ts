import { expect, it } from 'vitest'
import { candidatoSchema } from './candidate.ts'

const candidato = {
  tipo: 'candidato',
  v: 1,
  id: '0197a000-0000-7000-8000-000000000001',
  camera_id: 1,
  seq: 1,
  ia: 'invasao',
  ocorrido_em: 1,
  relogio: { desvio_ms: 0, sincronizado: true },
  confianca: 0.9,
  rotulos: [],
  caixas: [],
  zona: null,
  quadro: { largura: 16, altura: 16 },
  calibracao: {},
  modelo: 'm',
  midias: [],
}

it('keeps a candidate whose trace is unreadable', () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  expect(candidatoSchema.parse({ ...candidato, traceparent })).toMatchObject({ traceparent })
  for (const wrong of [7, null, 'x'.repeat(56)])
    expect(candidatoSchema.parse({ ...candidato, traceparent: wrong }).traceparent).toBeUndefined()
})

it('drops the fields of a later release and keeps the candidate', () => {
  expect(candidatoSchema.parse({ ...candidato, novo: 1 })).not.toHaveProperty('novo')
})
