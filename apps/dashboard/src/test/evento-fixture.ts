import type { Evento } from '@vigia/contracts/eventos'

/** Returns a valid event for tests, with the fields of `over` replaced. */
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
  prova: false,
  incidente_id: null,
  ...over,
})

/** Returns a verdict for tests. */
export const fixtureVeredito = (
  decisao: 'confirmado' | 'refutado',
  verificado_em = '2026-11-21T02:30:03.000Z',
): NonNullable<Evento['veredito']> => ({
  decisao,
  certeza: 'alta',
  confianca: 0.9,
  motivo: 'Pessoa visível',
  fonte: 'local',
  verificado_em,
})
