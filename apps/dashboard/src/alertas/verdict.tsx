import { Loader } from '@mantine/core'
import { IconShieldCheck, IconShieldX } from '@tabler/icons-react'
import type { Veredito } from '@vigia/contracts/eventos'
import { useTranslation } from 'react-i18next'
import { formatConfidence } from '../tempo/format-time.ts'
import classes from './verdict.module.css'

/** What the verification says: its decision, how sure it is, and why. Until then, that it is being verified. */
export function Verdict({ veredito, whole = false }: { veredito: Veredito | null; whole?: boolean }) {
  const { t } = useTranslation()
  const situacao = veredito?.decisao ?? 'pendente'
  return (
    <div className={classes.verdict} data-situacao={situacao} data-whole={whole || undefined}>
      <p className={classes.decision}>
        {situacao === 'pendente' && <Loader size={16} color="currentColor" aria-hidden="true" />}
        {situacao === 'confirmado' && <IconShieldCheck size={18} aria-hidden="true" />}
        {situacao === 'refutado' && <IconShieldX size={18} aria-hidden="true" />}
        <span>{t(`alertas.situacao.${situacao}`)}</span>
        {veredito && (
          <span className={classes.confidence}>
            {t('alertas.confianca', { valor: formatConfidence(veredito.confianca) })}
          </span>
        )}
      </p>
      {veredito ? (
        <p className={classes.reason}>{veredito.motivo}</p>
      ) : (
        whole && <p className={classes.reason}>{t('alertas.aguardando')}</p>
      )}
    </div>
  )
}
