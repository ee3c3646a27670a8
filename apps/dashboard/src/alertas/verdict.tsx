import { Loader } from '@mantine/core'
import { IconHourglass, IconShieldCheck, IconShieldX } from '@tabler/icons-react'
import { type Evento, esperaDe } from '@vigia/contracts/eventos'
import { useTranslation } from 'react-i18next'
import { formatConfidence } from '../tempo/format-time.ts'
import classes from './verdict.module.css'

/**
 * The verdict: decision, confidence and reason. Before the verdict: the state of the verification, or the reason for
 * its delay.
 */
export function Verdict({ evento, whole = false }: { evento: Evento; whole?: boolean }) {
  const { t } = useTranslation()
  const { veredito } = evento
  const situacao = veredito?.decisao ?? 'pendente'
  const espera = esperaDe(evento)
  return (
    <div className={classes.verdict} data-situacao={situacao} data-whole={whole || undefined}>
      <p className={classes.decision}>
        {situacao === 'pendente' &&
          (espera === null ? (
            <Loader size={16} color="currentColor" aria-hidden="true" />
          ) : (
            <IconHourglass size={18} aria-hidden="true" />
          ))}
        {situacao === 'confirmado' && <IconShieldCheck size={18} aria-hidden="true" />}
        {situacao === 'refutado' && <IconShieldX size={18} aria-hidden="true" />}
        <span>{espera === null ? t(`alertas.situacao.${situacao}`) : t('alertas.semVeredito')}</span>
        {veredito && (
          <span className={classes.confidence}>
            {t('alertas.confianca', { valor: formatConfidence(veredito.confianca) })}
          </span>
        )}
      </p>
      {veredito ? (
        <p className={classes.reason}>{veredito.motivo}</p>
      ) : (
        (espera !== null || whole) && <p className={classes.reason}>{espera ?? t('alertas.aguardando')}</p>
      )}
    </div>
  )
}
