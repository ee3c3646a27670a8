import type { SameTexts } from './shape.ts'

/** English texts of the page of pendencias. */
export const pendencias: SameTexts<typeof import('./pt-br-pendencias.ts')['pendencias']> = {
  titulo: 'Stopped work',
  texto: 'Work that stopped and does not continue by itself. Remove the cause and retry it.',
  vazio: {
    titulo: 'No stopped work',
    texto: 'Verifications and notifications that stop are shown here, with the reason.',
  },
  tipo: { verificacao: 'Verification of an event', notificacao: 'Notification that did not arrive' },
  evento: 'Event {{id}}',
  canal: 'Channel {{id}}',
  tentativas_one: '{{count}} attempt',
  tentativas_other: '{{count}} attempts',
  parada: 'Last: {{quando}}',
  proxima: 'Next automatic attempt: {{quando}}',
  semProxima: 'It is only tried again if somebody asks for it.',
  repetir: 'Try again',
  repetirRotulo: 'Try item {{id}} again',
  repetirTodas: 'Try all again',
  anuncio_one: '{{count}} item will be tried again.',
  anuncio_other: '{{count}} items will be tried again.',
  limite: 'These are the {{total}} newest items.',
  fila: {
    titulo: 'Events waiting for their verdict',
    espera: '{{empresa}}: {{eventos}}, the oldest for {{tempo}}',
    eventos_one: '{{count}} event',
    eventos_other: '{{count}} events',
    nenhum: 'No event waits for its verdict.',
  },
}
