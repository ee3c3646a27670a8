import { catalogoIas } from '@vigia/contracts/ias'
import { describeQueda } from './describe-queda.ts'
import type { Mensagem, MensagemEvento, Texto } from './interface.ts'
import { localTime } from './local-time.ts'

const gravidades = { baixa: 'Baixa', media: 'Média', alta: 'Alta', critica: 'Crítica' } as const

/** @returns Portuguese text; a test is marked in its title and first sentence */
export const describeMessage = (mensagem: Mensagem): Texto =>
  'queda' in mensagem ? describeQueda(mensagem) : describeEvent(mensagem)

function describeEvent({ tipo, empresa, camera, evento }: MensagemEvento): Texto {
  const ia = catalogoIas[evento.tipo].titulo
  const onde = camera?.nome ?? evento.camera_nome
  const quando = localTime(evento.ocorrido_em, empresa.fusoHorario)
  const teste = tipo === 'teste'
  const abertura = teste
    ? 'Este é um teste: nenhum evento aconteceu. Se você recebeu esta mensagem, o canal de notificação funciona.'
    : 'O Vigia confirmou um evento.'
  return {
    titulo: teste ? `Teste de notificação: ${empresa.nome}` : `${ia}: ${onde} (${empresa.nome})`,
    abertura,
    dados: [
      ['Empresa', empresa.nome],
      ['Câmera', onde],
      ['O que foi visto', teste ? `${ia} (exemplo)` : ia],
      ['Gravidade', gravidades[evento.gravidade]],
      ['Quando', quando],
      ...(evento.veredito ? ([['Verificação', evento.veredito.motivo]] as const) : []),
    ],
    modelo: [empresa.nome, onde, teste ? abertura : ia, quando],
  }
}
