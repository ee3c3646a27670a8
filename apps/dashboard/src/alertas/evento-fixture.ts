import type { Evento } from '@vigia/contracts/eventos'

/** A valid event for tests, with what the test cares about put over it. */
export const fixtureEvento = (over: Partial<Evento> = {}): Evento => ({
  id: 1,
  empresa_id: 1,
  camera_id: 1,
  camera_nome: 'Portaria',
  tipo: 'invasao',
  gravidade: 'alta',
  ocorrido_em: '2026-11-21T02:30:00.000Z',
  recebido_em: '2026-11-21T02:30:01.000Z',
  confianca: 0.8,
  rotulos: ['person'],
  caixas: [{ rotulo: 'person', confianca: 0.8, x: 0.1, y: 0.2, w: 0.1, h: 0.4 }],
  zona: null,
  veredito: null,
  crop_url: '/api/v1/crops/1',
  clip_url: null,
  detalhes: {},
  ...over,
})

/** A verdict for tests. */
export const fixtureVeredito = (
  decisao: 'confirmado' | 'refutado',
  verificado_em = '2026-11-21T02:30:03.000Z',
): NonNullable<Evento['veredito']> => ({
  decisao,
  confianca: 0.9,
  motivo: 'Pessoa visível',
  fonte: 'local',
  verificado_em,
})
