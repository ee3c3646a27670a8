import { expect, it } from 'vitest'
import { ORIGIN } from '../../test/records/attachments.ts'
import { mensagem, mensagemIncidente, mensagemQueda, mensagemResumo } from '../../test/records/sample-message.ts'
import { describeMessage } from './describe-message.ts'

it('says that an uncertain event may be one', () => {
  if (!mensagem.evento.veredito) throw new Error('the sample has a verdict')
  const evento = { ...mensagem.evento, veredito: { ...mensagem.evento.veredito, certeza: 'baixa' as const } }
  const { titulo, abertura } = describeMessage({ ...mensagem, evento })
  expect(titulo).toMatch(/^Pode ser pessoa: /)
  expect(abertura).toBe('O Vigia viu algo que pode ser pessoa. Confira a imagem.')
})

it('names the camera in the title, and shows the local time of the Empresa', () => {
  expect(describeMessage(mensagem)).toEqual({
    titulo: 'Invasão: Portão <fundos> (Padaria Pão & Cia)',
    abertura: 'O Vigia confirmou um evento.',
    dados: [
      ['Empresa', 'Padaria Pão & Cia'],
      ['Câmera', 'Portão <fundos>'],
      ['O que foi visto', 'Invasão'],
      ['Gravidade', 'Alta'],
      ['Quando', '24/12/2026 00:00:00'],
      ['Verificação', 'Pessoa no pátio.'],
    ],
    modelo: ['Padaria Pão & Cia', 'Portão <fundos>', 'Invasão', '24/12/2026 00:00:00'],
  })
})

it('marks a test in the title and at the start of the text', () => {
  const { titulo, abertura, dados } = describeMessage({ ...mensagem, tipo: 'teste', camera: null })
  expect(titulo).toMatch(/^Teste de notificação/)
  expect(abertura).toMatch(/^Este é um teste: nenhum evento aconteceu.*funciona\.$/)
  const opening = (tipo: 'teste' | 'evento.confirmado') => describeMessage({ ...mensagem, tipo }, null).abertura
  expect(opening('teste')).toMatch(/sem link para o painel: falta VIGIA_URL_PUBLICA no servidor/)
  expect(opening('evento.confirmado')).not.toMatch(/VIGIA_URL_PUBLICA/)
  const first = { ...mensagem, tipo: 'evento.confirmado', primeira: true } as const
  expect(describeMessage(first, null).abertura).toMatch(/^O Vigia confirmou um evento\. .*falta VIGIA_URL_PUBLICA/)
  expect(describeMessage(first, ORIGIN).abertura).toBe('O Vigia confirmou um evento.')
  expect(dados).toContainEqual(['O que foi visto', 'Invasão (exemplo)'])
})

it('describes a queda with object, start, reason and duration', () => {
  const { queda } = mensagemQueda
  expect(describeMessage(mensagemQueda)).toEqual({
    titulo: 'Câmera de volta: Portão <fundos> (Padaria Pão & Cia)',
    abertura: 'Uma câmera que estava fora do ar voltou.',
    dados: [
      ['Empresa', 'Padaria Pão & Cia'],
      ['Câmera', 'Portão <fundos>'],
      ['Caixa', 'Caixa da portaria'],
      ['De volta', '24/12/2026 02:05:10'],
      ['Fora do ar desde', '24/12/2026 00:00:00'],
      ['Por quanto tempo', '2 h 5 min'],
      ['Motivo', 'O vídeo parou de chegar. Tentando reconectar.'],
    ],
    modelo: ['Padaria Pão & Cia', 'Portão <fundos>', 'Câmera de volta, depois de 2 h 5 min', '24/12/2026 02:05:10'],
  })
  const begun = { ...queda, camera_id: null, nome: 'Caixa da portaria', fim: null, motivo_texto: 'Sem contato.' }
  expect(describeMessage({ ...mensagemQueda, tipo: 'edge.offline', camera: null, queda: begun })).toMatchObject({
    titulo: 'Caixa fora do ar: Caixa da portaria (Padaria Pão & Cia)',
    dados: [
      ['Empresa', 'Padaria Pão & Cia'],
      ['Caixa', 'Caixa da portaria'],
      ['Desde', '24/12/2026 00:00:00'],
      ['Motivo', 'Sem contato.'],
    ],
    modelo: ['Padaria Pão & Cia', 'Caixa da portaria', 'Caixa fora do ar. Sem contato.', '24/12/2026 00:00:00'],
  })
})

