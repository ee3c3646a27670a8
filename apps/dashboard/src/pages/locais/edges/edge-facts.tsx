import type { Edge } from '@vigia/contracts/edges'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { type Fuso, formatDuration, formatWhen } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { certificateState, clockState } from '../../../domains/locais/edges/edge-health.ts'
import { formatNumber, pageLocale } from '../../../texts/locale.ts'
import { Facts } from '../../../ui/facts.tsx'

interface Fact {
  readonly term: string
  readonly value: string
  /** The value needs attention. */
  readonly alarm?: boolean
}

/** Measurements that the edge reported, as a list of terms. Missing measurements are omitted. */
export function EdgeFacts({ edge, fuso }: { edge: Edge; fuso: Fuso }) {
  const { t } = useTranslation()
  const now = useNow()
  const facts: readonly (Fact | null)[] = [
    edge.fila === null
      ? null
      : {
          term: t('caixas.fila'),
          value: edge.fila === 0 ? t('caixas.filaVazia') : formatNumber(edge.fila),
        },
    edge.temperatura === null
      ? null
      : {
          term: t('caixas.temperatura'),
          value: t('caixas.graus', {
            valor: formatNumber(edge.temperatura, { maximumFractionDigits: 0 }),
          }),
        },
    edge.relogio && clockFact(edge.relogio, t),
    edge.hora && edge.hora.estado !== 'conhecida'
      ? {
          term: t('caixas.hora'),
          value: t(`caixas.horaEstado.${edge.hora.estado}`, { quando: formatWhen(edge.hora.desde, now, fuso) }),
          alarm: edge.hora.estado === 'desconhecida',
        }
      : null,
    edge.certificado_vence_em === null ? null : certificateFact(edge.certificado_vence_em, now, fuso, t),
    edge.config_aplicada === null
      ? null
      : {
          term: t('caixas.configuracao'),
          value: t(edge.config_aplicada ? 'caixas.configAplicada' : 'caixas.configPendente'),
          alarm: !edge.config_aplicada,
        },
    edge.gravacao_continua && recordingFact(edge.gravacao_continua, t),
    {
      term: t('caixas.limite'),
      value:
        edge.limite_reenvio_kbps === null
          ? t('caixas.semLimite')
          : t('caixas.limiteValor', { valor: formatNumber(edge.limite_reenvio_kbps) }),
    },
  ]
  return (
    <Facts>
      {facts.map(
        (fact) =>
          fact && (
            <div key={fact.term}>
              <dt>{fact.term}</dt>
              <dd data-alarm={fact.alarm || undefined}>{fact.value}</dd>
            </div>
          ),
      )}
    </Facts>
  )
}

type T = TFunction<'pagina'>

function clockFact(relogio: NonNullable<Edge['relogio']>, t: T): Fact {
  const state = clockState(relogio)
  const tempo = 'ms' in state ? formatDuration(state.ms) : ''
  const estado = t(`caixas.relogioEstado.${state.kind}`, { tempo })
  return {
    term: t('caixas.relogio'),
    value: relogio.sincronizado ? estado : t('caixas.semServidorDeHora', { estado }),
    alarm: 'ms' in state,
  }
}

function recordingFact({ tipo, mb, orcamento_mb }: NonNullable<Edge['gravacao_continua']>, t: T): Fact {
  const disco = t(`caixas.disco_gravacao.${tipo}`)
  const amounts = { mb: formatNumber(mb), orcamento: formatNumber(orcamento_mb) }
  return { term: t('caixas.gravacao'), value: t('caixas.gravacaoValor', { ...amounts, disco }) }
}

function certificateFact(until: string, now: number, fuso: Fuso, t: T): Fact {
  const state = certificateState(until, now)
  const data = new Date(until).toLocaleDateString(pageLocale(), fuso === null ? {} : { timeZone: fuso })
  return {
    term: t('caixas.certificado'),
    value: t(`caixas.certificadoEstado.${state}`, { data }),
    alarm: state !== 'em_dia',
  }
}
