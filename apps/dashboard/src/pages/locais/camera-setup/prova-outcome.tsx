import type { Prova } from '@vigia/contracts/provas'
import { useTranslation } from 'react-i18next'

/** How a walk test ended, and the first step that is missing, as sentences; nothing for a record without an end. */
export function ProvaOutcome({ prova: { desfecho, passo_falho } }: { prova: Pick<Prova, 'desfecho' | 'passo_falho'> }) {
  const { t } = useTranslation()
  if (desfecho === null) return null
  return (
    <p>
      <strong>{t(`camera.prova.desfecho.${desfecho}`)}</strong>
      {passo_falho !== null && ` ${t(`camera.prova.passo.${passo_falho}`)}`}
    </p>
  )
}