it('marks an event without a verdict, and one whose verdict refuted it', () => {
  const subject = (tipo: 'evento.nao_verificado' | 'evento.descartado') => describeMessage({ ...mensagem, tipo }).titulo
  expect(subject('evento.nao_verificado')).toMatch(/^Não verificado: Invasão/)
  expect(subject('evento.descartado')).toMatch(/^Descartado: Invasão/)
})

it('says between which times an event was, where nobody knows it', () => {
  const hora_incerta = { de: '2026-12-24T03:00:00.000Z', ate: '2026-12-26T12:30:00.000Z' }
  const text = 'hora incerta: entre 24/12/2026 00:00:00 e 26/12/2026 09:30:00'
  const { evento } = mensagem
  const alone = describeMessage({ ...mensagem, evento: { ...evento, hora_incerta } })
  expect([alone.dados, alone.modelo[3]]).toEqual([expect.arrayContaining([['Quando', text]]), text])
  const grouped = describeMessage({ ...mensagemIncidente, capa: { ...mensagemIncidente.capa, hora_incerta } })
  expect([grouped.dados, grouped.modelo[3]]).toEqual([expect.arrayContaining([['Quando', text]]), text])
})

it('describes an incidente, and in an update the number of events that were added', () => {
  expect(describeMessage(mensagemIncidente)).toEqual({
    titulo: 'Invasão: Portão <fundos> (Padaria Pão & Cia)',
    abertura: 'O Vigia confirmou um incidente.',
    dados: [
      ['Empresa', 'Padaria Pão & Cia'],
      ['Câmera', 'Portão <fundos>'],
      ['O que foi visto', 'Invasão'],
      ['Gravidade', 'Alta'],
      ['Quando', '24/12/2026 00:00:00'],
      ['Eventos', '1'],
      ['Verificação', 'Pessoa no pátio.'],
    ],
    modelo: ['Padaria Pão & Cia', 'Portão <fundos>', 'Invasão', '24/12/2026 00:00:00'],
  })
  const incidente = { ...mensagemIncidente.incidente, eventos: 4, fim: '2026-12-24T03:02:00.000Z' }
  const update = describeMessage({ ...mensagemIncidente, fase: 'atualizacao', novos: 3, incidente })
  expect(update.titulo).toBe('Invasão: Portão <fundos> (Padaria Pão & Cia), mais 3 eventos')
  expect(update.dados).toContainEqual(['Eventos', '4 (mais 3 eventos desde a última mensagem)'])
  expect(describeMessage({ ...mensagemIncidente, fase: 'descartado', novos: 0 }).titulo).toMatch(/^Descartado: /)
})

it('describes the end of an incidente with its length and all its events', () => {
  const { fase: _, ...rest } = mensagemIncidente
  const incidente = { ...rest.incidente, eventos: 29, fim: '2026-12-24T03:12:30.000Z' }
  const { titulo, abertura, dados, modelo } = describeMessage({
    ...rest,
    tipo: 'incidente.encerrado',
    novos: 28,
    incidente,
  })
  expect(titulo).toBe('Encerrado: Invasão: Portão <fundos> (Padaria Pão & Cia), 29 eventos')
  expect(abertura).toBe('O incidente acabou.')
  expect(dados).toContainEqual(['Durou', '12 min 30 s'])
  expect(dados).toContainEqual(['Eventos', '29 (mais 28 eventos desde a última mensagem)'])
  expect(modelo.slice(2)).toEqual(['Encerrado: Invasão, 29 eventos', '24/12/2026 00:12:30'])
})

it('lists every incidente of a summary, and counts them by camera where the text is short', () => {
  const { titulo, dados, modelo } = describeMessage(mensagemResumo)
  expect(titulo).toBe('Resumo do que chegou com atraso: 2 incidentes (Padaria Pão & Cia)')
  expect(dados.slice(3)).toEqual([
    ['24/12/2026 00:00:00', 'Invasão: Portão <fundos>, 1 evento'],
    ['24/12/2026 00:20:00', 'Invasão e Fogo: Portão <fundos>, 3 eventos (fora do horário do canal)'],
  ])
  expect(modelo[1]).toBe('Portão <fundos> (2)')
  expect(describeMessage({ ...mensagemResumo, total: 5 }).dados.at(-1)).toEqual(['E mais', '3 no painel do Vigia'])
})
