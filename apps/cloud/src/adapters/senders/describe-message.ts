import { assuntoDe, desfechoDe } from '@vigia/contracts/palavras-veredito'
import { describeAviso } from './describe-aviso.ts'
import { describeIncidente } from './describe-incidente.ts'
import { describePortao } from './describe-portao.ts'
import { describeQueda } from './describe-queda.ts'
import { describeResumo } from './describe-resumo.ts'
import { palavrasGravidade } from './gravidade-words.ts'
import { kindOf, plateLines, withPlate } from './hide-plates.ts'
import type { Mensagem, MensagemEvento, Texto } from './interface.ts'
import { localWhen } from './local-time.ts'

/**
 * @param link address of the subject; null: none, for which a test and the first message of a canal name the missing
 * setting; absent: not shown
 * @returns Portuguese text; a test is marked in its title and first sentence
 */
export function describeMessage(mensagem: Mensagem, link?: string | null): Texto {
  const texto = describe(mensagem)
  const says = link === null && (mensagem.tipo === 'teste' || mensagem.primeira === true)
  return says ? { ...texto, abertura: `${texto.abertura} ${SEM_LINK}` } : texto
}

function describe(mensagem: Mensagem): Texto {
  if ('capa' in mensagem) return describeIncidente(mensagem)
  if (mensagem.tipo === 'resumo') return describeResumo(mensagem)
  if ('passagem' in mensagem) return describePortao(mensagem)
  if ('aviso' in mensagem) return describeAviso(mensagem)
  return 'queda' in mensagem ? describeQueda(mensagem) : describeEvent(mensagem)
}

const aberturas = {
  teste: 'Este é um teste: nenhum evento aconteceu. Se você recebeu esta mensagem, o canal de notificação funciona.',
  'evento.confirmado': 'O Vigia confirmou um evento.',
  'evento.nao_verificado': 'O Vigia viu um evento que ainda não foi verificado. Confira a imagem.',
  'evento.descartado': 'A verificação descartou um evento que este canal avisou antes.',
} as const

/** Closing sentence of an opening without a link. */
const SEM_LINK =
  'As mensagens vão sem link para o painel: falta VIGIA_URL_PUBLICA no servidor. Peça-a a quem cuida dele.'

const prefixos = {
  teste: '',
  'evento.confirmado': '',
  'evento.nao_verificado': 'Não verificado: ',
  'evento.descartado': 'Descartado: ',
} as const

function describeEvent({ tipo, empresa, camera, evento }: MensagemEvento): Texto {
  const ia = kindOf(evento)
  const onde = camera?.nome ?? evento.camera_nome
  const quando = localWhen(evento, empresa.fusoHorario)
  const teste = tipo === 'teste'
  const incerto = evento.veredito !== null && desfechoDe(evento.veredito) === 'incerto'
  const visto = incerto ? `Pode ser ${assuntoDe(evento)}` : ia
  const abertura =
    incerto && tipo === 'evento.confirmado'
      ? `O Vigia viu algo que pode ser ${assuntoDe(evento)}. Confira a imagem.`
      : aberturas[tipo]
  const prefixo = prefixos[tipo]
  return {
    titulo: teste ? `Teste de notificação: ${empresa.nome}` : `${prefixo}${visto}: ${onde} (${empresa.nome})`,
    abertura,
    dados: [
      ['Empresa', empresa.nome],
      ['Câmera', onde],
      ['O que foi visto', teste ? `${ia} (exemplo)` : ia],
      ...plateLines(evento),
      ['Gravidade', palavrasGravidade[evento.gravidade]],
      ['Quando', quando],
      ...(evento.veredito ? ([['Verificação', evento.veredito.motivo]] as const) : []),
    ],
    modelo: [empresa.nome, onde, teste ? abertura : withPlate(`${prefixo}${visto}`, evento), quando],
  }
}
