import type { ItemResumo } from '@vigia/contracts/mensagens'
import { nomesTipos } from './describe-incidente.ts'
import type { MensagemResumo, Texto } from './interface.ts'
import { localTime } from './local-time.ts'

const titulos = { diario: 'Resumo do dia', atraso: 'Resumo do que chegou com atraso' } as const
const aberturas = {
  diario: 'Estes são os incidentes desde o último resumo.',
  atraso: 'Estes incidentes chegaram com atraso. Este resumo vale pelo aviso de cada um.',
} as const
const situacoes = { confirmado: '', nao_verificado: ', não verificado', descartado: ', descartado' } as const

/** Portuguese text that lists incidentes. The short form counts them by camera. */
export function describeResumo({ empresa, motivo, inicio, fim, total, incidentes }: MensagemResumo): Texto {
  const at = (iso: string) => localTime(iso, empresa.fusoHorario)
  const quantos = total === 1 ? '1 incidente' : `${total} incidentes`
  const fora = total - incidentes.length
  const porCamera = [...Map.groupBy(incidentes, ({ camera }) => camera.nome)].map(
    ([nome, itens]) => `${nome} (${itens.length})`,
  )
  return {
    titulo: `${titulos[motivo]}: ${quantos} (${empresa.nome})`,
    abertura: aberturas[motivo],
    dados: [
      ['Empresa', empresa.nome],
      ['Incidentes', String(total)],
      ['Período', inicio === fim ? at(inicio) : `${at(inicio)} até ${at(fim)}`],
      ...incidentes.map((item) => [at(item.inicio), lineOf(item)] as const),
      ...(fora > 0 ? ([['E mais', `${fora} no painel do Vigia`]] as const) : []),
    ],
    modelo: [empresa.nome, porCamera.join(', '), `${titulos[motivo]}: ${quantos}`, at(fim)],
  }
}

const lineOf = ({ tipos, camera, eventos, situacao, avisado }: ItemResumo): string =>
  `${nomesTipos(tipos)}: ${camera.nome}, ${eventos === 1 ? '1 evento' : `${eventos} eventos`}` +
  `${situacoes[situacao]}${avisado ? '' : ' (fora do horário do canal)'}`
