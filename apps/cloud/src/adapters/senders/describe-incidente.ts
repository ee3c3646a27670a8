import { catalogoIas } from '@vigia/contracts/ias'
import type { IncidenteAvisado } from '@vigia/contracts/mensagens'
import { palavrasGravidade } from './gravidade-words.ts'
import { plateLines, withPlate } from './hide-plates.ts'
import type { MensagemIncidente, Texto } from './interface.ts'
import { localTime, localWhen } from './local-time.ts'

/** `Invasão e Fogo`. */
export const nomesTipos = (tipos: IncidenteAvisado['tipos']): string =>
  new Intl.ListFormat('pt-BR').format(tipos.map((tipo) => catalogoIas[tipo].titulo))

const aberturas = {
  novo: {
    confirmado: 'O Vigia confirmou um incidente.',
    nao_verificado: 'O Vigia viu um incidente que ainda não foi verificado. Confira a imagem.',
    descartado: 'A verificação descartou este incidente.',
  },
  atualizacao: {
    confirmado: 'O incidente continua.',
    nao_verificado: 'O incidente continua e ainda não foi verificado. Confira a imagem.',
    descartado: 'A verificação descartou este incidente.',
  },
  descartado: {
    confirmado: 'A verificação descartou este incidente, que este canal avisou antes.',
    nao_verificado: 'A verificação descartou este incidente, que este canal avisou antes.',
    descartado: 'A verificação descartou este incidente, que este canal avisou antes.',
  },
} as const

/** `mais 1 evento`, `mais 3 eventos`. */
const maisEventos = (novos: number): string => `mais ${novos} ${novos === 1 ? 'evento' : 'eventos'}`

/** Portuguese text about one incidente: its first message, an update or a correction. */
export function describeIncidente({ empresa, fase, novos, incidente, capa }: MensagemIncidente): Texto {
  const at = (iso: string) => localTime(iso, empresa.fusoHorario)
  const { situacao, camera, tipos, gravidade, inicio, fim, eventos } = incidente
  const quando = localWhen(capa, empresa.fusoHorario)
  const prefixo = fase === 'descartado' ? 'Descartado: ' : situacao === 'nao_verificado' ? 'Não verificado: ' : ''
  const ias = nomesTipos(tipos)
  const sufixo = fase === 'atualizacao' && novos > 0 ? `, ${maisEventos(novos)}` : ''
  return {
    titulo: `${prefixo}${ias}: ${camera.nome} (${empresa.nome})${sufixo}`,
    abertura: aberturas[fase][situacao],
    dados: [
      ['Empresa', empresa.nome],
      ['Câmera', camera.nome],
      ['O que foi visto', ias],
      ...plateLines(capa),
      ['Gravidade', palavrasGravidade[gravidade]],
      ['Quando', capa.hora_incerta ? quando : inicio === fim ? at(inicio) : `${at(inicio)} até ${at(fim)}`],
      ...(fase === 'descartado' ? [] : ([['Eventos', eventosShown(eventos, fase, novos)]] as const)),
      ...(capa.veredito ? ([['Verificação', capa.veredito.motivo]] as const) : []),
    ],
    modelo: [
      empresa.nome,
      camera.nome,
      `${withPlate(`${prefixo}${ias}`, capa)}${sufixo}`,
      capa.hora_incerta ? quando : at(fase === 'novo' ? inicio : fim),
    ],
  }
}

const eventosShown = (eventos: number, fase: MensagemIncidente['fase'], novos: number): string =>
  fase === 'novo' || novos === 0 ? String(eventos) : `${eventos} (${maisEventos(novos)} desde a última mensagem)`
