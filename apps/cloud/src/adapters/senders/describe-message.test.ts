import { expect, it } from 'vitest'
import { mensagem } from '../../test/sample-message.ts'
import { describeMessage } from './describe-message.ts'

it('names the camera in the title, and gives the time of the Empresa', () => {
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
  })
})

it('says of a test that it is one, before anything else', () => {
  const { titulo, abertura, dados } = describeMessage({ ...mensagem, tipo: 'teste', camera: null })
  expect(titulo).toMatch(/^Teste de notificação/)
  expect(abertura).toMatch(/^Este é um teste: nenhum evento aconteceu/)
  expect(dados).toContainEqual(['O que foi visto', 'Invasão (exemplo)'])
})
