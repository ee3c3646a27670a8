import type { Edge } from '@vigia/contracts/edges'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { type Fuso, formatDuration } from '../tempo/format-time.ts'
import { useNow } from '../tempo/use-now.ts'
import classes from './box-card.module.css'
import { certificateState, clockState } from './box-health.ts'

interface Fact {
  readonly term: string
  readonly value: string
  /** Somebody has to look at it. */
  readonly alarm?: boolean
}

/** What a box said of itself, as a list of terms; what it has not said is left out. */
export function BoxFacts({ caixa, fuso }: { caixa: Edge; fuso: Fuso }) {
  const { t } = useTranslation()
  const now = useNow()
  const facts: readonly (Fact | null)[] = [
    caixa.fila === null
      ? null
      : {
          term: t('caixas.fila'),
          value: caixa.fila === 0 ? t('caixas.filaVazia') : caixa.fila.toLocaleString('pt-BR'),
        },
    caixa.temperatura === null
      ? null
      : {
          term: t('caixas.temperatura'),
          value: t('caixas.graus', {
            valor: caixa.temperatura.toLocaleString('pt-BR', { maximumFractionDigits: 0 }),
          }),
        },
    caixa.relogio && clockFact(caixa.relogio, t),
    caixa.certificado_vence_em === null ? null : certificateFact(caixa.certificado_vence_em, now, fuso, t),
    caixa.config_aplicada === null
      ? null
      : {
          term: t('caixas.configuracao'),
          value: t(caixa.config_aplicada ? 'caixas.configAplicada' : 'caixas.configPendente'),
          alarm: !caixa.config_aplicada,
        },
    {
      term: t('caixas.limite'),
      value:
        caixa.limite_reenvio_kbps === null
          ? t('caixas.semLimite')
          : t('caixas.limiteValor', { valor: caixa.limite_reenvio_kbps.toLocaleString('pt-BR') }),
    },
  ]
  return (
    <dl className={classes.facts}>
      {facts.map(
        (fact) =>
          fact && (
            <div key={fact.term}>
              <dt>{fact.term}</dt>
              <dd data-alarm={fact.alarm || undefined}>{fact.value}</dd>
            </div>
          ),
      )}
    </dl>
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

function certificateFact(until: string, nowMs: number, fuso: Fuso, t: T): Fact {
  const state = certificateState(until, nowMs)
  const data = new Date(until).toLocaleDateString('pt-BR', fuso === null ? {} : { timeZone: fuso })
  return {
    term: t('caixas.certificado'),
    value: t(`caixas.certificadoEstado.${state}`, { data }),
    alarm: state !== 'em_dia',
  }
}
