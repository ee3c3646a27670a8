import { Loader } from '@mantine/core'
import { IconHourglass, IconShieldCheck, IconShieldQuestion, IconShieldX } from '@tabler/icons-react'
import { type Evento, esperaDe } from '@vigia/contracts/eventos'
import { desfechoDe, motivoAcrescenta } from '@vigia/contracts/palavras-veredito'
import { useTranslation } from 'react-i18next'
import { useVerdictWords } from './use-verdict-words.ts'
import classes from './verdict.module.css'

/**
 * The verdict in words, and its reason where that says more or `whole` is set. Before it: the state of
 * the verification, or the reason for its delay.
 */
export function Verdict({ evento, whole = false }: { evento: Evento; whole?: boolean }) {
  const { t } = useTranslation()
  const words = useVerdictWords()(evento)
  const { veredito } = evento
  const situacao = veredito === null ? 'pendente' : desfechoDe(veredito)
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
        {situacao === 'incerto' && <IconShieldQuestion size={18} aria-hidden="true" />}
        {situacao === 'refutado' && <IconShieldX size={18} aria-hidden="true" />}
        <span>{espera === null ? words : t('alertas.semVeredito')}</span>
      </p>
      {veredito
        ? (whole || motivoAcrescenta(veredito)) && <p className={classes.reason}>{veredito.motivo}</p>
        : (espera !== null || whole) && <p className={classes.reason}>{espera ?? t('alertas.aguardando')}</p>}
    </div>
  )
}
