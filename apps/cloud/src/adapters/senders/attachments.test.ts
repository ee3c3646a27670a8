import { expect, it } from 'vitest'
import { ORIGIN, PICTURE, sampleAttachments } from '../../test/records/attachments.ts'
import { mensagem, mensagemQueda } from '../../test/records/sample-message.ts'
import type { Mensagem } from './interface.ts'

const { evento, tipo: _, ...envio } = mensagem
const semIncidente = { ...evento, incidente_id: null }
const periodo = { inicio: evento.ocorrido_em, fim: evento.ocorrido_em }
const incidente: Mensagem = {
  ...envio,
  tipo: 'incidente',
  fase: 'novo',
  novos: 1,
  capa: evento,
  incidente: {
    id: 12,
    camera: { id: 9, nome: 'Portão <fundos>' },
    tipos: ['invasao'],
    gravidade: 'alta',
    eventos: 1,
    situacao: 'confirmado',
    ...periodo,
  },
}
const resumo: Mensagem = { ...envio, tipo: 'resumo', motivo: 'diario', total: 0, incidentes: [], ...periodo }

it.each<[string, Mensagem, string | null]>([
  ['/incidentes/12', mensagem, '/api/v1/imagens/assinatura-41.jpg'],
  ['/eventos/41', { ...mensagem, evento: semIncidente }, '/api/v1/imagens/assinatura-41.jpg'],
  ['/incidentes/12', incidente, '/api/v1/imagens/assinatura-41.jpg'],
  ['/eventos/41', { ...incidente, capa: semIncidente }, '/api/v1/imagens/assinatura-41.jpg'],
  ['/linha-do-tempo', resumo, null],
  ['/quedas', mensagemQueda, null],
  ['/canais', { ...mensagem, tipo: 'teste' }, null],
])('links to %s', async (path, about, picture) => {
  const attachments = sampleAttachments()
  expect(attachments.link(about)).toBe(ORIGIN + path)
  expect(await attachments.pictureUrl(about)).toBe(picture && ORIGIN + picture)
  expect(await attachments.picture(about)).toEqual(picture && PICTURE)
  expect(sampleAttachments(null).link(about)).toBeNull()
  expect(await sampleAttachments(null).pictureUrl(about)).toBeNull()
})
