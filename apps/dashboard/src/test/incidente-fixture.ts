import type { Incidente } from '@vigia/contracts/incidentes'

/** Returns a valid incidente for tests, with the fields of `over` replaced. */
export const fixtureIncidente = (over: Partial<Incidente> = {}): Incidente => ({
  id: 1,
  empresa_id: 1,
  camera_id: 1,
  camera_nome: 'Portaria',
  tipos: ['invasao'],
  gravidade: 'alta',
  inicio: '2026-11-21T02:30:00.000Z',
  fim: '2026-11-21T02:30:05.000Z',
  eventos: 1,
  pendentes: 0,
  revisados: 0,
  veredito: 'confirmado',
  certeza: 'alta',
  capa_evento_id: 1,
  capa_url: '/api/v1/crops/1?imagem=quadro',
  prova: false,
  silenciado: false,
  atendimento: null,
  versao: 1,
  ...over,
})
