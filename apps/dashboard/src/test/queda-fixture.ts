import type { Queda } from '@vigia/contracts/eventos'

/** Returns a valid queda for tests, with the fields of `over` replaced. */
export const fixtureQueda = (over: Partial<Queda> = {}): Queda => ({
  id: 1,
  empresa_id: 1,
  edge_id: 7,
  camera_id: null,
  nome: 'Caixa da portaria',
  inicio: '2026-11-21T02:30:00.000Z',
  fim: null,
  motivo: 'sem_contato',
  motivo_texto: 'Sem contato com a central.',
  ...over,
})
