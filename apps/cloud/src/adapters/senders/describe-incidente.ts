import { catalogoIas } from '@vigia/contracts/ias'
import type { IncidenteAvisado } from '@vigia/contracts/mensagens'
import { palavrasGravidade } from './gravidade-words.ts'
import { isOfPlate, kindOf, plateLines, withPlate } from './hide-plates.ts'
import type { MensagemFimIncidente, MensagemIncidente, Texto } from './interface.ts'
import { localTime, localWhen, shownDuration } from './local-time.ts'

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
  encerrado: {
    confirmado: 'O incidente acabou.',
    nao_verificado: 'O incidente acabou, e ainda não foi verificado. Confira a imagem.',
    descartado: 'A verificação descartou este incidente.',
  },
} as const

type Fase = keyof typeof aberturas

const prefixos = { confirmado: '', nao_verificado: 'Não verificado: ', descartado: 'Descartado: ' } as const

/** `1 evento`, `3 eventos`. */
const contados = (eventos: number): string => `${eventos} ${eventos === 1 ? 'evento' : 'eventos'}`
const maisEventos = (novos: number): string => `mais ${contados(novos)}`

/** Portuguese text about one incidente: its first message, an update, a correction or its end. */
export function describeIncidente(mensagem: MensagemIncidente | MensagemFimIncidente): Texto {
  const { empresa, novos, incidente, capa } = mensagem
  const fase = 'fase' in mensagem ? mensagem.fase : 'encerrado'
  const at = (iso: string) => localTime(iso, empresa.fusoHorario)
  const { situacao, camera, tipos, gravidade, inicio, fim, eventos } = incidente
  const quando = localWhen(capa, empresa.fusoHorario)
  const prefixo = fase === 'encerrado' ? 'Encerrado: ' : prefixos[fase === 'descartado' ? 'descartado' : situacao]
  const ias = isOfPlate(capa) ? kindOf(capa) : nomesTipos(tipos)
  const sufixo =
    fase === 'encerrado'
      ? `, ${contados(eventos)}`
      : fase === 'atualizacao' && novos > 0
        ? `, ${maisEventos(novos)}`
        : ''
  const durou = fase === 'encerrado' && !capa.hora_incerta && inicio !== fim
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
      ...(durou ? ([['Durou', shownDuration(Date.parse(fim) - Date.parse(inicio))]] as const) : []),
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

const eventosShown = (eventos: number, fase: Fase, novos: number): string =>
  fase === 'novo' || novos === 0 ? String(eventos) : `${eventos} (${maisEventos(novos)} desde a última mensagem)`
